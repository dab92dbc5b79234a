/** Where a query's terms stand in one text: Lucene's span queries over the tokens of a single document. */

import type { SpanNode } from '../plan/nodes.js';
import type { MultiTermNode } from '../plan/nodes/multiTerm.js';
import type { TermMatcher } from '../plan/termMatcher.js';
import { encodeUtf8 } from '../text/utf8.js';

/** Positions from `start` up to, and without, `end`. */
export interface Span {
  start: number;
  end: number;
}

/** The positions of the terms of one text. */
export type Positions = ReadonlyMap<string, readonly number[]>;

/** More spans than this are not looked for in one text. */
const MAX_SPANS = 10_000;

const utf8 = new TextDecoder();

/** The text of a term. */
export function termText(term: Uint8Array): string {
  return utf8.decode(term);
}

/** The terms of a text that a multi-term query stands for. */
export function termsOf({ matcher, ofNumbers = false }: MultiTermNode, positions: Positions): string[] {
  return ofNumbers ? [] : expand(matcher, positions);
}

/** The terms of a text that a matcher takes. */
export function expand(matcher: TermMatcher, positions: Positions): string[] {
  return [...positions.keys()].filter((term) => accepts(matcher, encodeUtf8(term)));
}

function accepts(matcher: TermMatcher, term: Uint8Array): boolean {
  switch (matcher.type) {
    case 'prefix':
      return startsWith(term, matcher.prefix);
    case 'range': {
      const { lower, upper, includeLower, includeUpper } = matcher;
      const above = lower === undefined ? 1 : compare(term, lower);
      const below = upper === undefined ? -1 : compare(term, upper);
      return (above > 0 || (above === 0 && includeLower)) && (below < 0 || (below === 0 && includeUpper));
    }
    default:
      return runAutomaton(matcher.automaton, term);
  }
}

/** The terms of a text that start with any of some prefixes. */
export function startingWith(prefixes: readonly Uint8Array[], positions: Positions): string[] {
  return [...positions.keys()].filter((term) => {
    const bytes = encodeUtf8(term);
    return prefixes.some((prefix) => startsWith(bytes, prefix));
  });
}

function startsWith(term: Uint8Array, prefix: Uint8Array): boolean {
  return term.length >= prefix.length && prefix.every((byte, i) => byte === term[i]);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** Runs an automaton as the core takes it (automata/dfa.ts draws its bytes). */
function runAutomaton(automaton: Uint8Array, term: Uint8Array): boolean {
  const view = new DataView(automaton.buffer, automaton.byteOffset, automaton.byteLength);
  const states: number[] = [];
  for (let at = 4, n = view.getUint32(0, true); n > 0; n--) {
    states.push(at);
    at += 4 + 8 * view.getUint16(at + 2, true);
  }
  let state = 0;
  for (const byte of term) {
    const at = states[state]!;
    let next = -1;
    for (let i = 0; i < view.getUint16(at + 2, true) && next < 0; i++) {
      const edge = at + 4 + 8 * i;
      if (byte >= automaton[edge]! && byte <= automaton[edge + 1]!) next = view.getUint32(edge + 4, true);
    }
    if (next < 0) return false;
    state = next;
  }
  return automaton[states[state]!] !== 0;
}

/** The spans of any of some terms. */
export function spansOfTerms(terms: Iterable<string>, positions: Positions): Span[] {
  const starts = new Set([...terms].flatMap((term) => positions.get(term) ?? []));
  return [...starts].map((start) => ({ start, end: start + 1 })).sort(byPlace);
}

/** The spans of a span query. */
export function spansOf(node: SpanNode, positions: Positions): Span[] {
  switch (node.kind) {
    case 'spanTerm':
      return spansOfTerms([termText(node.term)], positions);
    case 'spanMulti':
      return spansOfTerms(termsOf(node.node, positions), positions);
    case 'spanMask':
      return spansOf(node.node, positions);
    case 'spanFirst':
      // Positions begin at 1 here, bounds at 0.
      return spansOf(node.node, positions).filter(({ end }) => end - 1 <= node.end);
    case 'spanOr':
      return node.nodes.flatMap((each) => spansOf(each, positions)).sort(byPlace);
    case 'spanNot': {
      const excluded = spansOf(node.exclude, positions);
      return spansOf(node.include, positions).filter(
        ({ start, end }) =>
          !excluded.some((other) => other.start < end + node.post && other.end > start - node.pre),
      );
    }
    case 'spanNear':
      return near(
        node.nodes.map((each) => spansOf(each, positions)),
        node.slop,
        node.inOrder,
      );
  }
}

/** Spans of all parts together, with at most `slop` positions between them. */
export function near(parts: readonly Span[][], slop: number, inOrder: boolean): Span[] {
  if (parts.length === 0 || parts.some((part) => part.length === 0)) return [];
  return inOrder ? ordered(parts, slop) : unordered(parts, slop);
}

/** From every first span the nearest that follow, then drawn together from the last one. */
function ordered(parts: readonly Span[][], slop: number): Span[] {
  const found: Span[] = [];
  for (const first of parts[0]!) {
    const chosen = [first];
    for (const part of parts.slice(1)) {
      const next = part.find(({ start }) => start >= chosen.at(-1)!.end);
      if (next === undefined) return found;
      chosen.push(next);
    }
    let gaps = 0;
    let after = chosen.at(-1)!;
    const { end } = after;
    for (let i = chosen.length - 2; i >= 0; i--) {
      const from = chosen[i]!;
      const last = parts[i]!.findLast((span) => span.start >= from.start && span.end <= after.start)!;
      gaps += after.start - last.end;
      after = last;
    }
    if (gaps <= slop && found.length < MAX_SPANS) found.push({ start: after.start, end });
  }
  return found;
}

/** Windows with one span of every part; the earliest span is always the next to go. */
function unordered(parts: readonly Span[][], slop: number): Span[] {
  const found: Span[] = [];
  const at = new Array<number>(parts.length).fill(0);
  while (found.length < MAX_SPANS) {
    const now = parts.map((part, i) => part[at[i]!]!);
    let least = 0;
    let end = 0;
    let length = 0;
    for (let i = 0; i < now.length; i++) {
      if (byPlace(now[i]!, now[least]!) < 0) least = i;
      end = Math.max(end, now[i]!.end);
      length += now[i]!.end - now[i]!.start;
    }
    const { start } = now[least]!;
    if (end - start - length <= slop) found.push({ start, end });
    if (++at[least]! >= parts[least]!.length) break;
  }
  return found;
}

function byPlace(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
