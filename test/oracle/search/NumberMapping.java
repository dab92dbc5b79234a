package search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FieldType.NumericType;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.FieldInfo.IndexOptions;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.NumericRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.NumericUtils;

/** A numeric field. Everything that searches one scores a constant. */
class NumberMapping extends FieldMapping {
  private final NumericType kind;
  private final int precisionStep;
  private final FieldType fieldType = new FieldType();
  private final JsonNode nullValue;

  NumberMapping(String name, JsonNode definition, Mapping mapping) {
    super(name, mapping);
    String type = definition.path("type").asText();
    kind = switch (type) {
      case "double" -> NumericType.DOUBLE;
      case "float" -> NumericType.FLOAT;
      case "integer", "short", "byte" -> NumericType.INT;
      default -> NumericType.LONG; // long and date
    };
    int defaultStep = switch (type) {
      case "long", "double", "date" -> 16;
      case "byte" -> Integer.MAX_VALUE;
      default -> 8;
    };
    precisionStep = definition.path("precision_step").asInt(defaultStep);
    nullValue = definition.get("null_value");
    fieldType.setIndexed(true);
    fieldType.setTokenized(false);
    fieldType.setOmitNorms(true);
    fieldType.setIndexOptions(IndexOptions.DOCS_ONLY);
    fieldType.setNumericType(kind);
    fieldType.setNumericPrecisionStep(precisionStep);
    fieldType.freeze();
  }

  /** A value of this field as a number; text is parsed, fractions of whole-number fields are cut off. */
  Number parse(JsonNode value) {
    if (value.isNumber()) {
      return switch (kind) {
        case DOUBLE -> value.doubleValue();
        case FLOAT -> value.floatValue();
        case INT -> value.intValue();
        case LONG -> value.longValue();
      };
    }
    try {
      String text = value.asText();
      return switch (kind) {
        case DOUBLE -> Double.valueOf(text);
        case FLOAT -> Float.valueOf(text);
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + value, e);
    }
  }

  private Number parse(String text) {
    return parse(TextNode.valueOf(text));
  }

  @Override
  void add(JsonNode value, Document document) {
    if (value.isNull() || value.isTextual() && value.asText().isEmpty()) {
      if (nullValue == null) {
        return;
      }
      value = nullValue;
    }
    document.add(field(parse(value)));
  }

  final Field field(Number number) {
    return switch (kind) {
      case DOUBLE -> new DoubleField(name, number.doubleValue(), fieldType);
      case FLOAT -> new FloatField(name, number.floatValue(), fieldType);
      case INT -> new IntField(name, number.intValue(), fieldType);
      case LONG -> new LongField(name, number.longValue(), fieldType);
    };
  }

  @Override
  final boolean isExact() {
    return true;
  }

  @Override
  BytesRef indexed(String value) {
    return indexed(parse(value));
  }

  final BytesRef indexed(Number number) {
    BytesRefBuilder bytes = new BytesRefBuilder();
    switch (kind) {
      case DOUBLE -> longTo(bytes, NumericUtils.doubleToSortableLong(number.doubleValue()));
      case FLOAT -> intTo(bytes, NumericUtils.floatToSortableInt(number.floatValue()));
      case INT -> intTo(bytes, number.intValue());
      case LONG -> longTo(bytes, number.longValue());
    }
    return bytes.get();
  }

  private static void intTo(BytesRefBuilder bytes, int value) {
    NumericUtils.intToPrefixCoded(value, 0, bytes);
  }

  private static void longTo(BytesRefBuilder bytes, long value) {
    NumericUtils.longToPrefixCoded(value, 0, bytes);
  }

  @Override
  final Query termQuery(String value) {
    return new ConstantScoreQuery(new TermQuery(term(value)));
  }

  @Override
  Query fuzzyQuery(String value, Fuzziness fuzziness, int prefixLength, int maxExpansions, boolean transpositions) {
    Number number = parse(value);
    double distance = fuzziness.distance();
    return switch (kind) {
      case DOUBLE -> around(number.doubleValue() - distance, number.doubleValue() + distance);
      case FLOAT -> around(number.floatValue() - (float) distance, number.floatValue() + (float) distance);
      case INT -> around(number.intValue() - (int) distance, number.intValue() + (int) distance);
      case LONG -> around(number.longValue() - (long) distance, number.longValue() + (long) distance);
    };
  }

  private Query around(Number from, Number to) {
    return rangeQuery(from, to, true, true);
  }

  @Override
  Query rangeQuery(Range range) {
    return rangeQuery(bound(range.from()), bound(range.to()), range.includeLower(), range.includeUpper());
  }

  private Number bound(JsonNode value) {
    return value == null ? null : parse(value);
  }

  /** A range between two values of the field's own type. */
  final Query rangeQuery(Number from, Number to, boolean lower, boolean upper) {
    int step = precisionStep;
    return switch (kind) {
      case DOUBLE -> NumericRangeQuery.newDoubleRange(name, step, (Double) from, (Double) to, lower, upper);
      case FLOAT -> NumericRangeQuery.newFloatRange(name, step, (Float) from, (Float) to, lower, upper);
      case INT -> NumericRangeQuery.newIntRange(name, step, (Integer) from, (Integer) to, lower, upper);
      case LONG -> NumericRangeQuery.newLongRange(name, step, (Long) from, (Long) to, lower, upper);
    };
  }
}
