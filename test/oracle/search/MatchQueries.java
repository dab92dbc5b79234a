package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.QueryBuilder;

/** The match family: match, match_phrase, match_phrase_prefix and multi_match. */
final class MatchQueries {
  private final Mapping mapping;

  MatchQueries(Mapping mapping) {
    this.mapping = mapping;
  }

  private enum Type { BOOLEAN, PHRASE, PHRASE_PREFIX }

  /** How a text is matched against a field. */
  private final class Match {
    Type type = Type.BOOLEAN;
    private final Occur occur;
    private final int slop;
    private final Analyzer analyzer;
    private final Fuzziness fuzziness;
    private final int prefixLength;
    private final int maxExpansions;
    private final boolean transpositions;
    private final MultiTermQuery.RewriteMethod rewrite;
    private final boolean allIfNoTerms;

    Match(Params params) {
      String operator = params.text("operator");
      if (operator != null && !operator.equalsIgnoreCase("or") && !operator.equalsIgnoreCase("and")) {
        throw params.fail("operator must be 'and' or 'or', not [" + operator + "]");
      }
      occur = "and".equalsIgnoreCase(operator) ? Occur.MUST : Occur.SHOULD;
      slop = params.integer(0, "slop", "phrase_slop");
      String name = params.text("analyzer");
      analyzer = name == null ? null : mapping.analysis.analyzer(name);
      String distance = params.text("fuzziness");
      fuzziness = distance == null ? null : Fuzziness.parse(distance);
      prefixLength = params.integer(FuzzyQuery.defaultPrefixLength, "prefix_length");
      maxExpansions = params.integer(FuzzyQuery.defaultMaxExpansions, "max_expansions");
      transpositions = params.bool(false, "fuzzy_transpositions");
      rewrite = Queries.rewriteMethod(params.text("rewrite"), null);
      params.take("fuzzy_rewrite"); // has no effect on a match query in Elasticsearch 1.7
      allIfNoTerms = "all".equalsIgnoreCase(params.text("zero_terms_query"));
    }

    Query query(String name, String text) {
      FieldMapping field = mapping.field(name);
      if (field != null && field.isExact()) {
        return field.termQuery(text);
      }
      Analyzer ofField = field == null ? mapping.defaultAnalyzer() : field.searchAnalyzer();
      Builder builder = new Builder(analyzer == null ? ofField : analyzer);
      String indexName = field == null ? name : field.name;
      Query query = switch (type) {
        case BOOLEAN -> builder.createBooleanQuery(indexName, text, occur);
        case PHRASE -> builder.createPhraseQuery(indexName, text, slop);
        case PHRASE_PREFIX -> PhrasePrefixQuery.of(
            builder.createPhraseQuery(indexName, text, slop), slop, maxExpansions);
      };
      if (query != null) {
        return query;
      }
      return allIfNoTerms ? Queries.all() : new Queries.MatchNone();
    }

    private final class Builder extends QueryBuilder {
      Builder(Analyzer analyzer) {
        super(analyzer);
      }

      @Override
      protected Query newTermQuery(Term term) {
        if (fuzziness == null) {
          return new TermQuery(term);
        }
        int edits = fuzziness.edits(term.text());
        FuzzyQuery query = new FuzzyQuery(term, edits, prefixLength, maxExpansions, transpositions);
        if (rewrite != null) {
          query.setRewriteMethod(rewrite);
        }
        return query;
      }
    }
  }

  Query match(String name, Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    JsonNode body = entry.getValue();
    Params options = new Params("match", body.isObject() ? body : Json.object().set("query", body));
    String text = options.text("query");
    if (text == null) {
      throw options.fail("No text specified for text query");
    }
    Match match = new Match(options);
    String type = options.text("type");
    match.type = switch (type != null ? type : name) {
      case "match", "boolean" -> Type.BOOLEAN;
      case "match_phrase", "phrase" -> Type.PHRASE;
      case "match_phrase_prefix", "phrase_prefix" -> Type.PHRASE_PREFIX;
      default -> throw options.fail("query does not support type " + type);
    };
    String minimum = options.text("minimum_should_match");
    float boost = options.boost();
    options.end();
    Query query = match.query(entry.getKey(), text);
    Queries.applyMinimumShouldMatch(query, minimum);
    query.setBoost(boost);
    return query;
  }

  Query multiMatch(Params params) {
    String text = params.text("query");
    if (text == null) {
      throw params.fail("No text specified for multi_match query");
    }
    Map<String, Float> fields = fields(params);
    Match match = new Match(params);
    String type = params.text("type");
    match.type = switch (type == null ? "best_fields" : type) {
      case "best_fields", "most_fields" -> Type.BOOLEAN;
      case "phrase" -> Type.PHRASE;
      case "phrase_prefix" -> Type.PHRASE_PREFIX;
      default -> throw params.fail("the type [" + type + "] is not covered");
    };
    boolean disMaxType = !"most_fields".equals(type);
    boolean given = params.has("tie_breaker");
    float tieBreaker = params.number(disMaxType ? 0 : 1, "tie_breaker");
    boolean disMax = params.bool(disMaxType, "use_dis_max");
    if (disMax != disMaxType) {
      tieBreaker = disMax && !given ? 0 : 1;
    }
    String minimum = params.text("minimum_should_match");
    float boost = params.boost();
    params.end();

    List<Query> queries = new ArrayList<>();
    fields.forEach((field, fieldBoost) -> {
      Query query = match.query(field, text);
      Queries.applyMinimumShouldMatch(query, minimum);
      if (fieldBoost != null) {
        query.setBoost(fieldBoost);
      }
      queries.add(query);
    });
    Query query = combine(queries, tieBreaker);
    query.setBoost(boost); // with a single field this replaces the boost of the field
    return query;
  }

  private static Query combine(List<Query> queries, float tieBreaker) {
    if (queries.size() == 1) {
      return queries.get(0);
    }
    if (tieBreaker != 1) {
      return new DisjunctionMaxQuery(queries, tieBreaker);
    }
    BooleanQuery bool = new BooleanQuery();
    queries.forEach(query -> bool.add(query, Occur.SHOULD));
    return bool;
  }

  /** The fields with their boosts, in the order of a hash map: the order of the clauses in Elasticsearch. */
  private Map<String, Float> fields(Params params) {
    Map<String, Float> fields = new HashMap<>();
    JsonNode given = params.take("fields");
    if (given != null) {
      for (JsonNode field : QueryDsl.list(given)) {
        BoostedField boosted = BoostedField.parse(field.asText());
        mapping.names(boosted.name()).forEach(name -> fields.put(name, boosted.boost()));
      }
    }
    if (fields.isEmpty()) {
      throw params.fail("No fields specified for multi_match query");
    }
    return fields;
  }

  /** A field name such as {@code title^3}; the boost is null when there is none. */
  record BoostedField(String name, Float boost) {
    static BoostedField parse(String text) {
      int caret = text.indexOf('^');
      try {
        return caret < 0
            ? new BoostedField(text, null)
            : new BoostedField(text.substring(0, caret), Float.valueOf(text.substring(caret + 1)));
      } catch (NumberFormatException e) {
        throw new InputException("bad boost in [" + text + "]", e);
      }
    }
  }
}
