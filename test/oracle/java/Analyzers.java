import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PatternAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.util.CharArraySet;
import org.apache.lucene.util.Version;

/** The analyzers that Elasticsearch 1.7 has by name. */
final class Analyzers {
  private Analyzers() {}

  /** The packages of Lucene's analyzers of languages. */
  private static final Map<String, String> PACKAGES = new TreeMap<>();

  static {
    String all =
        "arabic ar armenian hy basque eu brazilian br bulgarian bg catalan ca chinese cn cjk cjk czech cz danish da dutch nl"
            + " english en finnish fi french fr galician gl german de greek el hindi hi hungarian hu indonesian id irish ga"
            + " italian it latvian lv norwegian no persian fa portuguese pt romanian ro russian ru sorani ckb spanish es"
            + " swedish sv thai th turkish tr simple core whitespace core keyword core stop core classic standard";
    String[] words = all.split(" ");
    for (int i = 0; i < words.length; i += 2) PACKAGES.put(words[i], words[i + 1]);
  }

  @SuppressWarnings("deprecation")
  static Analyzer named(String name) {
    return switch (name) {
      case "standard" -> new StandardAnalyzer(CharArraySet.EMPTY_SET);
      case "pattern" ->
          new PatternAnalyzer(
              Version.LUCENE_4_10_4, PatternAnalyzer.NON_WORD_PATTERN, true, CharArraySet.EMPTY_SET);
      case "snowball" ->
          new SnowballAnalyzer(Version.LUCENE_4_10_4, "English", StopAnalyzer.ENGLISH_STOP_WORDS_SET);
      default -> {
        try {
          yield (Analyzer) analyzerClass(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
          throw new IllegalArgumentException("no analyzer " + name, e);
        }
      }
    };
  }

  private static Class<?> analyzerClass(String name) throws ClassNotFoundException {
    String of = PACKAGES.get(name);
    if (of == null) throw new IllegalArgumentException("no analyzer " + name);
    String simple = name.equals("cjk") ? "CJK" : Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return Class.forName("org.apache.lucene.analysis." + of + "." + simple + "Analyzer");
  }

  /** The stop words of a language. */
  static CharArraySet stopWords(String language) {
    if (language.equals("none")) return CharArraySet.EMPTY_SET;
    try {
      return (CharArraySet) analyzerClass(language).getMethod("getDefaultStopSet").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no stop words of " + language, e);
    }
  }
}
