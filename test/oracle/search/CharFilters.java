package search;

import java.io.Reader;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;

/** Char filters by type. */
final class CharFilters {
  private static final Pattern RULE = Pattern.compile("(.*)\\s*=>\\s*(.*)\\s*$");

  private CharFilters() {
  }

  static UnaryOperator<Reader> named(String name) {
    return create(name, Settings.EMPTY);
  }

  static UnaryOperator<Reader> create(Settings settings) {
    return create(settings.required("type"), settings);
  }

  private static UnaryOperator<Reader> create(String type, Settings settings) {
    switch (Analysis.canonical(type)) {
      case "htmlstrip":
        List<String> escaped = settings.list("escaped_tags");
        Set<String> escapedTags = escaped == null ? null : Set.copyOf(escaped);
        return in -> new HTMLStripCharFilter(in, escapedTags);
      case "patternreplace":
        Pattern pattern = Patterns.compile(settings.required("pattern"), null);
        String replacement = settings.get("replacement", "");
        return in -> new PatternReplaceCharFilter(pattern, replacement, in);
      case "mapping":
        NormalizeCharMap map = charMap(settings.requiredList("mappings"));
        return in -> new MappingCharFilter(map, in);
      default:
        throw new InputException("unknown char filter [" + type + "]");
    }
  }

  private static NormalizeCharMap charMap(List<String> rules) {
    NormalizeCharMap.Builder builder = new NormalizeCharMap.Builder();
    for (String rule : rules) {
      Matcher matcher = RULE.matcher(rule);
      if (!matcher.find()) {
        throw new InputException("invalid mapping rule [" + rule + "]");
      }
      try {
        builder.add(unescape(matcher.group(1).trim()), unescape(matcher.group(2).trim()));
      } catch (IllegalArgumentException e) {
        throw InputException.at("mapping rule [" + rule + "]", e);
      }
    }
    return builder.build();
  }

  /** Resolves backslash escapes, among them four-digit {@code \}{@code uXXXX}. */
  static String unescape(String text) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        if (++i == text.length()) {
          throw new InputException("invalid escape in [" + text + "]");
        }
        c = text.charAt(i);
        switch (c) {
          case 'n' -> c = '\n';
          case 't' -> c = '\t';
          case 'r' -> c = '\r';
          case 'b' -> c = '\b';
          case 'f' -> c = '\f';
          case 'u' -> {
            if (i + 4 >= text.length()) {
              throw new InputException("invalid escape in [" + text + "]");
            }
            c = (char) Integer.parseInt(text.substring(i + 1, i + 5), 16);
            i += 4;
          }
          default -> {
            // any other character stands for itself
          }
        }
      }
      result.append(c);
    }
    return result.toString();
  }
}
