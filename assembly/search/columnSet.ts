import { COLUMN_GEO } from '../abi/columns';
import { NODE_GEO_BOX, NODE_GEO_DISTANCE } from '../abi/plan';
import { OK } from '../abi/status';
import { Column } from '../docvalues/column';
import { FORMULAS } from '../docvalues/geodesy';
import { Box, Circle, docsInBox, docsInCircle, docsInPolygon } from '../docvalues/geoFilter';
import { BLOCK } from '../docvalues/packed';
import { evaluateProgram } from '../expression/evaluate';
import { openProgram, Program } from '../expression/program';
import { requestAlloc } from '../memory/arena';
import { Bitset, sizeInBytes } from '../memory/bitset';
import { requestStatus } from '../requestStatus';
import { openColumnOf } from '../segment/fielddata';
import { Segment } from '../segment/segment';
import { Query } from '../plan/query';

// Sets of documents that are decided by the values of columns.

/** Bytes of the payload behind the field. */
const DISTANCE_BYTES: u32 = 34;
const BOX_BYTES: u32 = 32;
/** Most corners of a polygon. */
const MAX_CORNERS: u32 = 65535;

/** Bytes of a column node's payload at `ptr`, of which `left` are there; 0 if it is malformed. */
export function columnPayload(kind: u8, ptr: usize, left: usize): u32 {
  let bytes: u32 = BOX_BYTES;
  if (kind == NODE_GEO_DISTANCE) {
    if (left < 2 || load<u8>(ptr) >= FORMULAS || load<u8>(ptr, 1) > 1) return 0;
    bytes = load<u8>(ptr, 1) ? DISTANCE_BYTES + BOX_BYTES : DISTANCE_BYTES;
  } else if (kind != NODE_GEO_BOX) {
    if (left < 2) return 0;
    const corners = <u32>load<u16>(ptr);
    if (!corners || corners > MAX_CORNERS) return 0;
    bytes = 2 + (corners << 4);
  }
  return <usize>bytes <= left ? bytes : 0;
}

function boxOf(ptr: usize): Box | null {
  const at = requestAlloc(offsetof<Box>());
  if (!at) return null;
  const box = changetype<Box>(at);
  box.top = load<f64>(ptr);
  box.left = load<f64>(ptr, 8);
  box.bottom = load<f64>(ptr, 16);
  box.right = load<f64>(ptr, 24);
  return box;
}

function addCircle(column: Column, ptr: usize, bits: usize): bool {
  const at = requestAlloc(offsetof<Circle>());
  if (!at) return false;
  memory.fill(at, 0, offsetof<Circle>());
  const circle = changetype<Circle>(at);
  circle.formula = load<u8>(ptr);
  circle.boxed = load<u8>(ptr, 1) != 0;
  circle.latitude = load<f64>(ptr, 2);
  circle.longitude = load<f64>(ptr, 10);
  circle.lower = load<f64>(ptr, 18);
  circle.upper = load<f64>(ptr, 26);
  if (circle.boxed) {
    const box = boxOf(ptr + DISTANCE_BYTES);
    if (box === null) return false;
    circle.box = box;
  }
  return docsInCircle(column, circle, bits);
}

/** Makes `bits`, all 0, the documents that a column node matches; false without memory. */
export function addByColumn(seg: Segment, query: Query, bits: usize): bool {
  const opened = openColumnOf(seg, query.field, COLUMN_GEO);
  if (requestStatus != OK) return false;
  if (opened === null || opened.kind != COLUMN_GEO) return true;
  if (query.kind == NODE_GEO_DISTANCE) return addCircle(opened, query.lower, bits);
  if (query.kind != NODE_GEO_BOX)
    return docsInPolygon(opened, query.lower + 2, <u32>load<u16>(query.lower), bits);
  const box = boxOf(query.lower);
  return box !== null && docsInBox(opened, box, bits);
}

const someDocs: usize = memory.data(512, 16);

/** Makes `bits`, all 0, the documents for which an expression is not 0 without its fraction; false without memory. */
export function addByExpression(seg: Segment, query: Query, bits: usize): bool {
  const program = changetype<Program>(query.lower);
  if (!openProgram(program, seg)) return false;
  for (let base: u32 = 0; base < seg.docCount; base += BLOCK) {
    const n = min(BLOCK, seg.docCount - base);
    for (let i: u32 = 0; i < n; i++) store<u32>(someDocs + ((<usize>i) << 2), base + i);
    const found = evaluateProgram(program, someDocs, n, 0, 0);
    for (let i: u32 = 0; i < n; i++)
      if (<i64>load<f64>(found + ((<usize>i) << 3)) != 0) Bitset.set(bits, base + i);
  }
  return true;
}

const values: usize = memory.data(1024, 16);

/** Adds the documents with a value from `lower` to `upper`; false without room. */
export function addValues(column: Column, lower: i64, upper: i64, bits: usize): bool {
  let out = bits;
  if (column.isSeveral) {
    const bytes = sizeInBytes(column.valueCount) + 16;
    out = requestAlloc(bytes);
    if (!out) return false;
    memory.fill(out, 0, bytes);
  }
  for (let block: u32 = 0; block < column.blocks; block++) {
    const smallest = column.blockSmallest(block);
    const largest = column.blockLargest(block);
    if (smallest > upper || largest < lower || smallest > largest) continue;
    const n = column.countIn(block);
    const at = out + ((<usize>block) << 4);
    if (smallest >= lower && largest <= upper) {
      store<u64>(at, n >= 64 ? ~(<u64>0) : ((<u64>1) << (<u64>n)) - 1);
      if (n > 64) store<u64>(at, n == BLOCK ? ~(<u64>0) : ((<u64>1) << (<u64>(n - 64))) - 1, 8);
    } else {
      column.decode(block, values);
      let low: u64 = 0;
      let high: u64 = 0;
      for (let i: u32 = 0; i < n; i++) {
        const value = load<i64>(values + ((<usize>i) << 3));
        const bit = (<u64>(value >= lower && value <= upper)) << (<u64>(i & 63));
        if (i < 64) low |= bit;
        else high |= bit;
      }
      store<u64>(at, low);
      store<u64>(at, high, 8);
    }
    if (column.present) {
      store<u64>(at, load<u64>(at) & load<u64>(column.present + ((<usize>block) << 4)));
      store<u64>(at, load<u64>(at, 8) & load<u64>(column.present + ((<usize>block) << 4), 8), 8);
    }
  }
  if (!column.isSeveral) return true;
  for (let doc: u32 = 0; doc < column.docCount; doc++) {
    const end = column.end(doc);
    for (let i = column.first(doc); i < end; i++) {
      if (!Bitset.get(out, i)) continue;
      Bitset.set(bits, doc);
      break;
    }
  }
  return true;
}
