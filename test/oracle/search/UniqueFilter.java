package search;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/**
* Elasticsearch's {@code unique} filter: drops tokens seen before, in the whole text or only at
* the same position. The position increment of a dropped token is lost, not carried over.
*/
final class UniqueFilter extends TokenFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
  private final Set<String> seen = new HashSet<>();
  private final boolean samePosition;

  UniqueFilter(TokenStream in, boolean samePosition) {
    super(in);
    this.samePosition = samePosition;
  }

  @Override
  public boolean incrementToken() throws IOException {
    while (input.incrementToken()) {
      if (samePosition && increment.getPositionIncrement() > 0) {
        seen.clear();
      }
      if (seen.add(term.toString())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    seen.clear();
  }
}
