package search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.lucene.index.AtomicReader;
import org.apache.lucene.index.AtomicReaderContext;
import org.apache.lucene.search.DocIdSet;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldCacheDocIdSet;
import org.apache.lucene.search.Filter;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;

/** Lucene filters that Elasticsearch adds to Lucene's own. */
final class Filters {
  /** Matches every document. Queries recognize it by identity. */
  static final Filter ALL = new Filter() {
    @Override
    public DocIdSet getDocIdSet(AtomicReaderContext context, Bits acceptDocs) {
      return new FieldCacheDocIdSet(context.reader().maxDoc(), acceptDocs) {
        @Override
        protected boolean matchDoc(int doc) {
          return true;
        }
      };
    }

    @Override
    public String toString() {
      return "*:*";
    }
  };

  static final Filter NONE = new Filter() {
    @Override
    public DocIdSet getDocIdSet(AtomicReaderContext context, Bits acceptDocs) {
      return null;
    }

    @Override
    public String toString() {
      return "MatchNoDocsFilter";
    }
  };

  private Filters() {
  }

  static Filter and(List<Filter> filters) {
    return bool(filters, List.of(), List.of());
  }

  static Filter or(List<Filter> filters) {
    return bool(List.of(), filters, List.of());
  }

  static Filter not(Filter filter) {
    return bool(List.of(), List.of(), List.of(filter));
  }

  /** Documents in all of must, in none of mustNot and, if there is a should, in at least one of should. */
  static Filter bool(List<Filter> must, List<Filter> should, List<Filter> mustNot) {
    if (mustNot.isEmpty() && must.size() + should.size() == 1) {
      return must.isEmpty() ? should.get(0) : must.get(0);
    }
    return new BoolFilter(must, should, mustNot);
  }

  /** Combines cheap sets into a bit set and then asks the expensive ones, such as distances, about the rest. */
  private static final class BoolFilter extends Filter {
    private final List<Filter> must;
    private final List<Filter> should;
    private final List<Filter> mustNot;

    BoolFilter(List<Filter> must, List<Filter> should, List<Filter> mustNot) {
      this.must = must;
      this.should = should;
      this.mustNot = mustNot;
    }

    @Override
    public DocIdSet getDocIdSet(AtomicReaderContext context, Bits acceptDocs) throws IOException {
      int maxDoc = context.reader().maxDoc();
      Sets required = new Sets(must, context);
      Sets optional = new Sets(should, context);
      Sets excluded = new Sets(mustNot, context);
      FixedBitSet result = new FixedBitSet(Math.max(1, maxDoc));
      result.set(0, maxDoc);
      for (DocIdSet set : required.cheap) {
        and(result, set);
      }
      for (DocIdSet set : excluded.cheap) {
        DocIdSetIterator docs = set.iterator();
        if (docs != null) {
          result.andNot(docs);
        }
      }
      FixedBitSet any = new FixedBitSet(Math.max(1, maxDoc));
      for (DocIdSet set : optional.cheap) {
        DocIdSetIterator docs = set.iterator();
        if (docs != null) {
          any.or(docs);
        }
      }
      if (should.isEmpty() && required.expensive.isEmpty() && excluded.expensive.isEmpty()) {
        return result;
      }
      DocIdSetIterator docs = result.iterator();
      for (int doc; (doc = docs.nextDoc()) != DocIdSetIterator.NO_MORE_DOCS; ) {
        if (!required.all(doc) || excluded.any(doc)
            || !should.isEmpty() && !any.get(doc) && !optional.any(doc)) {
          result.clear(doc);
        }
      }
      return result;
    }

    private static void and(FixedBitSet result, DocIdSet set) throws IOException {
      DocIdSetIterator docs = set.iterator();
      if (docs == null) {
        result.clear(0, result.length());
      } else {
        result.and(docs);
      }
    }

    @Override
    public String toString() {
      return "BooleanFilter(must " + must + " should " + should + " must_not " + mustNot + ")";
    }

    /** The sets of some filters; an expensive one computes every answer and so is asked last. */
    private static final class Sets {
      final List<DocIdSet> cheap = new ArrayList<>();
      final List<Bits> expensive = new ArrayList<>();

      Sets(List<Filter> filters, AtomicReaderContext context) throws IOException {
        for (Filter filter : filters) {
          DocIdSet set = filter.getDocIdSet(context, null);
          if (set instanceof FieldCacheDocIdSet) {
            expensive.add(set.bits());
          } else {
            cheap.add(set == null ? DocIdSet.EMPTY : set);
          }
        }
      }

      boolean all(int doc) {
        return expensive.stream().allMatch(bits -> bits.get(doc));
      }

      boolean any(int doc) {
        return expensive.stream().anyMatch(bits -> bits.get(doc));
      }
    }
  }

  static Filter within(GeoPointMapping field, GeoPoint centre, double metres, GeoDistance distance,
      boolean checkBox) {
    GeoDistance.Box box = checkBox ? GeoDistance.box(centre, metres) : new GeoDistance.Box(90, -180, -90, 180);
    String description = "GeoDistanceFilter(" + field.name + ", " + distance + ", " + metres + ", "
        + centre.lat() + ", " + centre.lon() + ")";
    return new PointFilter(field, description) {
      @Override
      boolean accepts(double lat, double lon) {
        return box.contains(lat, lon) && distance.between(centre.lat(), centre.lon(), lat, lon) < metres;
      }
    };
  }

  static Filter within(GeoPointMapping field, GeoDistance.Box box) {
    return new PointFilter(field, "GeoBoundingBoxFilter(" + field.name + ", " + box + ")") {
      @Override
      boolean accepts(double lat, double lon) {
        return box.contains(lat, lon);
      }
    };
  }

  /** Matches documents with at least one accepted point. */
  private abstract static class PointFilter extends Filter {
    private final GeoPointMapping field;
    private final String description;

    PointFilter(GeoPointMapping field, String description) {
      this.field = field;
      this.description = description;
    }

    abstract boolean accepts(double lat, double lon);

    @Override
    public DocIdSet getDocIdSet(AtomicReaderContext context, Bits acceptDocs) throws IOException {
      double[][] points = field.points(context.reader());
      return new FieldCacheDocIdSet(context.reader().maxDoc(), acceptDocs) {
        @Override
        protected boolean matchDoc(int doc) {
          double[] values = points[doc];
          for (int i = 0; i < values.length; i += 2) {
            if (accepts(values[i], values[i + 1])) {
              return true;
            }
          }
          return false;
        }
      };
    }

    @Override
    public String toString() {
      return description;
    }
  }

  /** Keeps the filter's documents of each segment in a bit set, as Elasticsearch's filter cache does. */
  static Filter cached(Filter filter) {
    return new CachedFilter(filter);
  }

  private static final class CachedFilter extends Filter {
    private final Filter filter;
    private final Map<Object, FixedBitSet> cache = new WeakHashMap<>();

    CachedFilter(Filter filter) {
      this.filter = filter;
    }

    @Override
    public DocIdSet getDocIdSet(AtomicReaderContext context, Bits acceptDocs) throws IOException {
      AtomicReader reader = context.reader();
      FixedBitSet bits = cache.get(reader.getCoreCacheKey());
      if (bits == null) {
        bits = new FixedBitSet(Math.max(1, reader.maxDoc()));
        DocIdSet set = filter.getDocIdSet(context, null);
        DocIdSetIterator docs = set == null ? null : set.iterator();
        if (docs != null) {
          bits.or(docs);
        }
        cache.put(reader.getCoreCacheKey(), bits);
      }
      return bits; // no deletions here, so acceptDocs has nothing to take away
    }

    @Override
    public String toString() {
      return "cache(" + filter + ")";
    }
  }
}
