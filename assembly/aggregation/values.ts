import { COLUMN_DOUBLE, COLUMN_GEO } from '../abi/columns';
import { Column, Double } from '../docvalues/column';
import { distance } from '../docvalues/geodesy';
import { evaluateProgram } from '../expression/evaluate';
import { Bitset } from '../memory/bitset';
import { keyOf } from '../segment/segment';
import { Aggregation, BATCH, KEYS } from './aggregation';
import { numberOf } from './rounding';

// The values of a batch of documents, out of the opened column: as many as fit at once, in the order of the documents.

const BLOCK_SHIFT: u32 = 7;
const BLOCK: u32 = 128;
/** With fewer documents in a block its values are read one by one. */
const FEW: u32 = 16;

/** Starts to read a batch. */
export function startValues(agg: Aggregation): void {
  agg.readDoc = 0;
  agg.readValue = 0;
}

/** Reads single values of the documents [i, end) of the batch, all in one block; returns the new number of values. */
function readBlock(agg: Aggregation, docs: usize, i: u32, end: u32, n: u32): u32 {
  const column = agg.opened;
  const present = column.present;
  const values = agg.values;
  const places = agg.places;
  const block = load<u32>(docs + ((<usize>i) << 2)) >> BLOCK_SHIFT;
  const whole = end - i >= FEW && column.kind != COLUMN_GEO;
  if (whole) column.decode(block, agg.block);
  for (let p = i; p < end; p++) {
    const doc = load<u32>(docs + ((<usize>p) << 2));
    if (present && !Bitset.get(present, doc)) continue;
    const value = whole
      ? load<i64>(agg.block + ((<usize>(doc & (BLOCK - 1))) << 3))
      : column.kind == COLUMN_GEO
        ? <i64>doc
        : column.value(doc);
    store<i64>(values + ((<usize>n) << 3), value);
    store<u32>(places + ((<usize>n) << 2), p);
    n++;
  }
  return n;
}

const inputDocs: usize = memory.data(BATCH * 4, 16);
const inputs: usize = memory.data(BATCH * 8, 16);

/** Replaces `m` values by what the program makes of them, or of their documents where there is no field. */
function runProgram(agg: Aggregation, docs: usize, m: u32): void {
  const double = agg.scriptField == <u8>COLUMN_DOUBLE;
  const column = agg.opened;
  const several = agg.scriptField != 0 && column.isSeveral;
  for (let i: usize = 0; i < <usize>m; i++) {
    const place = <usize>load<u32>(agg.places + (i << 2));
    store<u32>(inputDocs + (i << 2), load<u32>(docs + (place << 2)));
    if (!agg.scriptField) continue;
    // As in 1.7 a program sees the first value of a document, as often as that has values.
    const value = several
      ? column.value(column.first(load<u32>(inputDocs + (i << 2))))
      : load<i64>(agg.values + (i << 3));
    store<f64>(inputs + (i << 3), double ? Double.fromOrdered(value) : <f64>value);
  }
  const found = evaluateProgram(agg.program, inputDocs, m, 0, agg.scriptField ? inputs : 0);
  for (let i: usize = 0; i < (<usize>m) << 3; i += 8) {
    const value = load<f64>(found + i);
    store<i64>(
      agg.values + i,
      agg.type == <u8>COLUMN_DOUBLE ? Double.toOrdered(Double.unsigned(value)) : <i64>value,
    );
  }
}

/** The next documents of a batch, each with one value that is not known yet. */
function nextDocs(agg: Aggregation, n: u32): u32 {
  const m = min(n - agg.readDoc, BATCH);
  for (let i: u32 = 0; i < m; i++) store<u32>(agg.places + ((<usize>i) << 2), agg.readDoc + i);
  agg.readDoc += m;
  return m;
}

/** The keys of the next documents of a batch. */
function nextKeys(agg: Aggregation, docs: usize, n: u32): u32 {
  const m = nextDocs(agg, n);
  const segment = agg.context.segment;
  for (let i: usize = 0; i < <usize>m; i++) {
    const place = <usize>load<u32>(agg.places + (i << 2));
    store<i64>(agg.values + (i << 3), <i64>keyOf(segment, load<u32>(docs + (place << 2))));
  }
  return m;
}

/** Of each document the first number that lies within the range: a value of the column, or the distance of a point. */
function nextWithin(agg: Aggregation, docs: usize, n: u32): u32 {
  if (!agg.column) return 0;
  const column = agg.opened;
  const measured = agg.isMeasured;
  const from = load<f64>(agg.ranges);
  const to = load<f64>(agg.ranges, 8);
  let read: u32 = 0;
  let i = agg.readDoc;
  for (; i < n && read < BATCH; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    let v = doc;
    let end = doc + 1;
    if (column.isSeveral) {
      v = column.first(doc);
      end = column.end(doc);
    } else if (column.present && !Bitset.get(column.present, doc)) continue;
    for (; v < end; v++) {
      const number = measured ? distanceTo(agg, column, v) : numberOf(agg, column.value(v));
      if (!(number >= from && number < to)) continue;
      store<i64>(agg.values + ((<usize>read) << 3), measured ? Double.toOrdered(number) : column.value(v));
      store<u32>(agg.places + ((<usize>read) << 2), i);
      read++;
      break;
    }
  }
  agg.readDoc = i;
  return read;
}

/** The distance of a point from the aggregation's, in its unit. */
function distanceTo(agg: Aggregation, column: Column, v: u32): f64 {
  return (
    distance(agg.formula, agg.latitude, agg.longitude, column.latitude(v), column.longitude(v)) / agg.unit
  );
}

/** As `nextRead`, with what the program makes of the values where there is one. */
export function nextValues(agg: Aggregation, docs: usize, n: u32): u32 {
  if (agg.field == KEYS) return nextKeys(agg, docs, n);
  if (agg.isMeasured || agg.takesFirst) return nextWithin(agg, docs, n);
  if (!agg.script) return nextRead(agg, docs, n);
  const m = agg.scriptField ? nextRead(agg, docs, n) : nextDocs(agg, n);
  if (m) runProgram(agg, docs, m);
  return m;
}

/**
 * Reads on: the next values of the `n` documents at `docs`, up to BATCH, to `agg.values`, and which document of the batch each
 * belongs to, to `agg.places`. Of points, the numbers of the values. Returns how many; 0 at the end.
 */
function nextRead(agg: Aggregation, docs: usize, n: u32): u32 {
  if (!agg.column) return 0;
  const column = agg.opened;
  let i = agg.readDoc;
  let read: u32 = 0;
  if (!column.isSeveral) {
    while (i < n && !read) {
      const end = min(n, i + BATCH);
      while (i < end) {
        const block = load<u32>(docs + ((<usize>i) << 2)) >> BLOCK_SHIFT;
        let next = i + 1;
        while (next < end && load<u32>(docs + ((<usize>next) << 2)) >> BLOCK_SHIFT == block) next++;
        read = readBlock(agg, docs, i, next, read);
        i = next;
      }
    }
    agg.readDoc = i;
    return read;
  }
  const points = column.kind == COLUMN_GEO;
  let offset = agg.readValue;
  for (; i < n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    const first = column.first(doc) + offset;
    const end = column.end(doc);
    // What tells values of one document apart from others sees them together, unless they are more than a batch.
    if (read && !offset && end - first > BATCH - read) {
      agg.readDoc = i;
      agg.readValue = 0;
      return read;
    }
    for (let v = first; v < end; v++) {
      if (read == BATCH) {
        agg.readDoc = i;
        agg.readValue = offset + (v - first);
        return read;
      }
      store<i64>(agg.values + ((<usize>read) << 3), points ? <i64>v : column.value(v));
      store<u32>(agg.places + ((<usize>read) << 2), i);
      read++;
    }
    offset = 0;
  }
  agg.readDoc = n;
  agg.readValue = 0;
  return read;
}
