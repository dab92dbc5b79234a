package search;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.ckb.SoraniAnalyzer;
import org.apache.lucene.analysis.cn.ChineseAnalyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PatternAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballAnalyzer;
import org.apache.lucene.analysis.standard.ClassicAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.apache.lucene.analysis.util.CharArraySet;
import org.apache.lucene.util.Version;

/** The analyzers Elasticsearch 1.7 has built in, with and without settings of their own. */
@SuppressWarnings("deprecation") // the Version constructors are the ones Elasticsearch 1.7 calls
final class Analyzers {
  private static final Map<String, Class<? extends Analyzer>> LANGUAGES = new TreeMap<>(Map.ofEntries(
      Map.entry("arabic", ArabicAnalyzer.class),
      Map.entry("armenian", ArmenianAnalyzer.class),
      Map.entry("basque", BasqueAnalyzer.class),
      Map.entry("brazilian", BrazilianAnalyzer.class),
      Map.entry("bulgarian", BulgarianAnalyzer.class),
      Map.entry("catalan", CatalanAnalyzer.class),
      Map.entry("cjk", CJKAnalyzer.class),
      Map.entry("czech", CzechAnalyzer.class),
      Map.entry("danish", DanishAnalyzer.class),
      Map.entry("dutch", DutchAnalyzer.class),
      Map.entry("english", EnglishAnalyzer.class),
      Map.entry("finnish", FinnishAnalyzer.class),
      Map.entry("french", FrenchAnalyzer.class),
      Map.entry("galician", GalicianAnalyzer.class),
      Map.entry("german", GermanAnalyzer.class),
      Map.entry("greek", GreekAnalyzer.class),
      Map.entry("hindi", HindiAnalyzer.class),
      Map.entry("hungarian", HungarianAnalyzer.class),
      Map.entry("indonesian", IndonesianAnalyzer.class),
      Map.entry("irish", IrishAnalyzer.class),
      Map.entry("italian", ItalianAnalyzer.class),
      Map.entry("latvian", LatvianAnalyzer.class),
      Map.entry("norwegian", NorwegianAnalyzer.class),
      Map.entry("persian", PersianAnalyzer.class),
      Map.entry("portuguese", PortugueseAnalyzer.class),
      Map.entry("romanian", RomanianAnalyzer.class),
      Map.entry("russian", RussianAnalyzer.class),
      Map.entry("sorani", SoraniAnalyzer.class),
      Map.entry("spanish", SpanishAnalyzer.class),
      Map.entry("swedish", SwedishAnalyzer.class),
      Map.entry("thai", ThaiAnalyzer.class),
      Map.entry("turkish", TurkishAnalyzer.class)));

  private Analyzers() {
  }

  /** An analyzer used by its bare name. */
  static Analyzer builtIn(String name) {
    Version version = Analysis.VERSION;
    return switch (name) {
      // Lucene's own pattern analyzer, which a configured one does not use
      case "pattern" -> new PatternAnalyzer(version, Patterns.NON_WORD, true, CharArraySet.EMPTY_SET);
      case "classic" -> new ClassicAnalyzer(version);
      default -> configured(name, Settings.EMPTY);
    };
  }

  /** An analyzer of a built-in type, defined in the index settings. */
  static Analyzer configured(String type, Settings settings) {
    Version version = Analysis.VERSION;
    switch (type) {
      case "default":
      case "standard":
        CharArraySet none = CharArraySet.EMPTY_SET;
        StandardAnalyzer standard = new StandardAnalyzer(version, Words.stopWords(settings, none));
        standard.setMaxTokenLength(settings.getInt("max_token_length", standard.getMaxTokenLength()));
        return standard;
      case "simple":
        return new SimpleAnalyzer(version);
      case "whitespace":
        return new WhitespaceAnalyzer(version);
      case "keyword":
        return new KeywordAnalyzer();
      case "stop":
        return new StopAnalyzer(version, Words.stopWords(settings, StopAnalyzer.ENGLISH_STOP_WORDS_SET));
      case "pattern":
        return patternAnalyzer(settings);
      case "snowball":
        String language = settings.get("language", settings.get("name", "English"));
        return new SnowballAnalyzer(version, language, Words.stopWords(settings, snowballStopWords(language)));
      case "chinese":
        return new ChineseAnalyzer();
      default:
        return language(type, settings);
    }
  }

  /** The stop words a name such as {@code _english_} stands for, or null if it is no such name. */
  static CharArraySet stopSet(String name) {
    Class<? extends Analyzer> analyzer =
        name.matches("_[a-z]+_") ? LANGUAGES.get(name.substring(1, name.length() - 1)) : null;
    try {
      return analyzer == null || analyzer == CJKAnalyzer.class ? null : defaultStopSet(analyzer);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CharArraySet defaultStopSet(Class<? extends Analyzer> analyzer) throws ReflectiveOperationException {
    return (CharArraySet) analyzer.getMethod("getDefaultStopSet").invoke(null);
  }

  private static Analyzer language(String name, Settings settings) {
    Class<? extends Analyzer> analyzer = LANGUAGES.get(name);
    if (analyzer == null) {
      throw new InputException("unknown analyzer [" + name + "]");
    }
    try {
      CharArraySet stopWords = Words.stopWords(settings, defaultStopSet(analyzer));
      try {
        return analyzer.getConstructor(Version.class, CharArraySet.class, CharArraySet.class)
            .newInstance(Analysis.VERSION, stopWords, Words.stemExclusion(settings));
      } catch (NoSuchMethodException e) { // cjk, greek, persian, thai: nothing to exclude
        return analyzer.getConstructor(Version.class, CharArraySet.class)
            .newInstance(Analysis.VERSION, stopWords);
      }
    } catch (InvocationTargetException e) {
      throw new InputException("analyzer [" + name + "]: " + e.getCause().getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Analyzer patternAnalyzer(Settings settings) {
    var tokenizer = Tokenizers.create("pattern", settings);
    boolean lowercase = settings.getBoolean("lowercase", true);
    CharArraySet stopWords = Words.stopWords(settings, CharArraySet.EMPTY_SET);
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field, java.io.Reader reader) {
        var source = tokenizer.apply(reader);
        return new TokenStreamComponents(source, TokenFilters.stop(
            lowercase ? TokenFilters.lowercase(source) : source, stopWords));
      }
    };
  }

  private static CharArraySet snowballStopWords(String language) {
    return switch (language) {
      case "English" -> StopAnalyzer.ENGLISH_STOP_WORDS_SET;
      case "Dutch" -> DutchAnalyzer.getDefaultStopSet();
      case "German", "German2" -> GermanAnalyzer.getDefaultStopSet();
      case "French" -> FrenchAnalyzer.getDefaultStopSet();
      default -> CharArraySet.EMPTY_SET;
    };
  }
}
