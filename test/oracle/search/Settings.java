package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
* The settings of one analysis component, read by the rules of Elasticsearch 1.x, where all
* settings are strings: array elements are trimmed, a scalar where an array is expected is
* split at commas, an empty array counts as absent, and camelCase keys match under_score ones.
*/
final class Settings {
  static final Settings EMPTY = new Settings("", Json.object());

  final String name;
  private final Map<String, JsonNode> values = new HashMap<>();

  Settings(String name, JsonNode object) {
    this.name = name;
    if (!object.isObject()) {
      throw new InputException("[" + name + "] must be a JSON object, not " + object);
    }
    object.fields().forEachRemaining(e -> values.putIfAbsent(underscore(e.getKey()), e.getValue()));
  }

  String get(String key) {
    JsonNode value = values.get(key);
    return value == null || value.isNull() || value.isContainerNode() ? null : value.asText();
  }

  String get(String key, String defaultValue) {
    String value = get(key);
    return value == null ? defaultValue : value;
  }

  int getInt(String key, int defaultValue) {
    String value = get(key);
    try {
      return value == null ? defaultValue : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new InputException("[" + name + "] " + key + " must be an integer, not [" + value + "]");
    }
  }

  boolean getBoolean(String key, boolean defaultValue) {
    String value = get(key);
    return value == null ? defaultValue : switch (value) {
      case "false", "0", "off", "no" -> false;
      default -> true;
    };
  }

  /** The elements of an array setting, or null when there are none. */
  List<String> list(String key) {
    List<String> result = new ArrayList<>();
    String scalar = get(key);
    if (scalar != null) {
      for (String part : scalar.split(",")) {
        if (!part.isEmpty()) {
          result.add(part.trim());
        }
      }
    } else if (values.containsKey(key)) {
      values.get(key).forEach(element -> result.add(element.asText().trim()));
    }
    return result.isEmpty() ? null : result;
  }

  /** As {@link #list}, failing when the setting is absent. */
  List<String> requiredList(String key) {
    if (values.containsKey(key + "_path")) {
      throw new InputException("[" + name + "] " + key + "_path is not covered; give " + key + " inline");
    }
    List<String> result = list(key);
    if (result == null) {
      throw new InputException("[" + name + "] requires [" + key + "]");
    }
    return result;
  }

  String required(String key) {
    String value = get(key);
    if (value == null) {
      throw new InputException("[" + name + "] requires [" + key + "]");
    }
    return value;
  }

  /** A named component (a string) or an inline definition (an object), as written. */
  JsonNode node(String key) {
    return values.get(key);
  }

  private static String underscore(String key) {
    StringBuilder result = new StringBuilder();
    for (char c : key.toCharArray()) {
      if (Character.isUpperCase(c)) {
        if (result.length() > 0) {
          result.append('_');
        }
        result.append(Character.toLowerCase(c));
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }
}
