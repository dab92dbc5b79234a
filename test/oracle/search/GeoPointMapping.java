package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.AtomicReader;
import org.apache.lucene.index.DocsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** A {@code geo_point} field. Points are indexed as "lat,lon" terms and read back into memory to be searched. */
final class GeoPointMapping extends FieldMapping {
  private static final double[] NONE = {};

  private final Map<Object, double[][]> loaded = new WeakHashMap<>();

  GeoPointMapping(String name, Mapping mapping) {
    super(name, mapping);
  }

  @Override
  boolean takesArrays() {
    return true;
  }

  @Override
  void add(JsonNode value, Document document) {
    if (value.isNull()) {
      return;
    }
    if (value.isArray() && !value.path(0).isNumber()) {
      value.forEach(point -> add(point, document));
      return;
    }
    GeoPoint point = GeoPoint.parse(value).normalized();
    document.add(new StringField(name, point.lat() + "," + point.lon(), Field.Store.NO));
  }

  /** The points of every document of a segment: latitude, longitude, latitude, and so on. */
  double[][] points(AtomicReader reader) throws IOException {
    double[][] points = loaded.get(reader.getCoreCacheKey());
    if (points == null) {
      points = load(reader);
      loaded.put(reader.getCoreCacheKey(), points);
    }
    return points;
  }

  private double[][] load(AtomicReader reader) throws IOException {
    double[][] points = new double[reader.maxDoc()][];
    Arrays.fill(points, NONE);
    Terms terms = reader.terms(name);
    if (terms == null) {
      return points;
    }
    TermsEnum each = terms.iterator(null);
    DocsEnum docs = null;
    for (BytesRef term; (term = each.next()) != null; ) {
      GeoPoint point = GeoPoint.parse(term.utf8ToString());
      docs = each.docs(null, docs, DocsEnum.FLAG_NONE);
      for (int doc; (doc = docs.nextDoc()) != DocsEnum.NO_MORE_DOCS; ) {
        int length = points[doc].length;
        points[doc] = Arrays.copyOf(points[doc], length + 2);
        points[doc][length] = point.lat();
        points[doc][length + 1] = point.lon();
      }
    }
    return points;
  }
}
