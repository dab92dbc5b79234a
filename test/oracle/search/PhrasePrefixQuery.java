package search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.index.AtomicReaderContext;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
* A phrase whose last term is a prefix. It is rewritten to a multi-phrase of the indexed terms with
* that prefix, at most {@code maxExpansions} of them. They are put in index order; Elasticsearch has
* them in hash order, which can change the last bit of the summed idf.
*/
final class PhrasePrefixQuery extends Query {
  private final List<Term[]> terms;
  private final int[] positions;
  private final int slop;
  private final int maxExpansions;

  private PhrasePrefixQuery(List<Term[]> terms, int[] positions, int slop, int maxExpansions) {
    this.terms = terms;
    this.positions = positions;
    this.slop = slop;
    this.maxExpansions = maxExpansions;
  }

  /** The given phrase query with its last term as a prefix; other queries stay as they are. */
  static Query of(Query query, int slop, int maxExpansions) {
    if (query instanceof PhraseQuery phrase) {
      List<Term[]> terms = Arrays.stream(phrase.getTerms()).map(term -> new Term[] {term}).toList();
      return new PhrasePrefixQuery(terms, phrase.getPositions(), slop, maxExpansions);
    }
    if (query instanceof MultiPhraseQuery phrase) {
      return new PhrasePrefixQuery(phrase.getTermArrays(), phrase.getPositions(), slop, maxExpansions);
    }
    if (query instanceof TermQuery term) {
      return new PhrasePrefixQuery(List.of(new Term[][] {{term.getTerm()}}), new int[1], slop, maxExpansions);
    }
    return query;
  }

  @Override
  public Query rewrite(IndexReader reader) throws IOException {
    int last = terms.size() - 1;
    TreeSet<Term> expansions = new TreeSet<>();
    for (Term prefix : terms.get(last)) {
      expand(prefix, reader, expansions);
      if (expansions.size() > maxExpansions) {
        break;
      }
    }
    if (expansions.isEmpty()) {
      return new Queries.MatchNone();
    }
    MultiPhraseQuery query = new MultiPhraseQuery();
    query.setSlop(slop);
    for (int i = 0; i < last; i++) {
      query.add(terms.get(i), positions[i]);
    }
    query.add(expansions.toArray(Term[]::new), positions[last]);
    return query.rewrite(reader); // the boost is lost, as it is in Elasticsearch
  }

  private void expand(Term prefix, IndexReader reader, TreeSet<Term> expansions) throws IOException {
    for (AtomicReaderContext leaf : reader.leaves()) {
      Terms indexed = leaf.reader().terms(prefix.field());
      TermsEnum each = indexed == null ? null : indexed.iterator(null);
      if (each == null || each.seekCeil(prefix.bytes()) == TermsEnum.SeekStatus.END) {
        continue;
      }
      BytesRef term = each.term();
      while (term != null && StringHelper.startsWith(term, prefix.bytes())) {
        expansions.add(new Term(prefix.field(), BytesRef.deepCopyOf(term)));
        if (expansions.size() >= maxExpansions) {
          return;
        }
        term = each.next();
      }
    }
  }

  @Override
  public String toString(String field) {
    List<String> texts = new ArrayList<>();
    terms.forEach(each -> texts.add(Arrays.toString(each)));
    return "\"" + String.join(" ", texts) + "*\"" + (slop == 0 ? "" : "~" + slop);
  }
}
