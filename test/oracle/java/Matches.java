import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Java's own regular expressions find. */
final class Matches {
  private Matches() {}

  /**
   * `[pattern, text, whether all of the text matches, what is found one after the other]`; of each match the start and end of the whole
   * and of each group, -1 for a group that took no part.
   */
  static List<Object> answer(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    boolean whole = matcher.matches();
    List<Object> found = new ArrayList<>();
    matcher.reset();
    while (matcher.find()) {
      List<Object> groups = new ArrayList<>();
      for (int i = 0; i <= matcher.groupCount(); i++) {
        groups.add(matcher.start(i));
        groups.add(matcher.end(i));
      }
      found.add(groups);
    }
    return List.of(pattern, text, whole, found);
  }
}
