/**
 * Reads the columns of a segment's image as assembly/segment/README.md draws them, and insists that they say the same as the
 * postings: the values of a document are the terms that it has, in their order. Nothing is clever.
 */

import type { DecodedField } from './segmentReader.js';

const KINDS = ['', 'long', 'double', 'ordinal', 'geo'] as const;

/** What a document has in a column: whole numbers, fractions, ordinals, or points (latitude, longitude). */
export type ColumnValue = bigint | number | readonly [number, number];

export interface DecodedColumn {
  field: number;
  kind: (typeof KINDS)[number];
  /** Whether the several form is used. */
  several: boolean;
  divisor: bigint;
  /** By document. */
  values: ColumnValue[][];
}

const BLOCK = 128;

function insist(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not a well-formed column: ${what}`);
}

/** The fraction that an ordered whole number stands for. */
export function fractionOf(ordered: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, ordered < 0n ? ordered ^ 0x7fff_ffff_ffff_ffffn : ordered);
  return view.getFloat64(0);
}

/** The whole number that a term of eight bytes (one character each) stands for. */
function orderedOf(term: string): bigint {
  let value = 0n;
  for (const byte of term) value = (value << 8n) | BigInt(byte.charCodeAt(0));
  return BigInt.asIntN(64, value ^ (1n << 63n));
}

/** A packed sequence; undefined where a block has nothing but missing values. */
function readPacked(bytes: Uint8Array, at: number, n: number, divisor: bigint): (bigint | undefined)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = Math.ceil(n / BLOCK);
  const data = at + 24 * blocks;
  const values: (bigint | undefined)[] = [];
  let end = 0;
  for (let b = 0; b < blocks; b++) {
    const entry = at + 24 * b;
    const smallest = view.getBigInt64(entry, true);
    const largest = view.getBigInt64(entry + 8, true);
    const bits = bytes[entry + 20]!;
    const count = Math.min(n - b * BLOCK, BLOCK);
    insist(view.getUint32(entry + 16, true) === end, 'data of a block');
    insist(bits <= 56 || bits === 64, 'width of a block');
    const from = BigInt(data + end) * 8n;
    end += Math.ceil((count * bits) / 8);
    for (let i = 0; i < count; i++) {
      let packed = 0n;
      for (let k = 0; k < bits; k++) {
        const bit = from + BigInt(i * bits + k);
        packed |= BigInt((bytes[Number(bit >> 3n)]! >> Number(bit & 7n)) & 1) << BigInt(k);
      }
      const value = smallest + packed * divisor;
      if (largest < smallest) {
        insist(smallest === 0n && largest === -1n && bits === 0, 'a block of missing values');
        values.push(undefined);
      } else {
        insist(value <= largest, 'bounds of a block');
        values.push(value);
      }
    }
  }
  insist(
    bytes.subarray(data + end, data + end + 8).every((byte) => byte === 0),
    'zeros after packed values',
  );
  return values;
}

/** What the postings say: by document its terms' values. */
function expected(field: DecodedField, kind: DecodedColumn['kind'], docs: number): ColumnValue[][] {
  const values: ColumnValue[][] = Array.from({ length: docs }, () => []);
  field.terms.forEach(({ term, postings }, ordinal) => {
    let value: ColumnValue = BigInt(ordinal);
    if (kind === 'long') value = orderedOf(term);
    else if (kind === 'double') value = fractionOf(orderedOf(term));
    else if (kind === 'geo')
      value = [fractionOf(orderedOf(term.slice(0, 8))), fractionOf(orderedOf(term.slice(8)))];
    for (const { doc } of postings) values[doc]!.push(value);
  });
  return values;
}

function readColumn(bytes: Uint8Array, entry: number, docs: number, fields: DecodedField[]): DecodedColumn {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (at: number) => view.getUint32(entry + at, true);
  const number = view.getUint16(entry, true);
  const kind = KINDS[bytes[entry + 2]!]!;
  const field = fields.find((each) => each.field === number);
  insist(field !== undefined && kind !== '', 'field of a column');
  const several = u32(16) !== 0;
  const n = u32(4);
  const divisor = view.getBigInt64(entry + 48, true);
  insist(bytes[entry + 3] === 0 && view.getBigUint64(entry + 56, true) === 0n, 'zeros of an entry');
  const present = (doc: number) => u32(12) === 0 || ((bytes[u32(12) + (doc >> 3)]! >> (doc & 7)) & 1) === 1;
  let stored: (ColumnValue | undefined)[];
  if (kind === 'geo') {
    const stride = Math.ceil(n / 4) * 4;
    stored = Array.from({ length: n }, (_, i) => {
      const latitude = view.getFloat64(u32(20) + 8 * i, true);
      const longitude = view.getFloat64(u32(24) + 8 * i, true);
      const [x, y, z] = [0, 1, 2].map((k) => view.getFloat32(u32(28) + 4 * (k * stride + i), true));
      if (several || present(i)) {
        const [a, b] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
        insist(Math.abs(x! - Math.cos(a) * Math.cos(b)) < 1e-6, 'x of a point');
        insist(Math.abs(y! - Math.cos(a) * Math.sin(b)) < 1e-6, 'y of a point');
        insist(Math.abs(z! - Math.sin(a)) < 1e-6, 'z of a point');
      } else {
        insist(Number.isNaN(x) && Number.isNaN(y) && Number.isNaN(z), 'a missing point');
      }
      return [latitude, longitude] as const;
    });
  } else {
    const packed = readPacked(bytes, u32(20), n, divisor);
    const there = packed.filter(
      (value, i): value is bigint => value !== undefined && (several || present(i)),
    );
    const smallest = view.getBigInt64(entry + 32, true);
    const largest = view.getBigInt64(entry + 40, true);
    insist(there.includes(smallest) && there.every((value) => value >= smallest), 'smallest value');
    insist(there.includes(largest) && there.every((value) => value <= largest), 'largest value');
    stored = kind === 'double' ? packed.map((value) => value && fractionOf(value)) : packed;
  }
  let values: ColumnValue[][];
  if (several) {
    const starts = readPacked(bytes, u32(16), docs + 1, 1n).map(Number);
    insist(starts[0] === 0 && starts[docs] === n, 'starts');
    values = Array.from({ length: docs }, (_, doc) =>
      stored.slice(starts[doc], starts[doc + 1]).map((value) => value!),
    );
  } else {
    insist(n === docs, 'values of the single form');
    insist((u32(12) !== 0) === u32(8) < docs, 'set of present documents');
    values = stored.map((value, doc) => (present(doc) ? [value!] : []));
  }
  insist(values.filter((each) => each.length > 0).length === u32(8), 'documents with a value');
  const wanted = expected(field, kind, docs);
  values.forEach((each, doc) => {
    insist(String(each) === String(wanted[doc]), `values of document ${doc} in field ${number}`);
  });
  return { field: number, kind, several, divisor, values };
}

/** Decodes the columns of an image, of which the rest was decoded already. */
export function readColumns(
  bytes: Uint8Array,
  table: number,
  count: number,
  docs: number,
  fields: DecodedField[],
): DecodedColumn[] {
  const columns = Array.from({ length: count }, (_, i) => readColumn(bytes, table + 64 * i, docs, fields));
  for (const [i, column] of columns.entries())
    insist(i === 0 || column.field > columns[i - 1]!.field, 'order of the columns');
  return columns;
}
