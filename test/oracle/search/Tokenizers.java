package search;

import java.io.Reader;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.LowerCaseTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.apache.lucene.analysis.path.ReversePathHierarchyTokenizer;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.standard.ClassicTokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.standard.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.th.ThaiTokenizer;
import org.apache.lucene.util.Version;

/** Tokenizers by type. */
@SuppressWarnings("deprecation") // the Version constructors are the ones Elasticsearch 1.7 calls
final class Tokenizers {
  private Tokenizers() {
  }

  static Function<Reader, Tokenizer> named(String name) {
    return create(name, Settings.EMPTY);
  }

  static Function<Reader, Tokenizer> create(Settings settings) {
    return create(settings.required("type"), settings);
  }

  static Function<Reader, Tokenizer> create(String type, Settings settings) {
    Version version = Analysis.VERSION;
    int maxTokenLength = settings.getInt("max_token_length", StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH);
    switch (Analysis.canonical(type)) {
      case "standard":
        return reader -> {
          StandardTokenizer tokenizer = new StandardTokenizer(version, reader);
          tokenizer.setMaxTokenLength(maxTokenLength);
          return tokenizer;
        };
      case "uaxurlemail":
        return reader -> {
          UAX29URLEmailTokenizer tokenizer = new UAX29URLEmailTokenizer(version, reader);
          tokenizer.setMaxTokenLength(maxTokenLength);
          return tokenizer;
        };
      case "classic":
        return reader -> {
          ClassicTokenizer tokenizer = new ClassicTokenizer(version, reader);
          tokenizer.setMaxTokenLength(maxTokenLength);
          return tokenizer;
        };
      case "whitespace":
        return reader -> new WhitespaceTokenizer(version, reader);
      case "letter":
        return reader -> new LetterTokenizer(version, reader);
      case "lowercase":
        return reader -> new LowerCaseTokenizer(version, reader);
      case "keyword":
        int keywordBuffer = settings.getInt("buffer_size", 256);
        return reader -> new KeywordTokenizer(reader, keywordBuffer);
      case "thai":
        return ThaiTokenizer::new;
      case "pattern":
        Pattern pattern = Patterns.compile(settings.get("pattern", "\\W+"), settings.get("flags"));
        int group = settings.getInt("group", -1);
        return reader -> new PatternTokenizer(reader, pattern, group);
      case "pathhierarchy":
        return pathHierarchy(settings);
      case "ngram":
        return ngram(settings);
      case "edgengram":
        return edgeNgram(settings);
      default:
        throw new InputException("unknown tokenizer [" + type + "]");
    }
  }

  private static Function<Reader, Tokenizer> pathHierarchy(Settings settings) {
    int buffer = settings.getInt("buffer_size", 1024);
    int skip = settings.getInt("skip", PathHierarchyTokenizer.DEFAULT_SKIP);
    char delimiter = character(settings, "delimiter", PathHierarchyTokenizer.DEFAULT_DELIMITER);
    char replacement = character(settings, "replacement", delimiter);
    return settings.getBoolean("reverse", false)
        ? reader -> new ReversePathHierarchyTokenizer(reader, buffer, delimiter, replacement, skip)
        : reader -> new PathHierarchyTokenizer(reader, buffer, delimiter, replacement, skip);
  }

  private static char character(Settings settings, String key, char defaultValue) {
    String value = settings.get(key);
    if (value != null && value.length() != 1) {
      throw new InputException("[" + settings.name + "] " + key + " can only be a one char value");
    }
    return value == null ? defaultValue : value.charAt(0);
  }

  private static Function<Reader, Tokenizer> ngram(Settings settings) {
    int min = settings.getInt("min_gram", NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE);
    int max = settings.getInt("max_gram", NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE);
    IntPredicate tokenChars = tokenChars(settings);
    return reader -> new NGramTokenizer(Analysis.VERSION, reader, min, max) {
      @Override
      protected boolean isTokenChar(int c) {
        return tokenChars.test(c);
      }
    };
  }

  private static Function<Reader, Tokenizer> edgeNgram(Settings settings) {
    if ("back".equals(settings.get("side"))) {
      throw new InputException("[" + settings.name + "] side=back is not supported by the edge_ngram tokenizer");
    }
    int min = settings.getInt("min_gram", NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE);
    int max = settings.getInt("max_gram", NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE);
    IntPredicate tokenChars = tokenChars(settings);
    return reader -> new EdgeNGramTokenizer(Analysis.VERSION, reader, min, max) {
      @Override
      protected boolean isTokenChar(int c) {
        return tokenChars.test(c);
      }
    };
  }

  /** The characters that {@code token_chars} lets into a gram; all, when it is absent. */
  private static IntPredicate tokenChars(Settings settings) {
    List<String> classes = settings.list("token_chars");
    if (classes == null) {
      return c -> true;
    }
    return classes.stream()
        .map(name -> characterClass(name.toLowerCase(Locale.ROOT)))
        .reduce(c -> false, IntPredicate::or);
  }

  private static IntPredicate characterClass(String name) {
    switch (name) {
      case "letter":
        return Character::isLetter;
      case "digit":
        return Character::isDigit;
      case "whitespace":
        return Character::isWhitespace;
      case "punctuation":
        return characterClass("start_punctuation").or(characterClass("end_punctuation"))
            .or(characterClass("other_punctuation")).or(characterClass("connector_punctuation"))
            .or(characterClass("dash_punctuation")).or(characterClass("initial_quote_punctuation"))
            .or(characterClass("final_quote_punctuation"));
      case "symbol":
        return characterClass("currency_symbol").or(characterClass("math_symbol"))
            .or(characterClass("other_symbol"));
      default:
        try { // a Unicode general category, by the name of its constant in java.lang.Character
          Field category = Character.class.getField(name.toUpperCase(Locale.ROOT));
          if (category.getType() == byte.class && !name.startsWith("directionality")) {
            byte value = category.getByte(null);
            return c -> Character.getType(c) == value;
          }
        } catch (ReflectiveOperationException e) {
          // reported below
        }
        throw new InputException("unknown token type [" + name + "]");
    }
  }
}
