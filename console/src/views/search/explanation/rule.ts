/** How descriptions of explanations are told apart, and what is said of each. */

/** What a node is. */
export type ExplanationKind =
  /** A term, phrase or span of the query. */
  | 'clause'
  /** A part of the query with the same score for all documents that match. */
  | 'constant'
  /** What a score is worked out from: numbers that stand for themselves. */
  | 'number'
  | 'termFrequency'
  | 'frequency'
  | 'idf'
  | 'fieldNorm'
  | 'fieldLength'
  | 'score'
  | 'sum'
  | 'product'
  | 'max'
  | 'maxPlus'
  | 'min'
  | 'average'
  /** A number that a whole score is multiplied by. */
  | 'factor'
  | 'coord'
  | 'function'
  | 'functionScore'
  | 'nested'
  | 'join'
  | 'noMatch'
  | 'unknown';

/** What is said of a node. */
export interface Reading {
  kind: ExplanationKind;
  /** Short: `idf`. */
  title: string;
  /** In symbols: `1 + ln(maxDocs / (docFreq + 1))`. */
  formula?: string;
  /** The formula with the numbers in it. */
  numbers?: string;
  /** A sentence or two; empty where the title says all. */
  meaning: string;
  /** What a clause looks for, as Lucene prints it. */
  query?: string;
  /** Of `maxPlus`: how much of the others counts. */
  tieBreaker?: number;
}

/** What a rule sees of a node. */
export interface Described {
  digits: string;
  details: readonly { title: string; digits: string; kind: ExplanationKind; value: number }[];
  /** Scored by BM25. */
  isBm25: boolean;
}

/** A kind of description. */
export interface Rule {
  pattern: RegExp;
  read: (match: RegExpExecArray, node: Described) => Reading;
}

/** The details' titles and numbers with a sign between them. */
export function joined({ details }: Described, sign: string): Pick<Reading, 'formula' | 'numbers'> {
  if (details.length < 2) return {};
  return {
    formula: details.map(({ title }) => title).join(sign),
    numbers: details.map(({ digits }) => digits).join(sign),
  };
}

/** The digits of the first detail whose title it is. */
export function numberOf({ details }: Described, title: string): string {
  return details.find((each) => each.title === title)?.digits ?? '?';
}

/** A node that is a number with a name. */
export function named(title: string, meaning: string, kind: ExplanationKind = 'number'): () => Reading {
  return () => ({ kind, title, meaning });
}
