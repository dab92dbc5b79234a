import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.core.LowerCaseFilter;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.StopFilter;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.standard.ClassicFilter;
import org.apache.lucene.analysis.standard.StandardFilter;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.synonym.WordnetSynonymParser;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.CharArraySet;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.apache.lucene.search.suggest.analyzing.SuggestStopFilter;

/** Token filters with the settings and defaults of Elasticsearch 1.7. */
final class TokenFilters {
  private TokenFilters() {}

  static TokenStream filter(Settings of, TokenStream in) {
    return switch (of.type) {
      case "standard" -> new StandardFilter(in);
      case "classic" -> new ClassicFilter(in);
      case "lowercase" -> lowerCase(of, in);
      case "uppercase" -> new UpperCaseFilter(in);
      case "asciifolding" -> new ASCIIFoldingFilter(in, of.flag("preserve_original", false));
      case "reverse" -> new ReverseStringFilter(in);
      case "trim" -> new TrimFilter(in);
      case "truncate" -> new TruncateTokenFilter(in, of.number("length", 10));
      case "apostrophe" -> new ApostropheFilter(in);
      case "porter_stem" -> new PorterStemFilter(in);
      case "keyword_repeat" -> new KeywordRepeatFilter(in);
      case "cjk_width" -> new CJKWidthFilter(in);
      case "german_normalization" -> new GermanNormalizationFilter(in);
      case "arabic_normalization" -> new ArabicNormalizationFilter(in);
      case "length" -> new LengthFilter(in, of.number("min", 0), of.number("max", Integer.MAX_VALUE));
      case "limit" ->
          new LimitTokenCountFilter(in, of.number("max_token_count", 1), of.flag("consume_all_tokens", false));
      case "nGram", "ngram" -> new NGramTokenFilter(in, of.number("min_gram", 1), of.number("max_gram", 2));
      case "edgeNGram", "edge_ngram" -> edgeGrams(of, in);
      case "stop" -> stop(of, in);
      case "elision" -> new ElisionFilter(in, of.words("articles", FrenchAnalyzer.DEFAULT_ARTICLES));
      case "keep" ->
          new KeepWordFilter(
              in, new CharArraySet(of.texts("keep_words"), of.flag("keep_words_case", false)));
      case "keep_types" -> new TypeTokenFilter(in, Set.copyOf(of.texts("types")), true);
      case "unique" -> new Unique(in, of.flag("only_on_same_position", false));
      case "common_grams" -> commonGrams(of, in);
      case "shingle" -> shingles(of, in);
      case "cjk_bigram" -> bigrams(of, in);
      case "pattern_replace" ->
          new PatternReplaceFilter(in, of.pattern(""), of.text("replacement", ""), of.flag("all", true));
      case "pattern_capture" ->
          new PatternCaptureGroupTokenFilter(
              in,
              of.flag("preserve_original", true),
              of.texts("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new));
      case "stemmer_override" -> override(of, in);
      case "word_delimiter" -> delimited(of, in);
      case "synonym" -> synonyms(of, in);
      default -> throw new IllegalArgumentException("no token filter " + of.type);
    };
  }

  private static TokenStream lowerCase(Settings of, TokenStream in) {
    return switch (of.text("language", "")) {
      case "" -> new LowerCaseFilter(in);
      case "turkish" -> new TurkishLowerCaseFilter(in);
      case "greek" -> new GreekLowerCaseFilter(in);
      case "irish" -> new IrishLowerCaseFilter(in);
      default -> throw new IllegalArgumentException("no lower case of " + of.get("language"));
    };
  }

  private static TokenStream edgeGrams(Settings of, TokenStream in) {
    int min = of.number("min_gram", 1);
    int max = of.number("max_gram", 2);
    if (!of.text("side", "front").equals("back")) return new EdgeNGramTokenFilter(in, min, max);
    return new ReverseStringFilter(new EdgeNGramTokenFilter(new ReverseStringFilter(in), min, max));
  }

  private static TokenStream stop(Settings of, TokenStream in) {
    CharArraySet words = of.words("stopwords", StopAnalyzer.ENGLISH_STOP_WORDS_SET);
    return of.flag("remove_trailing", true) ? new StopFilter(in, words) : new SuggestStopFilter(in, words);
  }

  private static TokenStream commonGrams(Settings of, TokenStream in) {
    CommonGramsFilter grams = new CommonGramsFilter(in, of.words("common_words", CharArraySet.EMPTY_SET));
    return of.flag("query_mode", false) ? new CommonGramsQueryFilter(grams) : grams;
  }

  private static TokenStream shingles(Settings of, TokenStream in) {
    ShingleFilter shingles =
        new ShingleFilter(in, of.number("min_shingle_size", 2), of.number("max_shingle_size", 2));
    shingles.setOutputUnigrams(of.flag("output_unigrams", true));
    shingles.setOutputUnigramsIfNoShingles(of.flag("output_unigrams_if_no_shingles", false));
    shingles.setTokenSeparator(of.text("token_separator", " "));
    shingles.setFillerToken(of.text("filler_token", "_"));
    return shingles;
  }

  private static TokenStream bigrams(Settings of, TokenStream in) {
    int scripts = 0;
    Map<String, Integer> all =
        Map.of(
            "han", CJKBigramFilter.HAN,
            "hiragana", CJKBigramFilter.HIRAGANA,
            "katakana", CJKBigramFilter.KATAKANA,
            "hangul", CJKBigramFilter.HANGUL);
    for (Map.Entry<String, Integer> script : all.entrySet())
      if (!of.texts("ignored_scripts").contains(script.getKey())) scripts |= script.getValue();
    return new CJKBigramFilter(in, scripts, of.flag("output_unigrams", false));
  }

  private static TokenStream override(Settings of, TokenStream in) {
    StemmerOverrideFilter.Builder rules = new StemmerOverrideFilter.Builder(false);
    for (String rule : of.texts("rules")) {
      String[] sides = rule.split("=>");
      rules.add(sides[0].trim(), sides[1].trim());
    }
    try {
      return new StemmerOverrideFilter(in, rules.build());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TokenStream delimited(Settings of, TokenStream in) {
    int flags = 0;
    if (of.flag("generate_word_parts", true)) flags |= WordDelimiterFilter.GENERATE_WORD_PARTS;
    if (of.flag("generate_number_parts", true)) flags |= WordDelimiterFilter.GENERATE_NUMBER_PARTS;
    if (of.flag("catenate_words", false)) flags |= WordDelimiterFilter.CATENATE_WORDS;
    if (of.flag("catenate_numbers", false)) flags |= WordDelimiterFilter.CATENATE_NUMBERS;
    if (of.flag("catenate_all", false)) flags |= WordDelimiterFilter.CATENATE_ALL;
    if (of.flag("preserve_original", false)) flags |= WordDelimiterFilter.PRESERVE_ORIGINAL;
    if (of.flag("split_on_case_change", true)) flags |= WordDelimiterFilter.SPLIT_ON_CASE_CHANGE;
    if (of.flag("split_on_numerics", true)) flags |= WordDelimiterFilter.SPLIT_ON_NUMERICS;
    if (of.flag("stem_english_possessive", true)) flags |= WordDelimiterFilter.STEM_ENGLISH_POSSESSIVE;
    CharArraySet kept = of.has("protected_words") ? of.words("protected_words", null) : null;
    if (!of.has("type_table")) return new WordDelimiterFilter(in, flags, kept);
    return new WordDelimiterFilter(in, charTypes(of), flags, kept);
  }

  /** The types of characters: what the settings name, and Lucene's own. */
  private static byte[] charTypes(Settings of) {
    Map<String, Integer> types =
        Map.of("LOWER", 1, "UPPER", 2, "ALPHA", 3, "DIGIT", 4, "ALPHANUM", 7, "SUBWORD_DELIM", 8);
    TreeMap<Character, Integer> named = new TreeMap<>();
    for (String[] rule : of.rules("type_table")) named.put(rule[0].charAt(0), types.get(rule[1]));
    byte[] table = new byte[Math.max(256, named.lastKey() + 1)];
    for (int c = 0; c < table.length; c++) table[c] = WordDelimiterIterator.getType(c);
    named.forEach((c, type) -> table[c] = type.byteValue());
    return table;
  }

  private static TokenStream synonyms(Settings of, TokenStream in) {
    boolean ignoreCase = of.flag("ignore_case", false);
    boolean expand = of.flag("expand", true);
    Settings tokenizer = Settings.of(of.text("tokenizer", "whitespace"));
    Analyzer analyzer =
        new Analyzer() {
          @Override
          protected TokenStreamComponents createComponents(String field, Reader reader) {
            Tokenizer source = Chain.tokenizer(tokenizer, reader);
            return new TokenStreamComponents(source, ignoreCase ? new LowerCaseFilter(source) : source);
          }
        };
    SynonymMap.Parser parser =
        of.text("format", "").equals("wordnet")
            ? new WordnetSynonymParser(true, expand, analyzer)
            : new SolrSynonymParser(true, expand, analyzer);
    try {
      parser.parse(new StringReader(String.join("\n", of.texts("synonyms")) + "\n"));
      SynonymMap map = parser.build();
      return map.fst == null ? in : new SynonymFilter(in, map, ignoreCase);
    } catch (IOException | java.text.ParseException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Leaves out tokens that were there before: anywhere, or at the same position. */
  private static final class Unique extends TokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
    private final CharArraySet seen = new CharArraySet(8, false);
    private final boolean samePosition;

    Unique(TokenStream in, boolean samePosition) {
      super(in);
      this.samePosition = samePosition;
    }

    @Override
    public boolean incrementToken() throws IOException {
      while (input.incrementToken()) {
        if (samePosition && increment.getPositionIncrement() > 0) seen.clear();
        if (seen.add(Arrays.copyOf(term.buffer(), term.length()))) return true;
      }
      return false;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      seen.clear();
    }
  }
}
