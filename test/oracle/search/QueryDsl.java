package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;

/** Makes Lucene queries of Elasticsearch 1.x query JSON. */
final class QueryDsl {
  private final Mapping mapping;
  private final FilterDsl filters;
  private final MatchQueries matches;

  QueryDsl(Mapping mapping) {
    this.mapping = mapping;
    this.filters = new FilterDsl(mapping, this);
    this.matches = new MatchQueries(mapping);
  }

  Query parse(JsonNode json) {
    if (!json.isObject() || json.size() != 1) {
      throw new InputException("[_na] query malformed: one query object is expected, not " + json);
    }
    Map.Entry<String, JsonNode> only = json.fields().next();
    String name = only.getKey();
    Params params = new Params(name, only.getValue());
    try {
      return parse(name, params);
    } catch (IllegalArgumentException e) {
      throw InputException.at("[" + name + "]", e);
    }
  }

  private Query parse(String name, Params params) {
    return switch (name) {
      case "match", "match_phrase", "match_phrase_prefix" -> matches.match(name, params);
      case "multi_match" -> matches.multiMatch(params);
      case "query_string" -> QueryStringParser.parse(params, mapping, filters);
      case "match_all" -> matchAll(params);
      case "term" -> term(params);
      case "terms", "in" -> terms(params);
      case "bool" -> bool(params);
      case "filtered" -> filtered(params);
      case "constant_score" -> constantScore(params);
      case "dis_max" -> disMax(params);
      case "prefix" -> prefix(params);
      case "wildcard" -> wildcard(params);
      case "fuzzy" -> fuzzy(params);
      case "range" -> range(params, params.field());
      case "ids" -> ids(params);
      default -> throw new InputException("No query registered for [" + name + "]");
    };
  }

  static Iterable<JsonNode> list(JsonNode value) {
    return value.isArray() ? value : List.of(value);
  }

  static Occur occur(String group, Params params) {
    return switch (group) {
      case "must" -> Occur.MUST;
      case "should" -> Occur.SHOULD;
      case "must_not" -> Occur.MUST_NOT;
      default -> throw params.fail("does not support [" + group + "]");
    };
  }

  private Query matchAll(Params params) {
    float boost = params.boost();
    params.end();
    if (boost == 1) {
      return Queries.all();
    }
    Query query = new MatchAllDocsQuery();
    query.setBoost(boost);
    return query;
  }

  private Query term(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    String value = Json.text(entry.getValue());
    float boost = 1;
    if (entry.getValue().isObject()) {
      Params inner = new Params("term", entry.getValue());
      value = inner.text("term", "value");
      boost = inner.boost();
      inner.end();
    }
    if (value == null) {
      throw params.fail("No value specified for term query");
    }
    params.end();
    Query query = termQuery(entry.getKey(), value);
    query.setBoost(boost);
    return query;
  }

  private Query termQuery(String name, String value) {
    FieldMapping field = mapping.field(name);
    return field == null ? new TermQuery(new Term(name, value)) : field.termQuery(value);
  }

  private Query terms(Params params) {
    BooleanQuery query = new BooleanQuery(params.bool(false, "disable_coord"));
    String minimum = params.text("minimum_should_match", "minimum_match");
    query.setBoost(params.boost());
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    list(entry.getValue()).forEach(value -> query.add(termQuery(entry.getKey(), value.asText()), Occur.SHOULD));
    Queries.applyMinimumShouldMatch(query, minimum);
    return query;
  }

  /** The clauses stand in the order in which the JSON has them. */
  private Query bool(Params params) {
    boolean disableCoord = params.bool(false, "disable_coord");
    String minimum = params.text("minimum_should_match", "minimum_number_should_match");
    boolean adjustPureNegative = params.bool(true, "adjust_pure_negative");
    float boost = params.boost();
    List<BooleanClause> clauses = new ArrayList<>();
    for (Map.Entry<String, JsonNode> group : params.rest()) {
      Occur occur = occur(group.getKey(), params);
      list(group.getValue()).forEach(json -> clauses.add(new BooleanClause(parse(json), occur)));
    }
    if (clauses.isEmpty()) {
      return new MatchAllDocsQuery();
    }
    BooleanQuery query = new BooleanQuery(disableCoord);
    clauses.forEach(query::add);
    query.setBoost(boost);
    Queries.applyMinimumShouldMatch(query, minimum);
    return adjustPureNegative ? Queries.fixNegative(query) : query;
  }

  private Query filtered(Params params) {
    JsonNode inner = params.take("query");
    JsonNode condition = params.take("filter");
    params.take("strategy");
    float boost = params.boost();
    params.end();
    Query query = inner == null ? Queries.all() : parse(inner);
    Filter filter = condition == null ? null : filters.parse(condition);
    // without a filter the boost is lost, as it is in Elasticsearch
    return filter == null || filter == Filters.ALL ? query : Queries.filtered(query, filter, boost);
  }

  private Query constantScore(Params params) {
    JsonNode condition = params.take("filter");
    JsonNode inner = params.take("query");
    float boost = params.boost();
    params.end();
    if (condition != null) {
      Filter filter = filters.parse(condition);
      if (filter == null) {
        throw params.fail("an empty filter is not covered");
      }
      return Queries.constant(filter, boost);
    }
    if (inner == null) {
      throw params.fail("requires either 'filter' or 'query' element");
    }
    Query query = new ConstantScoreQuery(parse(inner));
    query.setBoost(boost);
    return query;
  }

  private Query disMax(Params params) {
    JsonNode queries = params.take("queries");
    DisjunctionMaxQuery query = new DisjunctionMaxQuery(params.number(0, "tie_breaker"));
    query.setBoost(params.boost());
    params.end();
    if (queries == null || queries.isEmpty()) {
      throw params.fail("requires 'queries' field");
    }
    list(queries).forEach(json -> query.add(parse(json)));
    return query;
  }

  private Query prefix(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    Params inner = inner(params, entry);
    String value = inner.requiredText("value", "prefix");
    PrefixQuery query = new PrefixQuery(termOf(entry.getKey(), value));
    return finish(query, inner);
  }

  private Query wildcard(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    Params inner = inner(params, entry);
    String value = inner.requiredText("value", "wildcard");
    return finish(new WildcardQuery(termOf(entry.getKey(), value)), inner);
  }

  private Query fuzzy(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    Params inner = inner(params, entry);
    String value = inner.requiredText("value", "term");
    String fuzziness = inner.text("fuzziness", "min_similarity");
    Fuzziness distance = fuzziness == null ? Fuzziness.AUTO : Fuzziness.parse(fuzziness);
    int prefixLength = inner.integer(FuzzyQuery.defaultPrefixLength, "prefix_length");
    int maxExpansions = inner.integer(FuzzyQuery.defaultMaxExpansions, "max_expansions");
    boolean transpositions = inner.bool(false, "transpositions");
    FieldMapping field = mapping.field(entry.getKey());
    if (field != null) {
      return finish(field.fuzzyQuery(value, distance, prefixLength, maxExpansions, transpositions), inner);
    }
    Term term = new Term(entry.getKey(), value);
    int edits = distance.edits(value);
    return finish(new FuzzyQuery(term, edits, prefixLength, maxExpansions, transpositions), inner);
  }

  /** The options of a query on one field; a bare value is short for {"value": value}. */
  private static Params inner(Params params, Map.Entry<String, JsonNode> entry) {
    params.end();
    JsonNode body = entry.getValue();
    return new Params(params.owner, body.isObject() ? body : Json.object().set("value", body));
  }

  private Term termOf(String name, String value) {
    FieldMapping field = mapping.field(name);
    return field == null ? new Term(name, value) : field.term(value);
  }

  private static Query finish(Query query, Params inner) {
    String rewrite = inner.text("rewrite");
    if (rewrite != null && query instanceof MultiTermQuery multi) {
      multi.setRewriteMethod(Queries.rewriteMethod(rewrite, null));
    }
    query.setBoost(inner.boost());
    inner.end();
    return query;
  }

  private Query range(Params params, Map.Entry<String, JsonNode> entry) {
    params.end();
    Params inner = new Params("range", entry.getValue());
    float boost = inner.boost();
    Range range = range(inner);
    FieldMapping field = mapping.field(entry.getKey());
    Query query = field != null ? field.rangeQuery(range) : new TermRangeQuery(entry.getKey(),
        bytes(range.from()), bytes(range.to()), range.includeLower(), range.includeUpper());
    query.setBoost(boost);
    return query;
  }

  private static BytesRef bytes(JsonNode value) {
    return value == null ? null : new BytesRef(value.asText());
  }

  /** The bounds of a range query or filter; of several for one side the last written counts. */
  static Range range(Params params) {
    String zone = params.text("time_zone");
    JsonNode from = null;
    JsonNode to = null;
    boolean includeLower = true;
    boolean includeUpper = true;
    for (Map.Entry<String, JsonNode> option : params.rest()) {
      JsonNode value = option.getValue().isNull() ? null : option.getValue();
      switch (option.getKey()) {
        case "from" -> from = value;
        case "to" -> to = value;
        case "include_lower" -> includeLower = Json.bool(option.getValue());
        case "include_upper" -> includeUpper = Json.bool(option.getValue());
        case "gt" -> { from = value; includeLower = false; }
        case "gte", "ge" -> { from = value; includeLower = true; }
        case "lt" -> { to = value; includeUpper = false; }
        case "lte", "le" -> { to = value; includeUpper = true; }
        default -> throw params.fail("does not support [" + option.getKey() + "]");
      }
    }
    return new Range(from, to, includeLower, includeUpper, zone == null ? null : Dates.zone(zone));
  }

  private Query ids(Params params) {
    float boost = params.boost();
    Filter filter = filters.ids(params);
    return filter == Filters.NONE ? new Queries.MatchNone() : Queries.constant(filter, boost);
  }
}
