package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.TermFilter;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryWrapperFilter;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;

/** One mapped field: how its values are indexed and which Lucene queries search it. */
abstract class FieldMapping {
  final String name;
  final Mapping mapping;
  final List<FieldMapping> subFields = new ArrayList<>();

  FieldMapping(String name, Mapping mapping) {
    this.name = name;
    this.mapping = mapping;
  }

  static FieldMapping create(String name, JsonNode definition, Mapping mapping) {
    String type = definition.path("type").asText();
    return switch (type) {
      case "string" -> new StringMapping(name, definition, mapping);
      case "long", "integer", "short", "byte", "double", "float" -> new NumberMapping(name, definition, mapping);
      case "date" -> new DateMapping(name, definition, mapping);
      case "boolean" -> new BooleanMapping(name, definition, mapping);
      case "geo_point" -> new GeoPointMapping(name, mapping);
      default -> throw new InputException("field [" + name + "]: the type [" + type + "] is not covered");
    };
  }

  final void addWithSubFields(JsonNode value, Document document) {
    try {
      add(value, document);
    } catch (IllegalArgumentException e) {
      throw InputException.at("field [" + name + "]", e);
    }
    for (FieldMapping sub : subFields) {
      sub.addWithSubFields(value, document);
    }
  }

  /** Adds one value, never an array unless {@link #takesArrays}. */
  abstract void add(JsonNode value, Document document);

  /** Whether arrays are values of this field and not several values. */
  boolean takesArrays() {
    return false;
  }

  Analyzer indexAnalyzer() {
    return mapping.defaultAnalyzer();
  }

  Analyzer searchAnalyzer() {
    return mapping.defaultAnalyzer();
  }

  int positionGap() {
    return 0;
  }

  /** Whether match and query_string make a term query of the whole text instead of analyzing it. */
  boolean isExact() {
    return false;
  }

  /** The indexed form of a value. */
  BytesRef indexed(String value) {
    return new BytesRef(value);
  }

  final Term term(String value) {
    return new Term(name, indexed(value));
  }

  Query termQuery(String value) {
    return new TermQuery(term(value));
  }

  Filter termFilter(String value) {
    return new TermFilter(term(value));
  }

  Query fuzzyQuery(String value, Fuzziness fuzziness, int prefixLength, int maxExpansions, boolean transpositions) {
    return new FuzzyQuery(term(value), fuzziness.edits(value), prefixLength, maxExpansions, transpositions);
  }

  Query rangeQuery(Range range) {
    return new TermRangeQuery(
        name, bound(range.from()), bound(range.to()), range.includeLower(), range.includeUpper());
  }

  Filter rangeFilter(Range range) {
    return new QueryWrapperFilter(rangeQuery(range));
  }

  private BytesRef bound(JsonNode value) {
    return value == null ? null : indexed(value.asText());
  }
}
