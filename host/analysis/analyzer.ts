/** What text analysis looks like from the host: texts in, tokens out. */

/** One token of a text. */
export interface Token {
  term: string;
  /** In UTF-16 units. */
  startOffset: number;
  /** In UTF-16 units. */
  endOffset: number;
  /** From 1; gaps where tokens were dropped, equal where several stand at one place. */
  position: number;
  /** Such as `<ALPHANUM>`. */
  type: string;
}

/** Turns texts into tokens. */
export interface Analyzer {
  analyze(text: string): Token[];
}

/** The analyzer that takes a whole value as one term. */
export const keywordAnalyzer: Analyzer = {
  analyze: (text) => [{ term: text, startOffset: 0, endOffset: text.length, position: 1, type: 'word' }],
};
