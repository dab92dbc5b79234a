/** The spans of one document as streams, moved one step at a time like Lucene's. */

import type { SpanNode } from '../../host/plan/nodes.js';
import { type NaiveIndex, termKey } from './naiveIndex.js';

const f = Math.fround;

type Span = readonly [start: number, end: number];

/** Whether a span comes before another. */
function ordered(a: Span, b: Span): boolean {
  return a[0] === b[0] ? a[1] < b[1] : a[0] < b[0];
}

function spansOf(node: SpanNode, doc: number, index: NaiveIndex): Span[] {
  const of = (each: SpanNode) => spansOf(each, doc, index);
  switch (node.kind) {
    case 'spanTerm': {
      const posting = index.postings(node.field, termKey(node.term)).find((each) => each.doc === doc);
      return (posting?.positions ?? []).map((at) => [at, at + 1] as const);
    }
    case 'spanOr': {
      const lists = node.nodes.map(of);
      const merged: Span[] = [];
      for (;;) {
        const heads = lists.filter((list) => list.length > 0);
        if (heads.length === 0) return merged;
        let first = heads[0]!;
        for (const list of heads) if (ordered(list[0]!, first[0]!)) first = list;
        merged.push(first.shift()!);
      }
    }
    case 'spanNot': {
      const exclude = of(node.exclude);
      let e = 0;
      return of(node.include).filter(([start, end]) => {
        while (e < exclude.length && exclude[e]![1] <= start - node.pre) e++;
        return e >= exclude.length || end + node.post <= exclude[e]![0];
      });
    }
    case 'spanFirst': {
      const inner = of(node.node);
      const stop = inner.findIndex(([start]) => start >= node.end);
      return (stop < 0 ? inner : inner.slice(0, stop)).filter(([, end]) => end <= node.end);
    }
    case 'spanMask':
      return of(node.node);
    case 'spanNear':
      return node.inOrder
        ? inOrder(node.nodes.map(of), node.slop)
        : inAnyOrder(node.nodes.map(of), node.slop);
    default:
      throw new Error(`${node.kind} must be expanded first`);
  }
}

function inOrder(lists: Span[][], slop: number): Span[] {
  const found: Span[] = [];
  const at = lists.map(() => 0);
  const head = (i: number) => lists[i]![at[i]!];
  if (lists.some((list) => list.length === 0)) return found;
  for (let more = true; more; ) {
    for (let i = 1; i < lists.length; i++) {
      while (!ordered(head(i - 1)!, head(i)!)) {
        at[i]!++;
        if (head(i) === undefined) return found;
      }
    }
    let last = head(lists.length - 1)!;
    const end = last[1];
    let gaps = 0;
    let start = last[0];
    for (let i = lists.length - 2; i >= 0; i--) {
      let previous = head(i)!;
      for (;;) {
        at[i]!++;
        const next = head(i);
        if (next === undefined) {
          more = false;
          break;
        }
        if (!ordered(next, last)) break;
        previous = next;
      }
      if (start > previous[1]) gaps += start - previous[1];
      start = previous[0];
      last = previous;
    }
    if (gaps <= slop) found.push([start, end]);
    if (lists.length === 1) {
      at[0]!++;
      more = head(0) !== undefined;
    }
  }
  return found;
}

function inAnyOrder(lists: Span[][], slop: number): Span[] {
  const found: Span[] = [];
  const at = lists.map(() => 0);
  const head = (i: number) => lists[i]![at[i]!]!;
  if (lists.some((list) => list.length === 0)) return found;
  let furthest = 0;
  for (let i = 1; i < lists.length; i++) if (head(i)[1] > head(furthest)[1]) furthest = i;
  for (;;) {
    let first = 0;
    for (let i = 1; i < lists.length; i++) if (ordered(head(i), head(first))) first = i;
    const length = lists.reduce((sum, _, i) => sum + head(i)[1] - head(i)[0], 0);
    if (head(furthest)[1] - head(first)[0] - length <= slop) found.push([head(first)[0], head(furthest)[1]]);
    const end = head(furthest)[1];
    if (++at[first]! >= lists[first]!.length) return found;
    if (first !== furthest && head(first)[1] > end) furthest = first;
  }
}

/** The sum over the spans of a document of 1 / (length + 1). */
export function spanFrequency(node: SpanNode, doc: number, index: NaiveIndex): number {
  return spansOf(node, doc, index).reduce((sum, [start, end]) => f(sum + f(1 / (end - start + 1))), 0);
}

/** The field whose norms count. */
export function spanField(node: SpanNode): number {
  switch (node.kind) {
    case 'spanTerm':
    case 'spanMask':
      return node.field;
    case 'spanNot':
      return spanField(node.include);
    case 'spanFirst':
      return spanField(node.node);
    case 'spanMulti':
      return node.node.field;
    default:
      return node.nodes[0] === undefined ? 0 : spanField(node.nodes[0]);
  }
}

/** The sum of the idfs of all terms but those excluded, each once. */
export function spanIdf(node: SpanNode, index: NaiveIndex): number {
  const terms = new Map<string, [number, string]>();
  const gather = (each: SpanNode): void => {
    if (each.kind === 'spanTerm') {
      const key = termKey(each.term);
      terms.set(`${String.fromCharCode(each.field)}${key}`, [each.field, key]);
    } else if (each.kind === 'spanNear' || each.kind === 'spanOr') each.nodes.forEach(gather);
    else if (each.kind === 'spanNot') gather(each.include);
    else if (each.kind !== 'spanMulti') gather(each.node);
  };
  gather(node);
  const sorted = [...terms.keys()].sort((a, b) => (a < b ? -1 : 1)).map((key) => terms.get(key)!);
  return sorted.reduce((sum, [field, term]) => f(sum + index.idf(field, term)), 0);
}
