package search;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expressions and {@code *} patterns in settings and requests. */
final class Patterns {
  static final Pattern NON_WORD = Pattern.compile("\\W+");

  private Patterns() {
  }

  /** Compiles a pattern with flags written as {@code CASE_INSENSITIVE|COMMENTS}. */
  static Pattern compile(String regex, String flags) {
    int bits = 0;
    for (String flag : flags == null ? new String[0] : flags.toUpperCase(Locale.ROOT).split("\\|")) {
      bits |= switch (flag) {
        case "" -> 0;
        case "CASE_INSENSITIVE" -> Pattern.CASE_INSENSITIVE;
        case "MULTILINE" -> Pattern.MULTILINE;
        case "DOTALL" -> Pattern.DOTALL;
        case "UNICODE_CASE" -> Pattern.UNICODE_CASE;
        case "CANON_EQ" -> Pattern.CANON_EQ;
        case "UNIX_LINES" -> Pattern.UNIX_LINES;
        case "LITERAL" -> Pattern.LITERAL;
        case "COMMENTS" -> Pattern.COMMENTS;
        case "UNICODE_CHAR_CLASS" -> Pattern.UNICODE_CHARACTER_CLASS;
        default -> throw new InputException("unknown regex flag [" + flag + "]");
      };
    }
    try {
      return Pattern.compile(regex, bits);
    } catch (PatternSyntaxException e) {
      throw new InputException("bad regular expression [" + regex + "]: " + e.getDescription(), e);
    }
  }

  static boolean isWildcard(String name) {
    return name.indexOf('*') >= 0;
  }

  /** The matcher of a field-name pattern, where {@code *} stands for any characters. */
  static Pattern wildcard(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (String part : pattern.split("\\*", -1)) {
      regex.append(regex.length() == 0 ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
