import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as Java's own values: Map, List, String, Long, Double, Boolean, null. Keys keep their order. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at != text.length()) throw json.wrong();
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  /** A list; what isn't one is a list of itself. */
  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return value instanceof List ? (List<Object>) value : List.of(value);
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("JSON ends or is wrong at " + at + " of " + text);
  }

  private void space() {
    while (at < text.length() && text.charAt(at) <= ' ') at++;
  }

  private boolean skip(char c) {
    space();
    if (at == text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c) {
    if (!skip(c)) throw wrong();
  }

  private Object value() {
    space();
    if (at == text.length()) throw wrong();
    switch (text.charAt(at)) {
      case '{':
        return map();
      case '[':
        return array();
      case '"':
        return string();
      default:
        return literal();
    }
  }

  private Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    expect('{');
    if (skip('}')) return map;
    do {
      space();
      String key = string();
      expect(':');
      map.put(key, value());
    } while (skip(','));
    expect('}');
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    expect('[');
    if (skip(']')) return list;
    do list.add(value());
    while (skip(','));
    expect(']');
    return list;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    for (;;) {
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = text.charAt(at++);
      if (c == 'u') {
        out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
        at += 4;
      } else {
        int known = "nrtbf".indexOf(c);
        out.append(known < 0 ? c : "\n\r\t\b\f".charAt(known));
      }
    }
  }

  private Object literal() {
    int from = at;
    while (at < text.length() && ",]} \n\t\r".indexOf(text.charAt(at)) < 0) at++;
    String word = text.substring(from, at);
    switch (word) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
      default:
        if (word.matches("-?\\d+")) return Long.valueOf(word);
        return Double.valueOf(word);
    }
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String before = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(before);
        write(entry.getKey(), out);
        out.append(':');
        write(entry.getValue(), out);
        before = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String before = "[";
      for (Object each : list) {
        out.append(before);
        write(each, out);
        before = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String string) {
      quote(string, out);
    } else {
      out.append(value);
    }
  }

  private static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      // Surrogates as well: a lone one has no UTF-8.
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
