/** What text analysis looks like from the host: texts in, tokens out. */

import type { Token } from '../core/result.js';

export type { Token };

/** Turns texts into tokens. */
export interface Analyzer {
  analyze(text: string): Token[];
}

/** The analyzer that takes a whole value as one term. */
export const keywordAnalyzer: Analyzer = {
  analyze: (text) => [{ term: text, startOffset: 0, endOffset: text.length, position: 1, type: 'word' }],
};
