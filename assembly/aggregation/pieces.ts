import { COLUMN_DOUBLE } from '../abi/columns';
import { Column, Double } from '../docvalues/column';
import { Aggregation } from './aggregation';
import { roundedKey, wholeValue } from './rounding';

// The pieces of a histogram in a segment: spans of values that have one key, numbered from that of the column's smallest value on. Where
// they are few, the piece of a value is looked up: values are cut into slots no wider than a piece, so that a slot knows the only
// two pieces that it can lie in.
//
//     starts   i64 first value of each piece, then the largest number
//     keys     i64 key of each piece
//     slots    u32 the piece that the slot's first value is in

/** More pieces, or more slots, are not worth it. */
const MAX_PIECES: u32 = 1 << 16;
const MAX_SLOTS: u64 = 1 << 18;
/** As many pieces as that are worth it in a segment of any size. */
const FEW_PIECES: u32 = 256;

/** Finds the pieces of the opened column, or that there are too many: then `pieceCount` is 0. False without memory. */
export function openPieces(agg: Aggregation, column: Column): bool {
  agg.pieceCount = 0;
  const double = column.kind == COLUMN_DOUBLE;
  const smallest = double ? <i64>Double.fromOrdered(column.smallest) : column.smallest;
  const largest = double ? <i64>Double.fromOrdered(column.largest) : column.largest;
  if (largest < smallest || <u64>(largest - smallest) >= 1 << 53) return true;
  const most = min(MAX_PIECES, max(FEW_PIECES, column.docs >> 2));
  const starts = agg.pieceStarts;
  let n: u32 = 0;
  let narrowest: u64 = <u64>(largest - smallest) + 1;
  for (let value = smallest; value <= largest; n++) {
    if (n == most) return true;
    const key = roundedKey(agg, value);
    const end = agg.pieceEnd;
    if (end <= value) return true;
    if (!starts.reserve((<u64>n + 2) << 3) || !agg.pieceKeys.reserve((<u64>n + 1) << 3)) return false;
    store<i64>(starts.at + ((<usize>n) << 3), value);
    store<i64>(agg.pieceKeys.at + ((<usize>n) << 3), key);
    if (end <= largest) narrowest = min(narrowest, <u64>(end - value));
    value = end;
  }
  store<i64>(starts.at + ((<usize>n) << 3), i64.MAX_VALUE);
  const shift = 63 - <u32>clz<u64>(narrowest);
  const slots = (<u64>(largest - smallest) >> <u64>shift) + 1;
  if (slots > MAX_SLOTS) return true;
  if (!agg.pieceSlots.reserve(slots << 2)) return false;
  let piece: u32 = 0;
  for (let s: u32 = 0; s < <u32>slots; s++) {
    const first = smallest + ((<i64>s) << (<i64>shift));
    while (load<i64>(starts.at + ((<usize>piece) << 3), 8) <= first) piece++;
    store<u32>(agg.pieceSlots.at + ((<usize>s) << 2), piece);
  }
  agg.pieceCount = n;
  agg.pieceLeast = smallest;
  agg.pieceShift = shift;
  return true;
}

/** The piece of a value of the column. */
export function pieceOf(agg: Aggregation, value: i64): u32 {
  const whole = wholeValue(agg, value);
  const slot = <usize>((whole - agg.pieceLeast) >> <i64>agg.pieceShift);
  const piece = load<u32>(agg.pieceSlots.at + (slot << 2));
  return piece + u32(load<i64>(agg.pieceStarts.at + ((<usize>piece) << 3), 8) <= whole);
}
