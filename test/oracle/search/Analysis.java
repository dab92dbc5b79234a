package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.util.Version;

/**
* The analyzers of one index: the built-in ones plus those defined in its {@code analysis}
* settings, put together as Elasticsearch 1.7 does.
*/
final class Analysis {
  static final Version VERSION = Version.LUCENE_4_10_4;

  private final JsonNode settings;
  private final Map<String, Analyzer> analyzers = new HashMap<>();

  /** @param settings the value of {@code settings.analysis}, or any non-object for none */
  Analysis(JsonNode settings) {
    this.settings = settings;
  }

  /** The analyzer of that name; one defined in the settings hides a built-in one. */
  Analyzer analyzer(String name) {
    return analyzers.computeIfAbsent(name, key -> {
      JsonNode definition = definition("analyzer", key);
      return checked(key, definition == null
          ? Analyzers.builtIn(key)
          : fromDefinition(new Settings(key, definition)));
    });
  }

  /** A custom analyzer whose parts are names or inline definitions. */
  Analyzer chain(JsonNode definition) {
    return checked("chain", custom(new Settings("chain", definition)));
  }

  private Analyzer fromDefinition(Settings definition) {
    String type = definition.get("type");
    return type == null || type.equals("custom") ? custom(definition) : Analyzers.configured(type, definition);
  }

  private Analyzer custom(Settings definition) {
    JsonNode tokenizer = definition.node("tokenizer");
    if (tokenizer == null) {
      throw new InputException("[" + definition.name + "] must be configured with a tokenizer");
    }
    List<UnaryOperator<Reader>> charFilters = new ArrayList<>();
    for (JsonNode part : parts(definition.node("char_filter"))) {
      charFilters.add(component("char_filter", part, CharFilters::named, CharFilters::create));
    }
    List<UnaryOperator<TokenStream>> filters = new ArrayList<>();
    for (JsonNode part : parts(definition.node("filter"))) {
      filters.add(component("filter", part, TokenFilters::named, s -> TokenFilters.create(s, this)));
    }
    return new ChainAnalyzer(
        charFilters,
        component("tokenizer", tokenizer, Tokenizers::named, Tokenizers::create),
        filters,
        definition.getInt("position_offset_gap", 0));
  }

  /** The tokenizer of that name, but configured, as the synonym filter does it, from other settings. */
  Function<Reader, Tokenizer> tokenizer(String name, Settings other) {
    JsonNode definition = definition("tokenizer", name);
    return definition == null
        ? Tokenizers.named(name)
        : Tokenizers.create(Json.text(definition.get("type")), other);
  }

  private <T> T component(String kind, JsonNode part, Function<String, T> named, Function<Settings, T> create) {
    if (part.isObject()) {
      return create.apply(new Settings(kind, part));
    }
    String name = part.asText();
    JsonNode definition = definition(kind, name);
    return definition == null ? named.apply(name) : create.apply(new Settings(name, definition));
  }

  private JsonNode definition(String kind, String name) {
    return settings.path(kind).get(name);
  }

  private static Iterable<JsonNode> parts(JsonNode list) {
    if (list == null || list.isNull()) {
      return List.of();
    }
    return list.isArray() ? list : List.of(list);
  }

  /** Lower-cases a component type and drops its underscores, so that nGram, ngram and n_gram are one. */
  static String canonical(String type) {
    return type.toLowerCase(java.util.Locale.ROOT).replace("_", "");
  }

  /** Builds a token stream once, so that a bad definition fails here and not at the first text. */
  private static Analyzer checked(String name, Analyzer analyzer) {
    try (TokenStream stream = analyzer.tokenStream("check", "")) {
      stream.reset();
      while (stream.incrementToken()) {
        // drained only to reset the stream
      }
      stream.end();
      return analyzer;
    } catch (InputException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw InputException.at("analyzer [" + name + "]", e);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Char filters, a tokenizer and token filters in a row. */
  private static final class ChainAnalyzer extends Analyzer {
    private final List<UnaryOperator<Reader>> charFilters;
    private final Function<Reader, Tokenizer> tokenizer;
    private final List<UnaryOperator<TokenStream>> filters;
    private final int positionGap;

    ChainAnalyzer(List<UnaryOperator<Reader>> charFilters, Function<Reader, Tokenizer> tokenizer,
        List<UnaryOperator<TokenStream>> filters, int positionGap) {
      this.charFilters = charFilters;
      this.tokenizer = tokenizer;
      this.filters = filters;
      this.positionGap = positionGap;
    }

    @Override
    protected Reader initReader(String field, Reader reader) {
      for (UnaryOperator<Reader> charFilter : charFilters) {
        reader = charFilter.apply(reader);
      }
      return reader;
    }

    @Override
    protected TokenStreamComponents createComponents(String field, Reader reader) {
      Tokenizer source = tokenizer.apply(reader);
      TokenStream stream = source;
      for (UnaryOperator<TokenStream> filter : filters) {
        stream = filter.apply(stream);
      }
      return new TokenStreamComponents(source, stream);
    }

    @Override
    public int getPositionIncrementGap(String field) {
      return positionGap;
    }
  }
}
