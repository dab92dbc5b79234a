package search;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.BytesRef;

/** A {@code boolean} field, indexed as T or F. A term query on one is an ordinary, scoring one. */
final class BooleanMapping extends FieldMapping {
  private final JsonNode nullValue;

  BooleanMapping(String name, JsonNode definition, Mapping mapping) {
    super(name, mapping);
    nullValue = definition.get("null_value");
  }

  @Override
  void add(JsonNode value, Document document) {
    JsonNode given = value.isNull() ? nullValue : value;
    if (given != null) {
      document.add(new StringField(name, Json.bool(given) ? "T" : "F", Field.Store.NO));
    }
  }

  @Override
  boolean isExact() {
    return true;
  }

  @Override
  BytesRef indexed(String value) {
    return switch (value) {
      case "", "F", "false", "0", "off", "no" -> new BytesRef("F");
      default -> new BytesRef("T");
    };
  }
}
