import { AGG_DISTANCE, AGG_HISTOGRAM, AGG_RANGE, AGG_TERMS } from '../abi/aggregations';
import { COLUMN_LONG, COLUMN_ORDINAL } from '../abi/columns';
import { Column } from '../docvalues/column';
import { Aggregation } from './aggregation';
import { bucketOf } from './buckets';
import { countRanges } from './bounds';
import { pieceOf } from './pieces';
import { startRanges } from './ranges';
import { EXCLUDED, resolve } from './terms';

// Aggregations of the top with nothing below them count documents without naming them: 128 at a time, a block of the column and
// two words of a bitset. What is counted is a tally by ordinal or piece of the segment, which becomes buckets when the segment ends.

const BLOCK: u32 = 128;
/** With fewer documents in a block its values are read one by one. */
const FEW: u32 = 24;

/** Prepares an opened aggregation of the top; whether it counts by blocks is in `byBlocks`. False without memory. */
export function openBlocks(agg: Aggregation): bool {
  agg.byBlocks = false;
  if (agg.childCount || agg.script || agg.isMeasured || !agg.column || agg.opened.isSeveral) return true;
  switch (agg.kind) {
    case AGG_TERMS:
      if (agg.type != COLUMN_ORDINAL || !agg.terms) return true;
      if (!agg.tally.reserve((<u64>agg.ordinals) << 2)) return false;
      break;
    case AGG_HISTOGRAM:
      if (!agg.pieceCount) return true;
      if (!agg.tally.reserve((<u64>agg.pieceCount) << 2)) return false;
      break;
    case AGG_RANGE:
    case AGG_DISTANCE:
      if (!agg.boundCount) return true;
      if (!startRanges(agg, 1)) return false;
      break;
    default:
      return true;
  }
  if (agg.tally.room) memory.fill(agg.tally.at, 0, agg.tally.room);
  agg.byBlocks = true;
  return true;
}

class Tally {
  @inline static add(tally: usize, i: u32): void {
    const at = tally + ((<usize>i) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** As `pieceOf` for 128 whole numbers. */
function tallyPieces(agg: Aggregation, values: usize): void {
  const tally = agg.tally.at;
  const least = agg.pieceLeast;
  const shift = <i64>agg.pieceShift;
  const slots = agg.pieceSlots.at;
  const ends = agg.pieceStarts.at + 8;
  for (let i: usize = 0; i < 1024; i += 8) {
    const value = load<i64>(values + i);
    const piece = load<u32>(slots + ((<usize>((value - least) >> shift)) << 2));
    Tally.add(tally, piece + u32(load<i64>(ends + ((<usize>piece) << 3)) <= value));
  }
}

function tallyOne(agg: Aggregation, tally: usize, value: i64): void {
  Tally.add(tally, agg.kind == AGG_TERMS ? <u32>value : pieceOf(agg, value));
}

/** Counts the documents of a block that are set in two words. */
function tallyBlock(agg: Aggregation, column: Column, block: u32, low: u64, high: u64): void {
  const tally = agg.tally.at;
  const n = <u32>(popcnt<u64>(low) + popcnt<u64>(high));
  if (n < FEW) {
    const first = block * BLOCK;
    for (let word = low; word; word &= word - 1)
      tallyOne(agg, tally, column.value(first + <u32>ctz<u64>(word)));
    for (let word = high; word; word &= word - 1)
      tallyOne(agg, tally, column.value(first + 64 + <u32>ctz<u64>(word)));
    return;
  }
  const values = agg.block;
  column.decode(block, values);
  if (n == BLOCK) {
    if (agg.kind == AGG_TERMS) {
      for (let i: usize = 0; i < 1024; i += 8) Tally.add(tally, <u32>load<i64>(values + i));
    } else if (column.kind == COLUMN_LONG) {
      tallyPieces(agg, values);
    } else {
      for (let i: usize = 0; i < 1024; i += 8) Tally.add(tally, pieceOf(agg, load<i64>(values + i)));
    }
    return;
  }
  for (let word = low; word; word &= word - 1)
    tallyOne(agg, tally, load<i64>(values + ((<usize>ctz<u64>(word)) << 3)));
  for (let word = high; word; word &= word - 1)
    tallyOne(agg, tally, load<i64>(values + ((<usize>ctz<u64>(word)) << 3), 512));
}

/** Counts the documents that are set among `words` words at `bits`, the first of which is `base`, a multiple of 128. */
export function collectBlocks(agg: Aggregation, base: u32, words: u32, bits: usize): void {
  const column = agg.opened;
  const present = column.present;
  const ranges = agg.kind == AGG_RANGE || agg.kind == AGG_DISTANCE;
  for (let w: u32 = 0; w < words; w += 2) {
    const at = bits + ((<usize>w) << 3);
    let low = load<u64>(at);
    let high = w + 1 < words ? load<u64>(at, 8) : 0;
    const first = base + (w << 6);
    if (present) {
      low &= load<u64>(present + (first >> 3));
      if (high) high &= load<u64>(present + (first >> 3), 8);
    }
    if ((low | high) == 0) continue;
    if (ranges) countRanges(agg, column, first / BLOCK, low, high);
    else tallyBlock(agg, column, first / BLOCK, low, high);
  }
}

/** Makes buckets of what was counted in the segment; false without memory. */
export function closeBlocks(agg: Aggregation): bool {
  if (agg.kind != AGG_TERMS && agg.kind != AGG_HISTOGRAM) return true;
  const tally = agg.tally;
  const n = agg.kind == AGG_TERMS ? agg.ordinals : agg.pieceCount;
  for (let i: u32 = 0; i < n; i++) {
    const count = tally.u32At(i);
    if (!count) continue;
    let bucket: i32;
    if (agg.kind == AGG_TERMS) {
      const number = resolve(agg, i);
      if (!number) return false;
      if (number == EXCLUDED) continue;
      bucket = <i32>number - 1;
    } else {
      bucket = bucketOf(agg, 0, agg.pieceKeys.i64At(i));
      if (bucket < 0) return false;
    }
    const at = agg.counts.at + ((<usize>bucket) << 2);
    store<u32>(at, load<u32>(at) + count);
  }
  return true;
}
