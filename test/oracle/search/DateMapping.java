package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZoneId;
import org.apache.lucene.document.Document;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryWrapperFilter;
import org.apache.lucene.util.BytesRef;

/** A {@code date} field in the default format, indexed as milliseconds since the epoch. */
final class DateMapping extends NumberMapping {
  private final String nullValue;

  DateMapping(String name, JsonNode definition, Mapping mapping) {
    super(name, definition, mapping);
    String format = definition.path("format").asText("dateOptionalTime");
    if (!format.equals("dateOptionalTime") && !format.equals("date_optional_time")) {
      throw new InputException("field [" + name + "]: the date format [" + format + "] is not covered");
    }
    nullValue = Json.text(definition.get("null_value"));
  }

  @Override
  void add(JsonNode value, Document document) {
    if (value.isNumber()) {
      document.add(field(value.longValue()));
      return;
    }
    String text = value.isNull() ? nullValue : value.asText();
    if (text != null) {
      document.add(field(Dates.parseOrMillis(text, null, false)));
    }
  }

  @Override
  BytesRef indexed(String value) {
    return indexed((Number) Dates.parse(value, null, false));
  }

  @Override
  Query fuzzyQuery(String value, Fuzziness fuzziness, int prefixLength, int maxExpansions, boolean transpositions) {
    throw new InputException("fuzzy on a date field is not covered");
  }

  /** As a query, an exclusive lower bound is rounded up. */
  @Override
  Query rangeQuery(Range range) {
    return rangeQuery(
        bound(range.from(), !range.includeLower(), range.zone()),
        bound(range.to(), range.includeUpper(), range.zone()),
        range.includeLower(), range.includeUpper());
  }

  /** As a filter, a lower bound is never rounded up. */
  @Override
  Filter rangeFilter(Range range) {
    return new QueryWrapperFilter(rangeQuery(
        bound(range.from(), false, range.zone()),
        bound(range.to(), range.includeUpper(), range.zone()),
        range.includeLower(), range.includeUpper()));
  }

  private static Long bound(JsonNode value, boolean roundUp, ZoneId zone) {
    if (value == null) {
      return null;
    }
    return value.isNumber() ? (Long) value.longValue() : (Long) Dates.parseMath(value.asText(), roundUp, zone);
  }
}
