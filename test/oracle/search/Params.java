package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parameters of one query or filter. Each is taken once; {@link #end} rejects the rest. */
final class Params {
  private static final Set<String> IGNORED = Set.of("_name", "_cache", "_cache_key");

  final String owner;
  private final JsonNode object;
  private final Set<String> taken = new HashSet<>();

  Params(String owner, JsonNode object) {
    this.owner = owner;
    if (!object.isObject()) {
      throw fail("malformed: an object is expected, not " + object);
    }
    this.object = object;
  }

  boolean has(String name) {
    return object.hasNonNull(name);
  }

  InputException fail(String message) {
    return new InputException("[" + owner + "] " + message);
  }

  /** The first of these parameters that is given, or null. */
  JsonNode take(String... names) {
    JsonNode result = null;
    for (String name : names) {
      taken.add(name);
      if (result == null) {
        result = object.get(name);
      }
    }
    return result;
  }

  String text(String... names) {
    JsonNode value = take(names);
    if (value != null && value.isContainerNode()) {
      throw fail("[" + names[0] + "] must be a single value, not " + value);
    }
    return Json.text(value);
  }

  String requiredText(String... names) {
    String value = text(names);
    if (value == null) {
      throw fail("requires [" + names[0] + "]");
    }
    return value;
  }

  boolean bool(boolean defaultValue, String... names) {
    JsonNode value = take(names);
    return value == null ? defaultValue : Json.bool(value);
  }

  int integer(int defaultValue, String... names) {
    String value = text(names);
    try {
      return value == null ? defaultValue : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw fail("[" + names[0] + "] must be an integer, not [" + value + "]");
    }
  }

  /** A float; a JSON number is read as a double first, as Elasticsearch's parser does. */
  float number(float defaultValue, String... names) {
    JsonNode value = take(names);
    try {
      if (value == null) {
        return defaultValue;
      }
      return value.isNumber() ? (float) value.doubleValue() : Float.parseFloat(value.asText());
    } catch (NumberFormatException e) {
      throw fail("[" + names[0] + "] must be a number, not " + value);
    }
  }

  float boost() {
    return number(1, "boost");
  }

  /** The one parameter not taken so far: a field name and what goes with it. */
  Map.Entry<String, JsonNode> field() {
    List<Map.Entry<String, JsonNode>> rest = rest();
    if (rest.size() != 1) {
      throw fail(rest.isEmpty() ? "malformed, no field" : "does not support [" + rest.get(1).getKey() + "]");
    }
    taken.add(rest.get(0).getKey());
    return rest.get(0);
  }

  List<Map.Entry<String, JsonNode>> rest() {
    List<Map.Entry<String, JsonNode>> rest = new ArrayList<>();
    object.fields().forEachRemaining(e -> {
      if (!taken.contains(e.getKey()) && !IGNORED.contains(e.getKey())) {
        rest.add(e);
      }
    });
    return rest;
  }

  /** Fails if a parameter was given that nobody took. */
  void end() {
    List<Map.Entry<String, JsonNode>> rest = rest();
    if (!rest.isEmpty()) {
      throw fail("does not support [" + rest.get(0).getKey() + "]");
    }
  }
}
