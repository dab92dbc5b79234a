import { AGG_TERMS } from '../abi/aggregations';
import { COLUMN_ORDINAL } from '../abi/columns';
import { hashBytes } from '../analysis/hash';
import { requestAlloc } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { findField, openDictionary, Segment } from '../segment/segment';
import { Automaton } from '../terms/automaton';
import { compareBytes } from '../terms/bytes';
import { BLOCK_TERMS, Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { spend } from '../workLimit';
import { Aggregation, TERMS_EXCLUDE, TERMS_INCLUDE, TERMS_NOT_EMPTY } from './aggregation';
import { addBucket, bucketOf, bucketOfLocal, countIn } from './buckets';

// Buckets by term. Ordinals mean nothing in other segments, so a term is looked up in its dictionary when its ordinal is met first
// in a segment, and gets a number that holds for the whole shard.

/** What stands for a term that is not wanted. */
export const EXCLUDED: u32 = 0x80000000;

/** Opens the terms of a segment; false without memory. */
export function openTerms(agg: Aggregation, seg: Segment): bool {
  agg.terms = 0;
  const entry = findField(seg, agg.field);
  if (agg.type != COLUMN_ORDINAL || !agg.column || !entry) return true;
  const dictAt = requestAlloc(offsetof<Dictionary>());
  const terms = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!dictAt || !terms || !buffer) return false;
  const dict = changetype<Dictionary>(dictAt);
  openDictionary(seg, entry, dict);
  TermCursor.init(changetype<TermCursor>(terms), dict, buffer);
  agg.terms = terms;
  agg.ordinals = dict.termCount;
  const bytes = (<u64>dict.termCount) << 2;
  if (!agg.segmentTerms.reserve(bytes)) return false;
  memory.fill(agg.segmentTerms.at, 0, <usize>bytes);
  return true;
}

/** Address and length of the bytes of term number i. */
export function termBytesAt(agg: Aggregation, i: u32): usize {
  return agg.termBytes.at + agg.termOffsets.u32At(i);
}
export function termLength(agg: Aggregation, i: u32): u32 {
  return agg.termOffsets.u32At(i + 1) - agg.termOffsets.u32At(i);
}

function growTable(agg: Aggregation): bool {
  const size: u32 = agg.termTableSize ? agg.termTableSize << 1 : 64;
  const table = agg.termTable;
  if (!table.reserve((<u64>size) << 2)) return false;
  memory.fill(table.at, 0, (<usize>size) << 2);
  agg.termTableSize = size;
  for (let t: u32 = 0; t < agg.termCount; t++) {
    let at = hashBytes(termBytesAt(agg, t), termLength(agg, t)) & (size - 1);
    while (table.u32At(at)) at = (at + 1) & (size - 1);
    store<u32>(table.at + ((<usize>at) << 2), t + 1);
  }
  return true;
}

/** The number of a term; -1 without memory. */
export function intern(agg: Aggregation, ptr: usize, length: u32): i32 {
  if (agg.termCount >= agg.termTableSize - (agg.termTableSize >> 2) && !growTable(agg)) return -1;
  const size = agg.termTableSize;
  let at = hashBytes(ptr, length) & (size - 1);
  for (;;) {
    const found = agg.termTable.u32At(at);
    if (!found) break;
    const same = compareBytes(termBytesAt(agg, found - 1), termLength(agg, found - 1), ptr, length) == 0;
    if (same) return <i32>(found - 1);
    at = (at + 1) & (size - 1);
  }
  const t = agg.termCount;
  const used = agg.termBytesUsed;
  const end = <u64>used + length;
  if (end > <u64>u32.MAX_VALUE || !agg.termBytes.reserve(end)) return -1;
  if (!agg.termOffsets.reserve((<u64>t + 2) << 2)) return -1;
  memory.copy(agg.termBytes.at + used, ptr, length);
  store<u32>(agg.termOffsets.at + ((<usize>t) << 2), used);
  store<u32>(agg.termOffsets.at + ((<usize>t) << 2), <u32>end, 4);
  agg.termBytesUsed = <u32>end;
  store<u32>(agg.termTable.at + ((<usize>at) << 2), t + 1);
  agg.termCount = t + 1;
  // With one owner buckets are numbered as their terms.
  if (agg.isTop && agg.kind == AGG_TERMS && addBucket(agg, 0, <i64>t) < 0) return -1;
  return <i32>t;
}

/** 1 + the number of the cursor's term, or EXCLUDED; 0 without memory. */
function numberTerm(agg: Aggregation, terms: TermCursor): u32 {
  const ptr = terms.termPtr;
  const length = terms.termLength;
  if (agg.flags & TERMS_NOT_EMPTY && !length) return EXCLUDED;
  if (agg.flags & TERMS_INCLUDE && !changetype<Automaton>(agg.include).accepts(ptr, length)) return EXCLUDED;
  if (agg.flags & TERMS_EXCLUDE && changetype<Automaton>(agg.exclude).accepts(ptr, length)) return EXCLUDED;
  return <u32>(intern(agg, ptr, length) + 1);
}

/** Moves the cursor at `cursor` to the term of an ordinal. */
export function seekOrdinal(cursor: usize, ordinal: u32): TermCursor {
  const terms = changetype<TermCursor>(cursor);
  const block = ordinal & ~(BLOCK_TERMS - 1);
  if (terms.ordinal > ordinal || terms.ordinal <= block) {
    terms.rewind();
    terms.ordinal = block;
  }
  while (terms.ordinal <= ordinal && terms.next()) {}
  return terms;
}

/** Looks the term of an ordinal up: 1 + its number, or EXCLUDED; 0 without memory. */
export function resolve(agg: Aggregation, ordinal: u32): u32 {
  const number = numberTerm(agg, seekOrdinal(agg.terms, ordinal));
  store<u32>(agg.segmentTerms.at + ((<usize>ordinal) << 2), number);
  return number;
}

/** Puts a batch of ordinals into buckets; how many documents go down, or -1 without memory. */
export function collectTerms(agg: Aggregation, docs: usize, owners: usize, m: u32): i32 {
  const passes = agg.childCount != 0;
  let out: u32 = 0;
  for (let i: u32 = 0; i < m; i++) {
    const ordinal = <u32>load<i64>(agg.values + ((<usize>i) << 3));
    let number = agg.segmentTerms.u32At(ordinal);
    if (!number) {
      number = resolve(agg, ordinal);
      if (!number) return -1;
    }
    if (number == EXCLUDED) continue;
    let bucket = number - 1;
    const place = (<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2;
    if (!agg.isTop) {
      const found = bucketOfLocal(agg, load<u32>(owners + place), ordinal, <i64>bucket);
      if (found < 0) return -1;
      bucket = <u32>found;
    }
    countIn(agg, bucket);
    if (!passes) continue;
    store<u32>(agg.outDocs + ((<usize>out) << 2), load<u32>(docs + place));
    store<u32>(agg.outOwners + ((<usize>out) << 2), bucket);
    out++;
  }
  return <i32>out;
}

/** Numbers all terms of the opened segment, which gives them buckets where there is one owner; false without memory. */
export function numberAllTerms(agg: Aggregation): bool {
  if (!agg.terms) return true;
  const terms = changetype<TermCursor>(agg.terms);
  const kept = agg.opened.kept;
  terms.rewind();
  while (terms.next() && spend(4)) {
    if (kept && !Bitset.get(kept, terms.ordinal - 1)) continue;
    if (!numberTerm(agg, terms)) return false;
  }
  return true;
}

/** Adds buckets of an owner for all terms that have a number; false without memory. */
export function addAllTerms(agg: Aggregation, owner: u32): bool {
  for (let t: u32 = 0; t < agg.termCount && spend(2); t++) {
    const key = agg.type == COLUMN_ORDINAL ? <i64>t : load<i64>(termBytesAt(agg, t));
    if (bucketOf(agg, owner, key) < 0) return false;
  }
  return true;
}
