import type { OracleAnswer } from './oracle.js';

export interface Hit {
  readonly id: string;
  readonly score: number;
}

export interface Answer {
  readonly total: number;
  readonly hits: readonly Hit[];
}

/** How Resilin's answers compare with Lucene's. */
export interface Comparison {
  queries: number;
  totalsEqual: number;
  /** Queries whose hits are the same documents in the same order. */
  ordersEqual: number;
  scores: number;
  scoresBitEqual: number;
  /** Largest relative error of a score. */
  worstError: number;
  readonly differences: string[];
}

const bits = new DataView(new ArrayBuffer(4));

export function floatBits(score: number): string {
  bits.setFloat32(0, score);
  return bits.getUint32(0).toString(16).padStart(8, '0');
}

export function emptyComparison(): Comparison {
  return {
    queries: 0,
    totalsEqual: 0,
    ordersEqual: 0,
    scores: 0,
    scoresBitEqual: 0,
    worstError: 0,
    differences: [],
  };
}

/** Adds one query's answer to the comparison. */
export function compare(into: Comparison, expected: OracleAnswer, found: Answer): void {
  into.queries++;
  if (found.total === expected.total) into.totalsEqual++;
  else into.differences.push(`${expected.name}: total ${found.total}, Lucene ${expected.total}`);
  const wrong = expected.hits.findIndex((hit, i) => found.hits[i]?.id !== hit.id);
  if (wrong < 0 && found.hits.length === expected.hits.length) into.ordersEqual++;
  else {
    const at = wrong < 0 ? expected.hits.length : wrong;
    const [ours, theirs] = [found.hits[at], expected.hits[at]];
    into.differences.push(
      `${expected.name}: hit ${at + 1} is ${show(ours)}, Lucene ${show(theirs)} (${found.hits.length} and ${expected.hits.length} hits)`,
    );
  }
  let shown = false;
  expected.hits.forEach((hit, i) => {
    const ours = found.hits[i];
    if (ours === undefined) return;
    into.scores++;
    if (floatBits(ours.score) === hit.bits) into.scoresBitEqual++;
    else {
      into.worstError = Math.max(into.worstError, Math.abs(ours.score - hit.score) / Math.abs(hit.score));
      if (!shown && ours.id === hit.id) {
        into.differences.push(`${expected.name}: score of ${hit.id} is ${show(ours)}, Lucene ${show(hit)}`);
        shown = true;
      }
    }
  });
}

function show(hit: Hit | undefined): string {
  return hit === undefined ? 'none' : `${hit.id} ${hit.score} (${floatBits(hit.score)})`;
}
