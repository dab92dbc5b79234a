package search;

import org.apache.lucene.search.FuzzyQuery;

/** How far a fuzzy term may be from the one given: {@code AUTO}, a number of edits, or a similarity. */
record Fuzziness(String value) {
  static final Fuzziness AUTO = new Fuzziness("AUTO");

  static Fuzziness parse(String text) {
    if (text.equalsIgnoreCase("AUTO")) {
      return AUTO;
    }
    try {
      Float.parseFloat(text);
      return new Fuzziness(text);
    } catch (NumberFormatException e) {
      throw new InputException("bad fuzziness [" + text + "]", e);
    }
  }

  @SuppressWarnings("deprecation") // floatToEdits is what Elasticsearch 1.7 uses
  int edits(String term) {
    int length = term.codePointCount(0, term.length());
    if (value.equals("AUTO")) {
      return length <= 2 ? 0 : length <= 5 ? 1 : 2;
    }
    return FuzzyQuery.floatToEdits(Float.parseFloat(value), length);
  }

  double distance() {
    return value.equals("AUTO") ? 1 : Double.parseDouble(value);
  }
}
