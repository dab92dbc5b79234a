import { COLUMN_GEO, COLUMN_ORDINAL } from '../../abi/columns';
import { RANGE_LOWER, RANGE_LOWER_INCLUDED, RANGE_UPPER, RANGE_UPPER_INCLUDED } from '../../abi/plan';
import { OK } from '../../abi/status';
import { requestAlloc } from '../../memory/arena';
import { u16Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { requestStatus } from '../../requestStatus';
import { columnKindOf, openImageColumn } from '../../segment/fielddata';
import { Segment } from '../../segment/segment';
import { compareBytes } from '../../terms/bytes';
import { TERM_BUFFER_BYTES, TermCursor } from '../../terms/dictionary';
import { addValues } from '../columnSet';
import { rangeNext } from '../decodeMatcher';
import { Decoding } from '../decoding';
import { TermSet } from '../termSet';

// The terms between two bounds.

export function decodeRange(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  rangeNext(node);
}

/** With so many documents to a term of a range the lists of the terms are read, with fewer the column. */
const DOCUMENTS_PER_TERM: u32 = 32;

/** Number of the terms below a bound, or up to it. */
function ordinalOf(terms: TermCursor, ptr: usize, length: u32, after: bool): u32 {
  if (!terms.seekCeil(ptr, length)) return terms.dict.termCount;
  const equal = compareBytes(terms.termPtr, terms.termLength, ptr, length) == 0;
  return after && equal ? terms.ordinal : terms.ordinal - 1;
}

/** Finds the ordinals of a range; whether so many terms are in it that their lists take longer than the column. */
function isWide(set: TermSet, query: Query): bool {
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!at || !buffer) return false;
  const terms = changetype<TermCursor>(at);
  TermCursor.init(terms, set.dict, buffer);
  let first: u32 = 0;
  let end = set.dict.termCount;
  const flags = query.flags;
  if (flags & RANGE_LOWER)
    first = ordinalOf(terms, query.lower, query.lowerLength, !(flags & RANGE_LOWER_INCLUDED));
  if (flags & RANGE_UPPER)
    end = ordinalOf(terms, query.upper, query.upperLength, (flags & RANGE_UPPER_INCLUDED) != 0);
  set.firstOrdinal = first;
  set.endOrdinal = end;
  return end > first && <u64>(end - first) * DOCUMENTS_PER_TERM > <u64>set.segment.docCount;
}

/** The value of a bound that is a term of a number, moved by `step`; `fallback` without bound. */
function boundOf(ptr: usize, step: i64, given: bool, fallback: i64): i64 {
  if (!given) return fallback;
  const value = <i64>(bswap(load<u64>(ptr)) ^ 0x8000000000000000);
  return value + step;
}

/** Adds the documents in the range that `isWide` has found by their values; false without room. */
function addByValues(set: TermSet, query: Query): bool {
  const column = openImageColumn(set.segment, query.field);
  if (requestStatus != OK || column === null) return false;
  if (column.kind == COLUMN_ORDINAL)
    return addValues(column, set.firstOrdinal, <i64>set.endOrdinal - 1, set.bits);
  const flags = query.flags;
  const lower = (flags & RANGE_LOWER) != 0;
  const upper = (flags & RANGE_UPPER) != 0;
  return addValues(
    column,
    boundOf(query.lower, flags & RANGE_LOWER_INCLUDED ? 0 : 1, lower, i64.MIN_VALUE),
    boundOf(query.upper, flags & RANGE_UPPER_INCLUDED ? 0 : -1, upper, i64.MAX_VALUE),
    set.bits,
  );
}

/** Whether the bounds of a range are such as the field's column can be compared with. */
function hasComparable(seg: Segment, query: Query): bool {
  const kind = columnKindOf(seg, query.field);
  if (kind == 0 || kind == COLUMN_GEO) return false;
  if (kind == COLUMN_ORDINAL) return true;
  return (
    (!(query.flags & RANGE_LOWER) || query.lowerLength == 8) &&
    (!(query.flags & RANGE_UPPER) || query.upperLength == 8)
  );
}

export function fillRange(set: TermSet, query: Query): bool {
  if (!set.openField(query.field)) return false;
  if (!set.entry) return true;
  return hasComparable(set.segment, query) && isWide(set, query)
    ? addByValues(set, query)
    : set.addMatching(query);
}
