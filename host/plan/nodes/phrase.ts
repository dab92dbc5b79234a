/** Documents with terms one after the other. */

import { NodeCode } from '../../core/abi/plan.js';
import { count, type PlanBytes } from '../../core/planBytes.js';
import type { Printed } from '../printed.js';
import { fewest, termKey } from '../termKeys.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

/** Where terms of a phrase stand; several at one position are alternatives. */
export type PhrasePositions = { position: number; terms: Uint8Array[] }[];

export interface PhraseNode extends Printed {
  kind: 'phrase';
  field: number;
  boost: number;
  slop: number;
  positions: PhrasePositions;
}

export const phraseKind: NodeKind<PhraseNode> = {
  write(node, out) {
    out.u8(NodeCode.phrase);
    out.u16(node.field);
    out.f32(node.boost);
    out.u32(node.slop);
    writePositions(node.positions, out);
  },
  print: ({ field, positions, slop }, printer) =>
    `${printer.name(field)}:${phraseText(positions)}${slopText(slop)}`,
  required: ({ field, positions }) =>
    fewest(positions.map(({ terms }) => terms.map((term) => termKey(field, term)))),
};

export function writePositions(positions: PhrasePositions, out: PlanBytes): void {
  out.u16(count(positions));
  for (const { position, terms } of positions) {
    out.u32(position);
    out.u16(count(terms));
    for (const term of terms) out.term(term);
  }
}

export function slopText(slop: number): string {
  return slop === 0 ? '' : `~${slop}`;
}

/** `"a ? b"`; with alternatives somewhere `"(a b) c"`, and then without the gap at the start. */
export function phraseText(positions: PhrasePositions): string {
  const several = positions.some(({ terms }) => terms.length > 1);
  let last = several ? (positions[0]?.position ?? 0) - 1 : -1;
  const parts: string[] = [];
  for (const { position, terms } of positions) {
    for (let gap = last + 1; gap < position; gap++) parts.push('?');
    parts.push(alternativesText(terms.map(termText)));
    last = position;
  }
  return `"${parts.join(' ')}"`;
}

/** What may stand at one position. */
export function alternativesText(texts: readonly string[]): string {
  return texts.length > 1 ? `(${texts.join(' ')})` : (texts[0] ?? '');
}
