package search;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.ckb.SoraniNormalizationFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.core.LowerCaseFilter;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.StopFilter;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.de.GermanStemFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.fa.PersianNormalizationFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.fr.FrenchStemFilter;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.in.IndicNormalizationFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianNormalizationFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.nl.DutchStemFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.ClassicFilter;
import org.apache.lucene.analysis.standard.StandardFilter;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.synonym.WordnetSynonymParser;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.CharArraySet;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.apache.lucene.search.suggest.analyzing.SuggestStopFilter;
import org.apache.lucene.util.Version;

/** Token filters by type. */
@SuppressWarnings("deprecation") // the Version constructors are the ones Elasticsearch 1.7 calls
final class TokenFilters {
  private static final Version VERSION = Analysis.VERSION;

  private TokenFilters() {
  }

  static TokenStream lowercase(TokenStream in) {
    return new LowerCaseFilter(VERSION, in);
  }

  static TokenStream stop(TokenStream in, CharArraySet words) {
    return new StopFilter(VERSION, in, words);
  }

  /** A filter used by its bare name; a few then differ from an empty definition of that type. */
  static UnaryOperator<TokenStream> named(String name) {
    return switch (Analysis.canonical(name)) {
      case "truncate" -> in -> new TruncateTokenFilter(in, 10);
      case "elision" -> in -> new ElisionFilter(in, FrenchAnalyzer.DEFAULT_ARTICLES);
      case "commongrams" -> in -> new CommonGramsFilter(VERSION, in, CharArraySet.EMPTY_SET);
      case "keywordrepeat" -> KeywordRepeatFilter::new;
      default -> create(name, Settings.EMPTY, null);
    };
  }

  static UnaryOperator<TokenStream> create(Settings settings, Analysis analysis) {
    return create(settings.required("type"), settings, analysis);
  }

  private static UnaryOperator<TokenStream> create(String type, Settings settings, Analysis analysis) {
    switch (Analysis.canonical(type)) {
      case "standard":
        return in -> new StandardFilter(VERSION, in);
      case "classic":
        return ClassicFilter::new;
      case "apostrophe":
        return ApostropheFilter::new;
      case "lowercase":
        return lowercase(settings.get("language"));
      case "uppercase":
        return in -> new UpperCaseFilter(VERSION, in);
      case "trim":
        return in -> new TrimFilter(VERSION, in);
      case "reverse":
        return in -> new ReverseStringFilter(VERSION, in);
      case "asciifolding":
        boolean preserveAccents = settings.getBoolean("preserve_original", false);
        return in -> new ASCIIFoldingFilter(in, preserveAccents);
      case "stop":
        return stop(settings);
      case "length":
        int least = settings.getInt("min", 0);
        int most = settings.getInt("max", Integer.MAX_VALUE);
        return in -> new LengthFilter(VERSION, in, least, most);
      case "limit":
        int count = settings.getInt("max_token_count", 1);
        boolean consumeAll = settings.getBoolean("consume_all_tokens", false);
        return in -> new LimitTokenCountFilter(in, count, consumeAll);
      case "truncate":
        int length = settings.getInt("length", -1);
        if (length <= 0) {
          throw new InputException("[" + settings.name + "] length parameter must be provided");
        }
        return in -> new TruncateTokenFilter(in, length);
      case "unique":
        boolean samePosition = settings.getBoolean("only_on_same_position", false);
        return in -> new UniqueFilter(in, samePosition);
      case "ngram":
        return ngram(settings);
      case "edgengram":
        return edgeNgram(settings);
      case "shingle":
        return shingle(settings);
      case "synonym":
        return synonym(settings, analysis);
      case "worddelimiter":
        return wordDelimiter(settings);
      case "elision":
        CharArraySet articles = words(settings, "articles", "articles_case");
        return in -> new ElisionFilter(in, articles);
      case "keywordmarker":
        CharArraySet keywords = words(settings, "keywords", "ignore_case");
        return in -> new SetKeywordMarkerFilter(in, keywords);
      case "keep":
        CharArraySet kept = words(settings, "keep_words", "keep_words_case");
        return in -> new KeepWordFilter(VERSION, in, kept);
      case "keeptypes":
        Set<String> types = new HashSet<>(settings.requiredList("types"));
        return in -> new TypeTokenFilter(VERSION, in, types, true);
      case "patternreplace":
        Pattern pattern = Patterns.compile(settings.required("pattern"), settings.get("flags"));
        String replacement = settings.get("replacement", "");
        boolean all = settings.getBoolean("all", true);
        return in -> new PatternReplaceFilter(in, pattern, replacement, all);
      case "patterncapture":
        Pattern[] patterns = settings.requiredList("patterns").stream()
            .map(regex -> Patterns.compile(regex, null)).toArray(Pattern[]::new);
        boolean preserveOriginal = settings.getBoolean("preserve_original", true);
        return in -> new PatternCaptureGroupTokenFilter(in, preserveOriginal, patterns);
      case "commongrams":
        return commonGrams(settings);
      case "stemmeroverride":
        return stemmerOverride(settings);
      case "cjkbigram":
        return cjkBigram(settings);
      case "cjkwidth":
        return CJKWidthFilter::new;

      case "porterstem":
        return PorterStemFilter::new;
      case "kstem":
        return KStemFilter::new;
      case "stemmer":
        return Stemmers.create(settings.get("language", settings.get("name", "porter")));
      case "snowball":
        String language = Stemmers.capitalize(settings.get("language", settings.get("name", "English")));
        return in -> new SnowballFilter(in, language);
      case "arabicstem":
        return ArabicStemFilter::new;
      case "brazilianstem":
        return excluding(settings, BrazilianStemFilter::new);
      case "czechstem":
        return CzechStemFilter::new;
      case "dutchstem":
        return excluding(settings, DutchStemFilter::new);
      case "frenchstem":
        return excluding(settings, FrenchStemFilter::new);
      case "germanstem":
        return excluding(settings, GermanStemFilter::new);
      case "russianstem":
        return in -> new SnowballFilter(in, "Russian");

      case "arabicnormalization":
        return ArabicNormalizationFilter::new;
      case "germannormalization":
        return GermanNormalizationFilter::new;
      case "hindinormalization":
        return HindiNormalizationFilter::new;
      case "indicnormalization":
        return IndicNormalizationFilter::new;
      case "persiannormalization":
        return PersianNormalizationFilter::new;
      case "scandinaviannormalization":
        return ScandinavianNormalizationFilter::new;
      case "scandinavianfolding":
        return ScandinavianFoldingFilter::new;
      case "soraninormalization":
        return SoraniNormalizationFilter::new;
      default:
        throw new InputException("unknown token filter [" + type + "]");
    }
  }

  private static CharArraySet words(Settings settings, String list, String ignoreCase) {
    return Words.set(settings.requiredList(list), settings.getBoolean(ignoreCase, false));
  }

  private static UnaryOperator<TokenStream> lowercase(String language) {
    return switch (language == null ? "" : language.toLowerCase(Locale.ROOT)) {
      case "" -> TokenFilters::lowercase;
      case "greek" -> in -> new GreekLowerCaseFilter(VERSION, in);
      case "irish" -> IrishLowerCaseFilter::new;
      case "turkish" -> TurkishLowerCaseFilter::new;
      default -> throw new InputException("language [" + language + "] not supported for lower case");
    };
  }

  private static UnaryOperator<TokenStream> stop(Settings settings) {
    boolean ignoreCase = settings.getBoolean("ignore_case", false);
    CharArraySet words = Words.stopWords(settings, StopAnalyzer.ENGLISH_STOP_WORDS_SET, ignoreCase);
    return settings.getBoolean("remove_trailing", true)
        ? in -> stop(in, words)
        : in -> new SuggestStopFilter(in, words);
  }

  private static UnaryOperator<TokenStream> ngram(Settings settings) {
    int min = settings.getInt("min_gram", NGramTokenFilter.DEFAULT_MIN_NGRAM_SIZE);
    int max = settings.getInt("max_gram", NGramTokenFilter.DEFAULT_MAX_NGRAM_SIZE);
    return in -> new NGramTokenFilter(VERSION, in, min, max);
  }

  private static UnaryOperator<TokenStream> edgeNgram(Settings settings) {
    int min = settings.getInt("min_gram", NGramTokenFilter.DEFAULT_MIN_NGRAM_SIZE);
    int max = settings.getInt("max_gram", NGramTokenFilter.DEFAULT_MAX_NGRAM_SIZE);
    UnaryOperator<TokenStream> grams = in -> new EdgeNGramTokenFilter(VERSION, in, min, max);
    if (!"back".equals(settings.get("side"))) {
      return grams;
    }
    UnaryOperator<TokenStream> reverse = in -> new ReverseStringFilter(VERSION, in);
    return in -> reverse.apply(grams.apply(reverse.apply(in)));
  }

  private static UnaryOperator<TokenStream> shingle(Settings settings) {
    int min = settings.getInt("min_shingle_size", ShingleFilter.DEFAULT_MIN_SHINGLE_SIZE);
    int max = settings.getInt("max_shingle_size", ShingleFilter.DEFAULT_MAX_SHINGLE_SIZE);
    boolean unigrams = settings.getBoolean("output_unigrams", true);
    boolean unigramsIfNoShingles = settings.getBoolean("output_unigrams_if_no_shingles", false);
    String separator = settings.get("token_separator", ShingleFilter.DEFAULT_TOKEN_SEPARATOR);
    String filler = settings.get("filler_token", ShingleFilter.DEFAULT_FILLER_TOKEN);
    return in -> {
      ShingleFilter filter = new ShingleFilter(in, min, max);
      filter.setOutputUnigrams(unigrams);
      filter.setOutputUnigramsIfNoShingles(unigramsIfNoShingles);
      filter.setTokenSeparator(separator);
      filter.setFillerToken(filler);
      return filter;
    };
  }

  private static UnaryOperator<TokenStream> synonym(Settings settings, Analysis analysis) {
    List<String> rules = settings.requiredList("synonyms");
    boolean ignoreCase = settings.getBoolean("ignore_case", false);
    boolean expand = settings.getBoolean("expand", true);
    Function<Reader, Tokenizer> tokenizer = analysis.tokenizer(settings.get("tokenizer", "whitespace"), settings);
    Analyzer ruleAnalyzer = new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field, Reader reader) {
        Tokenizer source = tokenizer.apply(reader);
        return new TokenStreamComponents(source, ignoreCase ? lowercase(source) : source);
      }
    };
    SynonymMap map;
    try {
      SynonymMap.Parser parser = "wordnet".equalsIgnoreCase(settings.get("format"))
          ? new WordnetSynonymParser(true, expand, ruleAnalyzer)
          : new SolrSynonymParser(true, expand, ruleAnalyzer);
      parser.parse(new StringReader(String.join("\n", rules) + "\n"));
      map = parser.build();
    } catch (IOException | ParseException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new InputException("[" + settings.name + "] " + e.getMessage() + ": " + cause.getMessage(), e);
    }
    return map.fst == null ? in -> in : in -> new SynonymFilter(in, map, ignoreCase);
  }

  private static UnaryOperator<TokenStream> wordDelimiter(Settings settings) {
    int flags = flag(settings, "generate_word_parts", true, WordDelimiterFilter.GENERATE_WORD_PARTS)
        | flag(settings, "generate_number_parts", true, WordDelimiterFilter.GENERATE_NUMBER_PARTS)
        | flag(settings, "catenate_words", false, WordDelimiterFilter.CATENATE_WORDS)
        | flag(settings, "catenate_numbers", false, WordDelimiterFilter.CATENATE_NUMBERS)
        | flag(settings, "catenate_all", false, WordDelimiterFilter.CATENATE_ALL)
        | flag(settings, "split_on_case_change", true, WordDelimiterFilter.SPLIT_ON_CASE_CHANGE)
        | flag(settings, "preserve_original", false, WordDelimiterFilter.PRESERVE_ORIGINAL)
        | flag(settings, "split_on_numerics", true, WordDelimiterFilter.SPLIT_ON_NUMERICS)
        | flag(settings, "stem_english_possessive", true, WordDelimiterFilter.STEM_ENGLISH_POSSESSIVE);
    List<String> protectedList = settings.list("protected_words");
    CharArraySet protectedWords = protectedList == null
        ? null : Words.set(protectedList, settings.getBoolean("protected_words_case", false));
    List<String> rules = settings.list("type_table");
    byte[] table = rules == null ? WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE : typeTable(rules);
    return in -> new WordDelimiterFilter(VERSION, in, table, flags, protectedWords);
  }

  private static int flag(Settings settings, String key, boolean defaultValue, int flag) {
    return settings.getBoolean(key, defaultValue) ? flag : 0;
  }

  /** The character classes of word_delimiter, from rules such as {@code "$ => DIGIT"}. */
  private static byte[] typeTable(List<String> rules) {
    TreeMap<Character, Byte> types = new TreeMap<>();
    for (String rule : rules) {
      String[] sides = rule.split("=>", -1);
      String key = sides.length == 2 ? CharFilters.unescape(sides[0].trim()) : "";
      if (key.length() != 1) {
        throw new InputException("invalid type_table rule [" + rule + "]");
      }
      types.put(key.charAt(0), switch (sides[1].trim()) {
        case "LOWER" -> (byte) WordDelimiterFilter.LOWER;
        case "UPPER" -> (byte) WordDelimiterFilter.UPPER;
        case "ALPHA" -> (byte) WordDelimiterFilter.ALPHA;
        case "DIGIT" -> (byte) WordDelimiterFilter.DIGIT;
        case "ALPHANUM" -> (byte) WordDelimiterFilter.ALPHANUM;
        case "SUBWORD_DELIM" -> (byte) WordDelimiterFilter.SUBWORD_DELIM;
        default -> throw new InputException("invalid type_table rule [" + rule + "]");
      });
    }
    byte[] table = new byte[Math.max(types.lastKey() + 1, WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE.length)];
    for (int i = 0; i < table.length; i++) {
      table[i] = WordDelimiterIterator.getType(i);
    }
    types.forEach((c, value) -> table[c] = value);
    return table;
  }

  private static UnaryOperator<TokenStream> commonGrams(Settings settings) {
    CharArraySet words = Words.named(settings, "common_words", null, settings.getBoolean("ignore_case", false));
    if (words == null) {
      throw new InputException("[" + settings.name + "] requires [common_words]");
    }
    return settings.getBoolean("query_mode", false)
        ? in -> new CommonGramsQueryFilter(new CommonGramsFilter(VERSION, in, words))
        : in -> new CommonGramsFilter(VERSION, in, words);
  }

  private static UnaryOperator<TokenStream> stemmerOverride(Settings settings) {
    StemmerOverrideFilter.Builder builder = new StemmerOverrideFilter.Builder(false);
    for (String rule : settings.requiredList("rules")) {
      String[] sides = rule.split("=>", -1);
      if (sides.length != 2 || sides[0].isBlank() || sides[1].isBlank()) {
        throw new InputException("invalid stemmer override rule [" + rule + "]");
      }
      builder.add(sides[0].trim(), sides[1].trim());
    }
    try {
      StemmerOverrideFilter.StemmerOverrideMap map = builder.build();
      return in -> new StemmerOverrideFilter(in, map);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static UnaryOperator<TokenStream> cjkBigram(Settings settings) {
    List<String> ignored = settings.list("ignored_scripts");
    Set<String> off = ignored == null ? Set.of() : Set.copyOf(ignored);
    int scripts = (off.contains("han") ? 0 : CJKBigramFilter.HAN)
        | (off.contains("hiragana") ? 0 : CJKBigramFilter.HIRAGANA)
        | (off.contains("katakana") ? 0 : CJKBigramFilter.KATAKANA)
        | (off.contains("hangul") ? 0 : CJKBigramFilter.HANGUL);
    boolean unigrams = settings.getBoolean("output_unigrams", false);
    return in -> new CJKBigramFilter(in, scripts, unigrams);
  }

  /** A stemmer that leaves the words of {@code stem_exclusion} alone. */
  private static UnaryOperator<TokenStream> excluding(Settings settings, UnaryOperator<TokenStream> stemmer) {
    CharArraySet exclusion = Words.stemExclusion(settings);
    return in -> stemmer.apply(new SetKeywordMarkerFilter(in, exclusion));
  }
}
