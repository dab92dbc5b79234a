/** The terms most like the words of a text. */

import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';
import type { MultiTermNode } from './multiTerm.js';
import type { TermNode } from './term.js';

/**
 * The terms most like the words of a text, the ones that say most of them: each word with what may be its variants, the terms of
 * an automaton or, where they may be too far off for one, of a prefix.
 */
export interface FuzzyLikeThisNode extends Printed {
  kind: 'fuzzyLikeThis';
  boost: number;
  maxQueryTerms: number;
  /** Whether every document with a term scores alike. */
  ignoreFrequency: boolean;
  maxEdits: number;
  /** Below 1: a variant must be more like its word than that. */
  minSimilarity: number;
  words: { word: TermNode; variants: MultiTermNode }[];
}

export const fuzzyLikeThisKind: NodeKind<FuzzyLikeThisNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.fuzzyLikeThis);
    out.f32(node.boost);
    out.u16(Math.min(node.maxQueryTerms, 0xffff));
    out.u8(node.ignoreFrequency ? 1 : 0);
    out.u16(Math.min(node.maxEdits, 0xffff));
    out.f32(node.minSimilarity);
    out.u16(count(node.words));
    for (const { word, variants } of node.words) {
      out.node(word, depth + 1);
      out.node(variants, depth + 1);
    }
  },
  // It has no text in Lucene.
  print: () => 'null',
};
