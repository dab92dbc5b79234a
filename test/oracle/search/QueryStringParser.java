package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.WildcardQuery;

/** The query_string query: Lucene's classic parser, with fields resolved through the mapping. */
@SuppressWarnings("deprecation") // the Version constructor and floatToEdits are what Elasticsearch 1.7 uses
final class QueryStringParser extends QueryParser {
  private final Mapping mapping;
  private final FilterDsl filters;
  private final List<String> fields = new ArrayList<>();
  private final Map<String, Float> boosts = new HashMap<>();
  private final Analyzer forcedAnalyzer;
  private final Analyzer forcedQuoteAnalyzer;
  private final boolean disMax;
  private final float tieBreaker;
  private final int fuzzyMaxExpansions;
  private final MultiTermQuery.RewriteMethod fuzzyRewrite;

  static Query parse(Params params, Mapping mapping, FilterDsl filters) {
    String text = params.requiredText("query");
    if (params.bool(false, "escape")) {
      text = escape(text);
    }
    float boost = params.boost();
    String minimum = params.text("minimum_should_match");
    QueryStringParser parser = new QueryStringParser(params, mapping, filters);
    params.end();
    if (text.isBlank()) {
      return new Queries.MatchNone();
    }
    try {
      Query query = parser.parse(text);
      if (boost != 1) {
        query.setBoost(query.getBoost() * boost);
      }
      query = Queries.fixNegative(query);
      Queries.applyMinimumShouldMatch(query, minimum);
      return query;
    } catch (ParseException e) {
      throw new InputException("[query_string] Failed to parse query [" + text + "]", e);
    }
  }

  private QueryStringParser(Params params, Mapping mapping, FilterDsl filters) {
    super(Analysis.VERSION, null, mapping.defaultAnalyzer());
    this.mapping = mapping;
    this.filters = filters;
    this.field = defaultField(params);
    forcedAnalyzer = analyzer(params.text("analyzer"), null);
    forcedQuoteAnalyzer = analyzer(params.text("quote_analyzer"), forcedAnalyzer);
    disMax = params.bool(true, "use_dis_max");
    tieBreaker = params.number(0, "tie_breaker");
    fuzzyMaxExpansions = params.integer(FuzzyQuery.defaultMaxExpansions, "fuzzy_max_expansions");
    fuzzyRewrite = Queries.rewriteMethod(params.text("fuzzy_rewrite"), null);
    setMultiTermRewriteMethod(Queries.rewriteMethod(
        params.text("rewrite"), MultiTermQuery.CONSTANT_SCORE_AUTO_REWRITE_DEFAULT));
    setEnablePositionIncrements(params.bool(true, "enable_position_increments"));
    setAutoGeneratePhraseQueries(params.bool(false, "auto_generate_phrase_queries"));
    setAllowLeadingWildcard(params.bool(true, "allow_leading_wildcard"));
    setLowercaseExpandedTerms(params.bool(true, "lowercase_expanded_terms"));
    setPhraseSlop(params.integer(0, "phrase_slop"));
    setFuzzyPrefixLength(params.integer(FuzzyQuery.defaultPrefixLength, "fuzzy_prefix_length"));
    setLocale(Locale.ROOT);
    String operator = params.text("default_operator");
    if (operator != null && !operator.equalsIgnoreCase("or") && !operator.equalsIgnoreCase("and")) {
      throw params.fail("Query default operator [" + operator + "] is not allowed");
    }
    setDefaultOperator("and".equalsIgnoreCase(operator) ? Operator.AND : Operator.OR);
  }

  /** The single default field, or null when there are several. */
  private String defaultField(Params params) {
    String single = params.text("default_field");
    JsonNode several = params.take("fields");
    if (several == null) {
      if (single == null) {
        throw params.fail("needs a default_field or fields here, because the _all field is not covered");
      }
      return single;
    }
    for (JsonNode each : several) {
      MatchQueries.BoostedField boosted = MatchQueries.BoostedField.parse(each.asText());
      for (String name : mapping.names(boosted.name())) {
        fields.add(name);
        if (boosted.boost() != null) {
          boosts.put(name, boosted.boost());
        }
      }
    }
    return fields.size() == 1 ? fields.get(0) : null;
  }

  private Analyzer analyzer(String name, Analyzer defaultAnalyzer) {
    return name == null ? defaultAnalyzer : mapping.analysis.analyzer(name);
  }

  private interface FieldQuery {
    Query make(String name) throws ParseException;
  }

  /** The query on the only field a name stands for, or the combination of those on several. */
  private Query each(String name, FieldQuery maker) throws ParseException {
    List<String> names = names(name);
    return names.size() == 1 ? maker.make(names.get(0)) : combine(names, maker);
  }

  private List<String> names(String name) {
    return name == null ? fields : mapping.names(name);
  }

  private Query combine(List<String> names, FieldQuery maker) throws ParseException {
    List<Query> queries = new ArrayList<>();
    for (String name : names) {
      Query query = maker.make(name);
      if (query != null) {
        if (!boosts.isEmpty()) {
          query.setBoost(boosts.getOrDefault(name, 1f));
        }
        queries.add(query);
      }
    }
    if (queries.isEmpty()) {
      return null;
    }
    if (disMax) {
      return new DisjunctionMaxQuery(queries, tieBreaker);
    }
    List<BooleanClause> clauses = new ArrayList<>();
    queries.forEach(query -> clauses.add(new BooleanClause(query, Occur.SHOULD)));
    return getBooleanQuery(clauses, true);
  }

  @Override
  protected Query getFieldQuery(String name, String text, boolean quoted) throws ParseException {
    if ("_exists_".equals(name)) {
      return Queries.constant(filters.exists(text), 1);
    }
    if ("_missing_".equals(name)) {
      return Queries.constant(filters.missing(text), 1);
    }
    return each(name, single -> fieldQuery(single, text, quoted));
  }

  private Query fieldQuery(String name, String text, boolean quoted) throws ParseException {
    if (!quoted && text.length() > 1 && (text.charAt(0) == '>' || text.charAt(0) == '<')) {
      boolean inclusive = text.length() > 2 && text.charAt(1) == '=';
      String bound = text.substring(inclusive ? 2 : 1);
      return text.charAt(0) == '>'
          ? rangeQuery(name, bound, null, inclusive, true)
          : rangeQuery(name, null, bound, true, inclusive);
    }
    FieldMapping mapped = mapping.field(name);
    if (mapped != null && mapped.isExact()) {
      return mapped.termQuery(text);
    }
    Analyzer forced = quoted ? forcedQuoteAnalyzer : forcedAnalyzer;
    Analyzer previous = getAnalyzer();
    setAnalyzer(forced != null ? forced : mapped != null ? mapped.searchAnalyzer() : mapping.defaultAnalyzer());
    try {
      return super.getFieldQuery(mapped == null ? name : mapped.name, text, quoted);
    } finally {
      setAnalyzer(previous);
    }
  }

  /** A quoted text. Unlike the others this one is combined, and boosted, for a single field too. */
  @Override
  protected Query getFieldQuery(String name, String text, int slop) throws ParseException {
    return combine(names(name), single -> {
      Query query = getFieldQuery(single, text, true);
      if (query instanceof PhraseQuery phrase) {
        phrase.setSlop(slop);
      } else if (query instanceof MultiPhraseQuery phrase) {
        phrase.setSlop(slop);
      }
      return query;
    });
  }

  @Override
  protected Query getRangeQuery(String name, String from, String to, boolean includeLower, boolean includeUpper)
      throws ParseException {
    String lower = "*".equals(from) ? null : from;
    String upper = "*".equals(to) ? null : to;
    return each(name, single -> rangeQuery(single, lower, upper, includeLower, includeUpper));
  }

  private Query rangeQuery(String name, String from, String to, boolean includeLower, boolean includeUpper) {
    FieldMapping mapped = mapping.field(name);
    if (mapped == null) {
      return newRangeQuery(name, from, to, includeLower, includeUpper);
    }
    boolean fold = getLowercaseExpandedTerms() && !(mapped instanceof NumberMapping);
    return mapped.rangeQuery(search.Range.ofText( // the parser has a constant Range
        fold && from != null ? from.toLowerCase(Locale.ROOT) : from,
        fold && to != null ? to.toLowerCase(Locale.ROOT) : to,
        includeLower, includeUpper));
  }

  @Override
  protected Query getFuzzyQuery(String name, String text, float similarity) throws ParseException {
    String term = fold(text);
    return each(name, single -> {
      FieldMapping mapped = mapping.field(single);
      return mapped == null
          ? super.getFuzzyQuery(single, term, similarity)
          : mapped.fuzzyQuery(term, Fuzziness.parse(Float.toString(similarity)),
              getFuzzyPrefixLength(), fuzzyMaxExpansions, false);
    });
  }

  @Override
  protected Query newFuzzyQuery(Term term, float similarity, int prefixLength) {
    int edits = FuzzyQuery.floatToEdits(similarity, term.text().codePointCount(0, term.text().length()));
    FuzzyQuery query = new FuzzyQuery(term, edits, prefixLength, fuzzyMaxExpansions, false);
    if (fuzzyRewrite != null) {
      query.setRewriteMethod(fuzzyRewrite);
    }
    return query;
  }

  @Override
  protected Query getPrefixQuery(String name, String prefix) throws ParseException {
    return each(name, single -> super.getPrefixQuery(indexName(single), fold(prefix)));
  }

  @Override
  protected Query getWildcardQuery(String name, String pattern) throws ParseException {
    if (pattern.equals("*") && ("*".equals(name) || Objects.equals(name, field))) {
      String actual = name == null ? field : name;
      return actual == null || actual.equals("*") || actual.equals("_all")
          ? newMatchAllDocsQuery()
          : Queries.constant(filters.exists(actual), 1);
    }
    return each(name, single -> super.getWildcardQuery(indexName(single), fold(pattern)));
  }

  @Override
  protected Query getRegexpQuery(String name, String regex) throws ParseException {
    return each(name, single -> super.getRegexpQuery(indexName(single), fold(regex)));
  }

  @Override
  protected WildcardQuery newWildcardQuery(Term term) {
    WildcardQuery query = new WildcardQuery(term, getMaxDeterminizedStates());
    query.setRewriteMethod(getMultiTermRewriteMethod());
    return query;
  }

  @Override
  protected Query newMatchAllDocsQuery() {
    return Queries.all();
  }

  @Override
  protected Query getBooleanQuery(List<BooleanClause> clauses, boolean disableCoord) throws ParseException {
    Query query = super.getBooleanQuery(clauses, disableCoord);
    return query == null ? null : Queries.fixNegative(query);
  }

  private String indexName(String name) {
    FieldMapping mapped = mapping.field(name);
    return mapped == null ? name : mapped.name;
  }

  private String fold(String text) {
    return getLowercaseExpandedTerms() ? text.toLowerCase(Locale.ROOT) : text;
  }
}
