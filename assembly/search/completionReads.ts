import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { PostingsCursor, reach } from '../postings/cursor';
import { requestStatus } from '../requestStatus';
import { setResult } from '../result';
import { FieldEntry, findField, openDictionary } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Dictionary, foundDf, foundPostings, lookupTerm, TERM_BUFFER_BYTES } from '../terms/dictionary';
import { BestTerms } from './bestTerms';
import { NO_WEIGHT, readingEnd } from './completionEntry';
import { u32Next } from '../plan/planReader';
import { PostingsUnion } from './postingsUnion';
import { MAX_RESULT, makeDictionary, walkNext } from './termRequest';
import { TermWalk } from './termWalk';

// The heaviest entries of completions in each segment (README.md, *Reads of terms*).

/** Entries without a weight whose reading has not ended yet: copies, one behind the other, u32 length and bytes. */
@unmanaged
class Waiting {
  at: usize;
  bytes: u32;
  room: u32;

  /** Lets an entry wait; false without room. */
  add(ptr: usize, length: u32): bool {
    const needed = this.bytes + 4 + length;
    if (needed > this.room) {
      const room = max<u32>(needed, this.room << 1);
      const grown = requestAlloc(room);
      if (!grown) return false;
      memory.copy(grown, this.at, this.bytes);
      this.at = grown;
      this.room = room;
    }
    store<u32>(this.at + this.bytes, length);
    memory.copy(this.at + this.bytes + 4, ptr, length);
    this.bytes = needed;
    return true;
  }

  /** Keeps the entries that wait, which weigh as much as their reading has documents. */
  keep(kept: BestTerms, union: PostingsUnion): bool {
    const weight = this.bytes ? union.documents() : 0;
    union.clear();
    for (let at: u32 = 0; at < this.bytes; ) {
      const length = load<u32>(this.at + at);
      if (!kept.add(this.at + at + 4, length, 0, <f64>weight)) return false;
      at += 4 + length;
    }
    this.bytes = 0;
    return true;
  }
}

/** Keeps the heaviest entries of one segment. Entries of one reading stand side by side, those without a weight behind the others. */
function keepEntries(
  walk: TermWalk,
  kept: BestTerms,
  union: PostingsUnion,
  waiting: Waiting,
  reading: usize,
): bool {
  const terms = walk.terms;
  let length: u32 = u32.MAX_VALUE;
  while (walk.next()) {
    const end = terms.termLength;
    const zero = readingEnd(terms.termPtr, end);
    if (zero == end) continue;
    if (zero != length || memory.compare(terms.termPtr, reading, zero) != 0) {
      if (!waiting.keep(kept, union)) return false;
      memory.copy(reading, terms.termPtr, zero);
      length = zero;
    }
    if (!union.add(terms.postingsOffset, terms.df)) return false;
    const weight = bswap<u32>(load<u32>(terms.termPtr + zero + 1));
    const done =
      weight == NO_WEIGHT ? waiting.add(terms.termPtr, end) : kept.add(terms.termPtr, end, 0, <f64>weight);
    if (!done) return false;
  }
  return waiting.keep(kept, union);
}

/** The entries that match of the highest weight in each segment. */
export function readHeaviest(shard: Shard): i32 {
  const limit = u32Next();
  const query = walkNext();
  if (query === null) return requestStatus == OK ? ERR_PLAN : requestStatus;
  const reading = requestAlloc(TERM_BUFFER_BYTES);
  const walk = TermWalk.make(query);
  const dict = makeDictionary();
  const union = PostingsUnion.make();
  const best = requestAlloc(max<u32>(4, shard.segmentCount << 2));
  const waiting = requestAllocZeroed(offsetof<Waiting>());
  if (!reading || walk === null || dict === null || union === null || !best || !waiting) return ERR_MEMORY;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, query.field);
    store<usize>(best + (s << 2), 0);
    if (!entry) continue;
    const kept = BestTerms.ofEntries(limit);
    if (kept === null || !union.start(seg, entry)) return ERR_MEMORY;
    openDictionary(seg, entry, dict);
    walk.start(dict);
    if (!keepEntries(walk, kept, union, changetype<Waiting>(waiting), reading)) return ERR_MEMORY;
    kept.sort();
    store<usize>(best + (s << 2), changetype<usize>(kept));
  }
  return writeEntries(best, shard, query.field, dict);
}

/** Bytes of an entry without its term. */
const ENTRY_BYTES: u32 = 18;

/**
 * Writes the entries that each segment has kept: u32 segments, u32 n, n × (u32 segment, u32 first document, f64 weight, u16 length,
 * bytes), segment by segment.
 */
function writeEntries(best: usize, shard: Shard, field: u32, dict: Dictionary): i32 {
  const cursor = PostingsCursor.make();
  if (cursor === null) return ERR_MEMORY;
  let bytes: u64 = 8;
  let n: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const at = load<usize>(best + (s << 2));
    if (!at) continue;
    const kept = changetype<BestTerms>(at);
    n += kept.count;
    for (let i: u32 = 0; i < kept.count; i++) bytes += ENTRY_BYTES + kept.term(i).length;
  }
  const out = bytes <= MAX_RESULT ? requestAlloc(<u32>bytes) : 0;
  if (!out) return bytes <= MAX_RESULT ? ERR_MEMORY : ERR_LIMIT;
  store<u32>(out, shard.segmentCount);
  store<u32>(out, n, 4);
  let to = out + 8;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const at = load<usize>(best + (s << 2));
    if (!at) continue;
    const kept = changetype<BestTerms>(at);
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    const flags = <u8>FieldEntry.flags(entry);
    openDictionary(seg, entry, dict);
    for (let i: u32 = 0; i < kept.count; i++) {
      const term = kept.term(i);
      lookupTerm(dict, term.ptr, term.length);
      cursor.start(FieldEntry.postings(seg, entry) + foundPostings, foundDf, flags, 0, 0, 0);
      store<u32>(to, s);
      store<u32>(to, reach(cursor, 0), 4);
      store<f64>(to, term.worth, 8);
      store<u16>(to, <u16>term.length, 16);
      memory.copy(to + ENTRY_BYTES, term.ptr, term.length);
      to += ENTRY_BYTES + term.length;
    }
  }
  setResult(out, <u32>bytes);
  return OK;
}
