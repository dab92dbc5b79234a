package search;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.analysis.util.CharArraySet;

/** Word lists in settings: inline words, {@code _none_}, or named stop sets such as {@code _english_}. */
@SuppressWarnings("deprecation") // the Version constructors are the ones Elasticsearch 1.7 calls
final class Words {
  private Words() {
  }

  static CharArraySet stopWords(Settings settings, CharArraySet defaults, boolean ignoreCase) {
    return named(settings, "stopwords", defaults, ignoreCase);
  }

  static CharArraySet stopWords(Settings settings, CharArraySet defaults) {
    return stopWords(settings, defaults, settings.getBoolean("stopwords_case", false));
  }

  /** A list whose elements may be names of stop sets. */
  static CharArraySet named(Settings settings, String key, CharArraySet defaults, boolean ignoreCase) {
    String scalar = settings.get(key);
    if ("_none_".equals(scalar)) {
      return CharArraySet.EMPTY_SET;
    }
    Collection<String> words = scalar != null
        ? new TreeSet<>(Arrays.asList(scalar.split(",")))
        : settings.list(key);
    if (words == null) {
      return defaults;
    }
    CharArraySet result = new CharArraySet(Analysis.VERSION, words.size(), ignoreCase);
    for (String word : words) {
      CharArraySet stopSet = Analyzers.stopSet(word);
      if (stopSet != null) {
        result.addAll(stopSet);
      } else {
        result.add(word);
      }
    }
    return result;
  }

  static CharArraySet stemExclusion(Settings settings) {
    if ("_none_".equals(settings.get("stem_exclusion"))) {
      return CharArraySet.EMPTY_SET;
    }
    List<String> words = settings.list("stem_exclusion");
    return words == null ? CharArraySet.EMPTY_SET : set(words, false);
  }

  static CharArraySet set(Collection<String> words, boolean ignoreCase) {
    return new CharArraySet(Analysis.VERSION, words, ignoreCase);
  }
}
