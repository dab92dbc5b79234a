/** A phrase whose last term may be any that begins so. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';
import { alternativesText, type PhrasePositions, slopText, writePositions } from './phrase.js';

/** A phrase whose last position is any term that starts with one of `prefixes`, at most `maxExpansions` of them. */
export interface PhrasePrefixNode extends Printed {
  kind: 'phrasePrefix';
  field: number;
  boost: number;
  slop: number;
  positions: PhrasePositions;
  last: { position: number; prefixes: Uint8Array[] };
  maxExpansions: number;
}

export const phrasePrefixKind: NodeKind<PhrasePrefixNode> = {
  write(node, out) {
    out.u8(NodeCode.phrasePrefix);
    out.u16(node.field);
    out.f32(node.boost);
    out.u32(node.slop);
    out.u32(node.maxExpansions);
    writePositions([...node.positions, { position: node.last.position, terms: node.last.prefixes }], out);
  },
  print: (node, printer) => `${printer.name(node.field)}:${prefixText(node)}${slopText(node.slop)}`,
  // Its own boost is lost when its terms are looked up; that of a wrapper around it counts.
  rewrite: (node) => ({ ...node, boost: 1 }),
};

/** `"a b*"`; gaps don't show. */
export function prefixText({ positions, last }: Pick<PhrasePrefixNode, 'positions' | 'last'>): string {
  const parts = positions.map(({ terms }) => alternativesText(terms.map(termText)));
  parts.push(alternativesText(last.prefixes.map((prefix) => `${termText(prefix)}*`)));
  return `"${parts.join(' ')}"`;
}
