package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexableField;

/** The mapping of one document type, and how a JSON document becomes a Lucene document under it. */
final class Mapping {
  static final String UID = "_uid";
  static final String FIELD_NAMES = "_field_names";

  final String type;
  final Analysis analysis;
  private final String idField;
  private final Map<String, FieldMapping> fields = new LinkedHashMap<>();

  /**
  * @param spec the body of a create-index request ({@code settings} and {@code mappings} with one
  *     type), and next to them an optional {@code id}: the document field that holds the id
  */
  Mapping(JsonNode spec) {
    JsonNode settings = spec.path("settings");
    analysis = new Analysis((settings.has("analysis") ? settings : settings.path("index")).path("analysis"));
    idField = spec.path("id").asText("_id");
    Iterator<Map.Entry<String, JsonNode>> types = spec.path("mappings").fields();
    if (!types.hasNext()) {
      throw new InputException("the spec has no mappings");
    }
    Map.Entry<String, JsonNode> only = types.next();
    if (types.hasNext()) {
      throw new InputException("the spec maps more than one type; only one is covered");
    }
    type = only.getKey();
    only.getValue().path("properties").fields().forEachRemaining(e -> define(e.getKey(), e.getValue()));
  }

  private void define(String name, JsonNode definition) {
    if (definition.path("type").asText("object").equals("object")) {
      if (!definition.has("properties")) {
        throw new InputException("field [" + name + "] has neither a type nor properties");
      }
      definition.get("properties").fields().forEachRemaining(e -> define(name + "." + e.getKey(), e.getValue()));
      return;
    }
    FieldMapping field = FieldMapping.create(name, definition, this);
    fields.put(name, field);
    definition.path("fields").fields().forEachRemaining(e -> {
      FieldMapping sub = FieldMapping.create(name + "." + e.getKey(), e.getValue(), this);
      fields.put(sub.name, sub);
      field.subFields.add(sub);
    });
  }

  Analyzer defaultAnalyzer() {
    return analysis.analyzer("default");
  }

  /** The field of that full name or, failing that, the first whose last name part it is. */
  FieldMapping field(String name) {
    if (name.equals("_id")) {
      return new IdMapping(this);
    }
    FieldMapping exact = fields.get(name);
    if (exact != null) {
      return exact;
    }
    return fields.values().stream().filter(field -> field.name.endsWith("." + name)).findFirst().orElse(null);
  }

  /** The fields a name with {@code *} in it stands for; a plain name stands for itself. */
  List<String> names(String pattern) {
    if (!Patterns.isWildcard(pattern)) {
      return List.of(pattern);
    }
    Pattern matcher = Patterns.wildcard(pattern);
    return fields.keySet().stream()
        .filter(name -> matcher.matcher(name).matches()
            || matcher.matcher(name.substring(name.lastIndexOf('.') + 1)).matches())
        .toList();
  }

  boolean isObject(String name) {
    return fields.keySet().stream().anyMatch(field -> field.startsWith(name + "."))
        && !fields.containsKey(name);
  }

  /** The id a document carries, or null. */
  String id(JsonNode source) {
    return Json.text(source.get(idField));
  }

  String uid(String id) {
    return type + "#" + id;
  }

  Document document(JsonNode source, String id) {
    if (!source.isObject()) {
      throw new InputException("a document must be a JSON object");
    }
    Document document = new Document();
    addObject("", source, document);
    addFieldNames(document);
    document.add(new StringField(UID, uid(id), Field.Store.NO));
    return document;
  }

  private void addObject(String prefix, JsonNode object, Document document) {
    object.fields().forEachRemaining(e -> add(prefix + e.getKey(), e.getValue(), document));
  }

  /** Adds one value; values that no mapping knows are ignored. */
  private void add(String path, JsonNode value, Document document) {
    FieldMapping field = fields.get(path);
    if (field != null && field.takesArrays()) {
      field.addWithSubFields(value, document);
    } else if (value.isArray()) {
      value.forEach(element -> add(path, element, document));
    } else if (field != null) {
      field.addWithSubFields(value, document);
    } else if (value.isObject()) {
      addObject(path + ".", value, document);
    }
  }

  /** Indexes, for exists and missing, which fields the document has, each with the objects around it. */
  private static void addFieldNames(Document document) {
    List<String> names = new ArrayList<>();
    for (IndexableField field : document.getFields()) {
      String name = field.name();
      for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        names.add(name.substring(0, dot));
      }
      names.add(name);
    }
    names.stream().distinct().forEach(name -> document.add(new StringField(FIELD_NAMES, name, Field.Store.NO)));
  }

  /** The analyzer of the index writer: each field's own, with its position gap. */
  Analyzer indexAnalyzer() {
    return new DelegatingAnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String name) {
        FieldMapping field = fields.get(name);
        return field == null ? defaultAnalyzer() : field.indexAnalyzer();
      }

      @Override
      public int getPositionIncrementGap(String name) {
        FieldMapping field = fields.get(name);
        return field != null && field.positionGap() > 0
            ? field.positionGap()
            : super.getPositionIncrementGap(name);
      }
    };
  }
}
