package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.FieldInfo.IndexOptions;

/** A {@code string} field, analyzed or not. */
final class StringMapping extends FieldMapping {
  private static final Analyzer KEYWORD = new KeywordAnalyzer();

  private final FieldType fieldType = new FieldType();
  private final Analyzer indexAnalyzer;
  private final Analyzer searchAnalyzer;
  private final float boost;
  private final int positionGap;
  private final int ignoreAbove;
  private final String nullValue;

  StringMapping(String name, JsonNode definition, Mapping mapping) {
    super(name, mapping);
    checkOptions(definition);
    String index = definition.path("index").asText("analyzed");
    if (!index.matches("analyzed|not_analyzed|no")) {
      throw new InputException("wrong value for index [" + index + "] for field [" + name + "]");
    }
    boolean analyzed = index.equals("analyzed");
    boost = (float) definition.path("boost").asDouble(1);
    positionGap = definition.path("position_offset_gap").asInt(0);
    ignoreAbove = definition.path("ignore_above").asInt(-1);
    nullValue = Json.text(definition.get("null_value"));

    String analyzer = definition.path("analyzer").asText(analyzed ? "default" : null);
    indexAnalyzer = analyzer(definition.path("index_analyzer").asText(analyzer));
    searchAnalyzer = analyzer(definition.path("search_analyzer").asText(analyzer));

    // a field that is not analyzed has no frequencies, no positions and, unless boosted, no norms
    fieldType.setIndexed(!index.equals("no"));
    fieldType.setTokenized(analyzed);
    String indexOptions = definition.path("index_options").asText(analyzed ? "positions" : "docs");
    fieldType.setIndexOptions(indexOptions(indexOptions));
    fieldType.setOmitNorms(omitNorms(definition, !analyzed && boost == 1));
    fieldType.freeze();
  }

  private void checkOptions(JsonNode definition) {
    for (Iterator<String> names = definition.fieldNames(); names.hasNext(); ) {
      String option = names.next();
      switch (option) {
        case "type", "index", "analyzer", "index_analyzer", "search_analyzer", "boost", "position_offset_gap",
          "ignore_above", "null_value", "index_options", "norms", "omit_norms", "fields",
          "store", "include_in_all", "fielddata", "term_vector", "doc_values" -> {
          // the last five change no score
        }
        default -> throw new InputException("field [" + name + "]: the option [" + option + "] is not covered");
      }
    }
  }

  private static boolean omitNorms(JsonNode definition, boolean defaultValue) {
    if (definition.path("norms").has("enabled")) {
      return !Json.bool(definition.get("norms").get("enabled"));
    }
    return definition.has("omit_norms") ? Json.bool(definition.get("omit_norms")) : defaultValue;
  }

  private IndexOptions indexOptions(String value) {
    return switch (value) {
      case "docs" -> IndexOptions.DOCS_ONLY;
      case "freqs" -> IndexOptions.DOCS_AND_FREQS;
      case "positions" -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
      case "offsets" -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS;
      default -> throw new InputException("field [" + name + "]: bad index_options [" + value + "]");
    };
  }

  private Analyzer analyzer(String analyzer) {
    return analyzer == null ? KEYWORD : mapping.analysis.analyzer(analyzer);
  }

  @Override
  void add(JsonNode value, Document document) {
    if (value.isContainerNode()) {
      throw new IllegalArgumentException("a string value cannot be an object");
    }
    String text = value.isNull() ? nullValue : value.asText();
    if (text == null || ignoreAbove > 0 && text.length() > ignoreAbove || !fieldType.indexed()) {
      return;
    }
    Field field = new Field(name, text, fieldType);
    if (boost != 1) {
      field.setBoost(boost);
    }
    document.add(field);
  }

  @Override
  Analyzer indexAnalyzer() {
    return indexAnalyzer;
  }

  @Override
  Analyzer searchAnalyzer() {
    return searchAnalyzer;
  }

  @Override
  int positionGap() {
    return positionGap;
  }
}
