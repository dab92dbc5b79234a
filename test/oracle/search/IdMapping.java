package search;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.TermFilter;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.Query;

/** The {@code _id} field: not indexed by itself, searched through {@code _uid}. */
final class IdMapping extends FieldMapping {
  IdMapping(Mapping mapping) {
    super("_id", mapping);
  }

  @Override
  void add(JsonNode value, Document document) {
    throw new UnsupportedOperationException();
  }

  @Override
  boolean isExact() {
    return true;
  }

  @Override
  Query termQuery(String value) {
    return new ConstantScoreQuery(termFilter(value));
  }

  @Override
  Filter termFilter(String value) {
    return new TermFilter(new Term(Mapping.UID, mapping.uid(value)));
  }
}
