package search;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.index.AtomicReaderContext;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ComplexExplanation;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DocIdSet;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.FilteredQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;

/** Lucene queries, and rules for making them, that Elasticsearch adds to Lucene's own. */
final class Queries {
  private Queries() {
  }

  /** What match_all becomes: not a MatchAllDocsQuery but a constant score over all documents. */
  static Query all() {
    return new ConstantScoreQuery(Filters.ALL);
  }

  private static boolean isAll(Query query) {
    return query instanceof ConstantScoreQuery constant && constant.getFilter() == Filters.ALL;
  }

  static Query constant(Filter filter, float boost) {
    Query query = new ConstantScoreQuery(filter);
    query.setBoost(boost);
    return query;
  }

  static Query filtered(Query query, Filter filter, float boost) {
    Query result = isAll(query) ? new ConstantScoreQuery(filter) : new EsFilteredQuery(query, filter);
    result.setBoost(boost);
    return result;
  }

  /** A query of only prohibited clauses gets a required clause that matches everything. */
  static Query fixNegative(Query query) {
    if (!(query instanceof BooleanQuery bool) || bool.clauses().isEmpty()
        || !bool.clauses().stream().allMatch(BooleanClause::isProhibited)) {
      return query;
    }
    BooleanQuery fixed = bool.clone();
    fixed.add(all(), Occur.MUST);
    return fixed;
  }

  /** Sets how many optional clauses must match; a specification that comes to zero changes nothing. */
  static void applyMinimumShouldMatch(Query query, String specification) {
    if (specification != null && query instanceof BooleanQuery bool) {
      int optional = (int) bool.clauses().stream().filter(clause -> clause.getOccur() == Occur.SHOULD).count();
      int minimum = minimumShouldMatch(optional, specification);
      if (minimum > 0) {
        bool.setMinimumNumberShouldMatch(minimum);
      }
    }
  }

  private static final Pattern SPACE_AROUND_LESS_THAN = Pattern.compile("\\s*<\\s*");

  /**
  * The number a specification such as {@code 2}, {@code -25%} or {@code 2<75% 9<-3} asks for.
  * Percentages are cut off towards zero, in float arithmetic.
  */
  static int minimumShouldMatch(int optional, String specification) {
    String spec = specification.trim();
    try {
      if (spec.contains("<")) {
        int result = optional;
        for (String condition : SPACE_AROUND_LESS_THAN.matcher(spec).replaceAll("<").split(" ")) {
          String[] sides = condition.split("<");
          if (optional <= Integer.parseInt(sides[0])) {
            return result;
          }
          result = minimumShouldMatch(optional, sides[1]);
        }
        return result;
      }
      float amount = spec.endsWith("%")
          ? (optional * Integer.parseInt(spec.substring(0, spec.length() - 1))) * (1 / 100f)
          : Integer.parseInt(spec);
      return Math.max(0, Math.min(optional, amount < 0 ? optional + (int) amount : (int) amount));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new InputException("bad minimum_should_match [" + specification + "]", e);
    }
  }

  static MultiTermQuery.RewriteMethod rewriteMethod(String name, MultiTermQuery.RewriteMethod defaultMethod) {
    if (name == null) {
      return defaultMethod;
    }
    switch (name) {
      case "constant_score_auto":
        return MultiTermQuery.CONSTANT_SCORE_AUTO_REWRITE_DEFAULT;
      case "scoring_boolean":
        return MultiTermQuery.SCORING_BOOLEAN_QUERY_REWRITE;
      case "constant_score_boolean":
        return MultiTermQuery.CONSTANT_SCORE_BOOLEAN_QUERY_REWRITE;
      case "constant_score_filter":
        return MultiTermQuery.CONSTANT_SCORE_FILTER_REWRITE;
      default:
        if (!name.matches("top_terms_(boost_)?\\d{1,6}")) {
          throw new InputException("bad rewrite method [" + name + "]");
        }
        int size = Integer.parseInt(name.substring(name.lastIndexOf('_') + 1));
        return name.contains("boost")
            ? new MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite(size)
            : new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(size);
    }
  }

  /** Bit sets filter while the query is evaluated; any other filter is asked about the query's matches only. */
  private static final FilteredQuery.FilterStrategy STRATEGY = new FilteredQuery.RandomAccessFilterStrategy() {
    @Override
    public Scorer filteredScorer(AtomicReaderContext context, Weight weight, DocIdSet set) throws IOException {
      return set instanceof FixedBitSet
          ? super.filteredScorer(context, weight, set)
          : FilteredQuery.QUERY_FIRST_FILTER_STRATEGY.filteredScorer(context, weight, set);
    }
  };

  /** A filtered query that becomes a constant score once its query turns out to match everything. */
  private static final class EsFilteredQuery extends FilteredQuery {
    EsFilteredQuery(Query query, Filter filter) {
      super(query, filter, STRATEGY);
    }

    @Override
    public Query rewrite(IndexReader reader) throws IOException {
      Query rewritten = getQuery().rewrite(reader);
      if (rewritten instanceof MatchAllDocsQuery || isAll(rewritten)) {
        return constant(getFilter(), getBoost() * rewritten.getBoost());
      }
      if (rewritten == getQuery()) {
        return this;
      }
      Query result = new EsFilteredQuery(rewritten, getFilter());
      result.setBoost(getBoost());
      return result;
    }
  }

  /** What a match query becomes when its text has no terms. It counts as a clause when it is one. */
  static final class MatchNone extends Query {
    @Override
    public Weight createWeight(IndexSearcher searcher) {
      return new Weight() {
        @Override
        public Query getQuery() {
          return MatchNone.this;
        }

        @Override
        public float getValueForNormalization() {
          return 0;
        }

        @Override
        public void normalize(float norm, float topLevelBoost) {
          // there is no score to normalize
        }

        @Override
        public Scorer scorer(AtomicReaderContext context, Bits acceptDocs) {
          return null;
        }

        @Override
        public Explanation explain(AtomicReaderContext context, int doc) {
          return new ComplexExplanation(false, 0, "MatchNoDocs matches nothing");
        }
      };
    }

    @Override
    public void extractTerms(Set<Term> terms) {
      // has none
    }

    @Override
    public String toString(String field) {
      return "MatchNoDocsQuery";
    }
  }
}
