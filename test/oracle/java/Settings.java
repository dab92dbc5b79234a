import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.util.CharArraySet;

/** The settings of one part of an analyzer: a name alone, or an object with `type`. */
final class Settings {
  private static final Pattern RULE = Pattern.compile("(.*)\\s*=>\\s*(.*)\\s*$");

  final String type;
  private final Map<String, Object> values;

  private Settings(String type, Map<String, Object> values) {
    this.type = type;
    this.values = values;
  }

  static Settings of(Object part) {
    if (part instanceof String name) return new Settings(name, Map.of());
    Map<String, Object> values = Json.object(part);
    return new Settings((String) values.get("type"), values);
  }

  Object get(String key) {
    return values.get(key);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  String text(String key, String otherwise) {
    return has(key) ? String.valueOf(get(key)) : otherwise;
  }

  char character(String key, char otherwise) {
    return has(key) ? ((String) get(key)).charAt(0) : otherwise;
  }

  int number(String key, int otherwise) {
    return has(key) ? ((Number) get(key)).intValue() : otherwise;
  }

  boolean flag(String key, boolean otherwise) {
    return has(key) ? (Boolean) get(key) : otherwise;
  }

  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    if (has(key)) for (Object each : Json.list(get(key))) texts.add(((String) each).trim());
    return texts;
  }

  /** Words, and the stop words of the languages that stand as `_language_` among them. */
  CharArraySet words(String key, CharArraySet otherwise) {
    if (!has(key)) return otherwise;
    boolean ignoreCase = flag("ignore_case", false);
    CharArraySet words = new CharArraySet(16, ignoreCase);
    for (String word : texts(key)) {
      if (word.matches("_\\w+_")) words.addAll(Analyzers.stopWords(word.substring(1, word.length() - 1)));
      else words.add(word);
    }
    return words;
  }

  Pattern pattern(String otherwise) {
    return compiled(text("pattern", otherwise));
  }

  private Pattern compiled(String expression) {
    int flags = 0;
    for (String flag : text("flags", "").split("\\|"))
      flags |=
          switch (flag) {
            case "" -> 0;
            case "CASE_INSENSITIVE" -> Pattern.CASE_INSENSITIVE;
            case "MULTILINE" -> Pattern.MULTILINE;
            case "DOTALL" -> Pattern.DOTALL;
            case "UNICODE_CASE" -> Pattern.UNICODE_CASE;
            case "CANON_EQ" -> Pattern.CANON_EQ;
            case "UNIX_LINES" -> Pattern.UNIX_LINES;
            case "LITERAL" -> Pattern.LITERAL;
            case "COMMENTS" -> Pattern.COMMENTS;
            default -> throw new IllegalArgumentException("no flag " + flag);
          };
    return Pattern.compile(expression, flags);
  }

  /** The two sides of rules such as `a => b`, their escapes resolved. */
  List<String[]> rules(String key) {
    List<String[]> rules = new ArrayList<>();
    for (String rule : texts(key)) {
      Matcher sides = RULE.matcher(rule);
      if (!sides.find()) throw new IllegalArgumentException("no rule: " + rule);
      rules.add(new String[] {unescaped(sides.group(1).trim()), unescaped(sides.group(2).trim())});
    }
    return rules;
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        if (c == 'u') {
          c = (char) Integer.parseInt(text.substring(i + 1, i + 5), 16);
          i += 4;
        } else {
          int known = "ntrbf".indexOf(c);
          if (known >= 0) c = "\n\t\r\b\f".charAt(known);
        }
      }
      out.append(c);
    }
    return out.toString();
  }
}
