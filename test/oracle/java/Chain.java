import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.LowerCaseTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.apache.lucene.analysis.path.ReversePathHierarchyTokenizer;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.standard.ClassicTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.standard.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/** A custom analyzer: char filters, a tokenizer, token filters, with the settings that Elasticsearch 1.7 gives them. */
final class Chain extends Analyzer {
  private final List<Settings> charFilters = new ArrayList<>();
  private final Settings tokenizer;
  private final List<Settings> filters = new ArrayList<>();

  Chain(Map<String, Object> chain) {
    if (chain.containsKey("char_filter"))
      for (Object each : Json.list(chain.get("char_filter"))) charFilters.add(Settings.of(each));
    tokenizer = Settings.of(chain.get("tokenizer"));
    if (chain.containsKey("filter"))
      for (Object each : Json.list(chain.get("filter"))) filters.add(Settings.of(each));
  }

  @Override
  protected Reader initReader(String field, Reader reader) {
    Reader out = reader;
    for (Settings each : charFilters) out = charFilter(each, out);
    return out;
  }

  @Override
  protected TokenStreamComponents createComponents(String field, Reader reader) {
    Tokenizer source = tokenizer(tokenizer, reader);
    TokenStream out = source;
    for (Settings each : filters) out = TokenFilters.filter(each, out);
    return new TokenStreamComponents(source, out);
  }

  private static Reader charFilter(Settings of, Reader in) {
    switch (of.type) {
      case "html_strip":
        return of.has("escaped_tags")
            ? new HTMLStripCharFilter(in, Set.copyOf(of.texts("escaped_tags")))
            : new HTMLStripCharFilter(in);
      case "mapping":
        NormalizeCharMap.Builder map = new NormalizeCharMap.Builder();
        for (String[] rule : of.rules("mappings")) map.add(rule[0], rule[1]);
        return new MappingCharFilter(map.build(), in);
      case "pattern_replace":
        return new PatternReplaceCharFilter(of.pattern(""), of.text("replacement", ""), in);
      default:
        throw new IllegalArgumentException("no char filter " + of.type);
    }
  }

  static Tokenizer tokenizer(Settings of, Reader in) {
    switch (of.type) {
      case "standard":
        StandardTokenizer standard = new StandardTokenizer(in);
        standard.setMaxTokenLength(of.number("max_token_length", 255));
        return standard;
      case "classic":
        ClassicTokenizer classic = new ClassicTokenizer(in);
        classic.setMaxTokenLength(of.number("max_token_length", 255));
        return classic;
      case "uax_url_email":
        UAX29URLEmailTokenizer uax = new UAX29URLEmailTokenizer(in);
        uax.setMaxTokenLength(of.number("max_token_length", 255));
        return uax;
      case "whitespace":
        return new WhitespaceTokenizer(in);
      case "letter":
        return new LetterTokenizer(in);
      case "lowercase":
        return new LowerCaseTokenizer(in);
      case "keyword":
        return new KeywordTokenizer(in);
      case "pattern":
        return new PatternTokenizer(in, of.pattern("\\W+"), of.number("group", -1));
      case "path_hierarchy":
        char delimiter = of.character("delimiter", '/');
        char replacement = of.character("replacement", delimiter);
        int skip = of.number("skip", 0);
        return of.flag("reverse", false)
            ? new ReversePathHierarchyTokenizer(in, 1024, delimiter, replacement, skip)
            : new PathHierarchyTokenizer(in, 1024, delimiter, replacement, skip);
      case "ngram":
      case "edge_ngram":
        return grams(of, in);
      default:
        throw new IllegalArgumentException("no tokenizer " + of.type);
    }
  }

  private static Tokenizer grams(Settings of, Reader in) {
    int min = of.number("min_gram", 1);
    int max = of.number("max_gram", 2);
    List<String> classes = of.texts("token_chars");
    IntPredicate kept = c -> classes.isEmpty() || classes.stream().anyMatch(name -> isOf(name, c));
    if (of.type.equals("ngram"))
      return new NGramTokenizer(in, min, max) {
        @Override
        protected boolean isTokenChar(int c) {
          return kept.test(c);
        }
      };
    return new EdgeNGramTokenizer(in, min, max) {
      @Override
      protected boolean isTokenChar(int c) {
        return kept.test(c);
      }
    };
  }

  private static boolean isOf(String name, int c) {
    int type = Character.getType(c);
    return switch (name) {
      case "letter" -> Character.isLetter(c);
      case "digit" -> Character.isDigit(c);
      case "whitespace" -> Character.isWhitespace(c);
      case "control" -> type == Character.CONTROL;
      case "punctuation" ->
          switch (type) {
            case Character.START_PUNCTUATION,
                Character.END_PUNCTUATION,
                Character.OTHER_PUNCTUATION,
                Character.CONNECTOR_PUNCTUATION,
                Character.DASH_PUNCTUATION,
                Character.INITIAL_QUOTE_PUNCTUATION,
                Character.FINAL_QUOTE_PUNCTUATION -> true;
            default -> false;
          };
      case "symbol" ->
          switch (type) {
            case Character.CURRENCY_SYMBOL,
                Character.MATH_SYMBOL,
                Character.OTHER_SYMBOL -> true;
            default -> false;
          };
      default -> throw new IllegalArgumentException("no class of characters " + name);
    };
  }

  /** The tokens of a text, each `[token, start, end, type, position]`; positions count from 1. */
  static List<Object> tokens(Analyzer analyzer, String text) throws IOException {
    List<Object> tokens = new ArrayList<>();
    int position = 0;
    try (TokenStream stream = analyzer.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      TypeAttribute type = stream.addAttribute(TypeAttribute.class);
      PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        position += increment.getPositionIncrement();
        tokens.add(
            List.of(term.toString(), offset.startOffset(), offset.endOffset(), type.type(), position));
      }
      stream.end();
    }
    return tokens;
  }
}
