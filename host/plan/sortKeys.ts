/** The keys that hits are sorted by, and how plans write them (assembly/search/README.md, *Sort section*). */

import { SortSource } from '../core/abi/plan.js';
import { type BoundExpression, writeProgram } from '../expression/program.js';
import type { GeoPoint } from '../geo/geoPoints.js';
import { encodeDouble, halves } from '../mapping/terms.js';
import type { PlanBytes } from '../core/planBytes.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** How several values of a document count. */
export const SortMode = { min: 0, max: 1, sum: 2, avg: 3 } as const;
export type SortMode = (typeof SortMode)[keyof typeof SortMode];

/** The formulas of distances, as plans number them. */
export const Formula = { sloppy_arc: 0, arc: 1, plane: 2, factor: 3 } as const;
export type Formula = (typeof Formula)[keyof typeof Formula];

interface ScoreKey {
  kind: 'score';
  descending: boolean;
}
/** The number of the document in its shard. */
interface DocumentKey {
  kind: 'document';
  descending: boolean;
}
/** A text about a document, such as `_uid`: the core doesn't know it. */
export interface MetaKey {
  kind: 'meta';
  descending: boolean;
  missing: 'first' | 'last' | Uint8Array;
  /** The text of a document; null where it has none. */
  textOf(document: StoredDocument): string | null;
  /** Whether all documents of the index have the same. */
  isOne: boolean;
}
export interface ColumnKey<Filter = unknown> {
  kind: 'column';
  descending: boolean;
  field: number;
  type: 'long' | 'double' | 'string';
  /** Fractions of 32 bits are shown as such. */
  single: boolean;
  mode: SortMode;
  /** What documents without a value have; strings may also go to an end. */
  missing: bigint | number | Uint8Array | 'first' | 'last';
  /** Which nested documents have the values; undefined: the documents have them themselves. */
  inside?: Filter | undefined;
}
export interface DistanceKey<Filter = unknown> {
  kind: 'distance';
  descending: boolean;
  field: number;
  formula: Formula;
  /** Metres of the unit. */
  unit: number;
  points: GeoPoint[];
  mode: SortMode;
  inside?: Filter | undefined;
}
export interface ScriptKey {
  kind: 'script';
  descending: boolean;
  script: BoundExpression;
  /** Whether numbers are compared and shown as texts. */
  textual: boolean;
}
/** `Filter` is what says which nested documents have the values. */
export type SortKey<Filter = unknown> =
  | ScoreKey
  | DocumentKey
  | MetaKey
  | ColumnKey<Filter>
  | DistanceKey<Filter>
  | ScriptKey;

/** How the hits of a search are sorted. */
export interface Sort<Filter = unknown> {
  keys: SortKey<Filter>[];
  /** Whether hits have scores although no key needs them. */
  trackScores: boolean;
}

/** Whether the order of the hits depends on what the core doesn't know; it then gives all of them. */
export function needsAllHits(sort: Sort): boolean {
  return sort.keys.some(
    (key) => (key.kind === 'meta' && !key.isOne) || (key.kind === 'script' && key.textual),
  );
}

/** The keys that the core sorts by; there is always one. */
export function coreKeys<Filter>(sort: Sort<Filter>): Exclude<SortKey<Filter>, MetaKey>[] {
  const keys = sort.keys.filter((key) => key.kind !== 'meta');
  return keys.length > 0 ? keys : [{ kind: 'document', descending: false }];
}

const TYPES = { long: 1, double: 2, string: 3 } as const;

/** What the keys by nested documents' values go by, each with its number among the keys. */
export function insideKeys<Filter>(sort: Sort<Filter> | undefined): { number: number; inside: Filter }[] {
  if (sort === undefined) return [];
  return coreKeys(sort).flatMap((key, number) =>
    'inside' in key && key.inside !== undefined ? [{ number, inside: key.inside }] : [],
  );
}

/** Writes the sort section of a plan. */
export function writeSort(sort: Sort, out: PlanBytes): void {
  const keys = coreKeys(sort);
  out.u8(sort.trackScores ? 1 : 0);
  out.u8(Math.min(keys.length, 0xff));
  for (const key of keys) {
    out.u8(SortSource[key.kind]);
    const mode = 'mode' in key ? key.mode : 0;
    const missing = 'missing' in key ? (key.missing === 'last' ? 1 : key.missing === 'first' ? 2 : 0) : 0;
    out.u8((key.descending ? 1 : 0) | (mode << 1) | (missing << 3));
    if (key.kind === 'script') writeProgram(key.script, out);
    else if (key.kind === 'column') {
      out.u16(key.field);
      out.u8(TYPES[key.type]);
      if (typeof key.missing === 'bigint') out.i64(key.missing);
      else if (typeof key.missing === 'number') out.i64(orderedOf(key.missing));
      else out.term(key.missing instanceof Uint8Array ? key.missing : new Uint8Array(0));
    } else if (key.kind === 'distance') {
      out.u16(key.field);
      out.u8(key.formula);
      out.f64(key.unit);
      out.u16(key.points.length);
      for (const { lat, lon } of key.points) {
        out.f64(lat);
        out.f64(lon);
      }
    }
  }
}

/** A fraction as the whole number of the same order. */
export function orderedOf(value: number): bigint {
  encodeDouble(value);
  return BigInt.asIntN(64, ((BigInt(halves.high) << 32n) | BigInt(halves.low)) ^ (1n << 63n));
}
