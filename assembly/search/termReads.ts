import { COLUMN_ORDINAL } from '../abi/columns';
import { ERR_INTERRUPTED, ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { seekOrdinal } from '../aggregation/terms';
import { Column } from '../docvalues/column';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import { PostingsCursor } from '../postings/cursor';
import { requestStatus, startRequest } from '../requestStatus';
import { setResult } from '../result';
import { openColumn } from '../segment/fielddata';
import { docOfKey, FIELD_FREQS, FieldEntry, findField, openDictionary } from '../segment/segment';
import { Shard } from '../segment/shards';
import { compareBytes } from '../terms/bytes';
import {
  BLOCK_TERMS,
  Dictionary,
  foundDf,
  foundPostings,
  lookupTerm,
  TERM_BUFFER_BYTES,
  TermCursor,
} from '../terms/dictionary';
import { exhausted, spend, startWorkLimit } from '../workLimit';
import { BestTerms } from './bestTerms';
import { readHeaviest } from './completionReads';
import { frequencySum, listFrequency, postingsSum } from './frequencies';
import { bytesNext, f32Next, readAll, startReading, u8Next, u16Next, u32Next } from '../plan/planReader';
import { Query } from '../plan/query';
import { MAX_RESULT, makeDictionary, walkNext } from './termRequest';
import { TermWalk } from './termWalk';

// Reads of the dictionaries themselves, for suggesters and statistics (README.md, *Reads of terms*). Deleted documents count
// until a merge drops them, as in Lucene.

const READ_FIELDS: u8 = 1;
const READ_FREQUENCIES: u8 = 2;
const READ_ALIKE: u8 = 3;
const READ_HEAVIEST: u8 = 4;
const READ_VALUES: u8 = 5;

/** Documents whose values are read at once. */
const MAX_VALUE_KEYS: u32 = 1 << 20;
/** Bytes of a field's statistics without its terms. */
const FIELD_BYTES: u32 = 36;

// ------------------------------------------------------------------------------------------------ statistics

/** The smallest and the largest term of a field so far: bytes in the arena. */
@unmanaged
class Ends {
  smallest: usize;
  smallestLength: u32;
  largest: usize;
  largestLength: u32;

  /** Takes the ends of a dictionary into account; false without room. */
  widen(terms: TermCursor, dict: Dictionary, buffer: usize): bool {
    TermCursor.init(terms, dict, buffer);
    if (!terms.next()) return true;
    if (
      !this.smallest ||
      compareBytes(terms.termPtr, terms.termLength, this.smallest, this.smallestLength) < 0
    ) {
      this.smallestLength = terms.termLength;
      this.smallest = copyTerm(terms);
      if (!this.smallest) return false;
    }
    terms.rewind();
    terms.ordinal = (dict.blockCount - 1) * BLOCK_TERMS;
    for (let left = dict.termCount - terms.ordinal; left; left--) if (!terms.next()) break;
    if (
      !this.largest ||
      compareBytes(terms.termPtr, terms.termLength, this.largest, this.largestLength) > 0
    ) {
      this.largestLength = terms.termLength;
      this.largest = copyTerm(terms);
      if (!this.largest) return false;
    }
    return true;
  }
}

/** A copy of the cursor's term; 0 without room. */
function copyTerm(terms: TermCursor): usize {
  const copy = requestAlloc(max<u32>(1, terms.termLength));
  if (copy) memory.copy(copy, terms.termPtr, terms.termLength);
  return copy;
}

/** Statistics of fields. */
function readFields(shard: Shard): i32 {
  const n = <u32>u16Next();
  const fields = bytesNext(n << 1);
  if (requestStatus != OK || !readAll()) return ERR_PLAN;
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  const dict = makeDictionary();
  const parts = requestAlloc(max<u32>(1, n << 2));
  if (!at || !buffer || dict === null || !parts) return ERR_MEMORY;
  memory.fill(at, 0, offsetof<TermCursor>());
  const terms = changetype<TermCursor>(at);
  let bytes: u64 = 8;
  for (let i: u32 = 0; i < n; i++) {
    const field = <u32>load<u16>(fields + (i << 1));
    const endsAt = requestAllocZeroed(offsetof<Ends>());
    if (!endsAt) return ERR_MEMORY;
    const ends = changetype<Ends>(endsAt);
    let holders: u32 = 0;
    let docs: u32 = 0;
    let count: u32 = 0;
    let postings: f64 = 0;
    let occurrences: f64 = 0;
    for (let s: u32 = 0; s < shard.segmentCount; s++) {
      const seg = shard.segment(s);
      const entry = findField(seg, field);
      if (!entry || !FieldEntry.terms(entry)) continue;
      openDictionary(seg, entry, dict);
      const own = frequencySum(seg, entry);
      if (own < 0 || !ends.widen(terms, dict, buffer)) return ERR_MEMORY;
      holders++;
      docs += FieldEntry.docs(entry);
      count += dict.termCount;
      postings += postingsSum(seg, entry);
      if (!(FieldEntry.flags(entry) & FIELD_FREQS)) occurrences = -1;
      else if (occurrences >= 0) occurrences += own;
    }
    const size = FIELD_BYTES + ends.smallestLength + ends.largestLength;
    const out = requestAlloc(size);
    if (!out) return ERR_MEMORY;
    store<u32>(out, holders);
    store<u32>(out, docs, 4);
    store<u32>(out, count, 8);
    store<f64>(out, postings, 12);
    store<f64>(out, occurrences, 20);
    store<u32>(out, ends.smallestLength, 28);
    store<u32>(out, ends.largestLength, 32);
    memory.copy(out + FIELD_BYTES, ends.smallest, ends.smallestLength);
    memory.copy(out + FIELD_BYTES + ends.smallestLength, ends.largest, ends.largestLength);
    store<u32>(parts + (i << 2), <u32>out);
    bytes += size;
  }
  const out = bytes <= MAX_RESULT ? requestAlloc(<u32>bytes) : 0;
  if (!out) return ERR_MEMORY;
  let documents: u32 = 0;
  let live: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    documents += shard.segment(s).docCount;
    live += shard.segment(s).liveCount;
  }
  store<u32>(out, documents);
  store<u32>(out, live, 4);
  let to = out + 8;
  for (let i: u32 = 0; i < n; i++) {
    const part = <usize>load<u32>(parts + (i << 2));
    const size = FIELD_BYTES + load<u32>(part, 28) + load<u32>(part, 32);
    memory.copy(to, part, size);
    to += size;
  }
  setResult(out, <u32>bytes);
  return OK;
}

/** Document frequencies and occurrences of terms. */
function readFrequencies(shard: Shard): i32 {
  const n = u32Next();
  const bytes = <u64>n * 12;
  const out = bytes <= MAX_RESULT ? requestAlloc(max<u32>(1, <u32>bytes)) : 0;
  const dict = makeDictionary();
  const cursor = PostingsCursor.make();
  if (!out || dict === null || cursor === null) return ERR_MEMORY;
  for (let i: u32 = 0; i < n; i++) {
    const field = <u32>u16Next();
    const length = <u32>u16Next();
    const term = bytesNext(length);
    if (requestStatus != OK) return ERR_PLAN;
    if (!spend(16)) return ERR_INTERRUPTED;
    let df: u32 = 0;
    let occurrences: f64 = 0;
    for (let s: u32 = 0; s < shard.segmentCount; s++) {
      const seg = shard.segment(s);
      const entry = findField(seg, field);
      if (!entry) continue;
      openDictionary(seg, entry, dict);
      if (!lookupTerm(dict, term, length)) continue;
      df += foundDf;
      occurrences += listFrequency(cursor, seg, entry, foundDf, foundPostings);
    }
    const to = out + <usize>i * 12;
    store<u32>(to, df);
    store<f64>(to, occurrences, 4);
  }
  if (!readAll()) return ERR_PLAN;
  setResult(out, <u32>bytes);
  return OK;
}

// ---------------------------------------------------------------------------------------------------- walks

/** Walks over the dictionaries of all segments that have a field: array of TermWalk pointers, and how many are not at their end. */
@unmanaged
class Walks {
  list: usize;
  count: i32;

  /** Each before its first term; null without room. */
  static open(shard: Shard, query: Query): Walks | null {
    const at = requestAlloc(offsetof<Walks>());
    const list = requestAlloc(max<u32>(1, shard.segmentCount << 2));
    if (!at || !list) return null;
    const walks = changetype<Walks>(at);
    walks.list = list;
    walks.count = 0;
    for (let s: u32 = 0; s < shard.segmentCount; s++) {
      const seg = shard.segment(s);
      const entry = findField(seg, query.field);
      if (!entry) continue;
      const walk = TermWalk.make(query);
      const dict = makeDictionary();
      if (walk === null || dict === null) return null;
      openDictionary(seg, entry, dict);
      walk.start(dict);
      setPointer(list, walks.count++, changetype<usize>(walk));
    }
    return walks;
  }

  at(i: i32): TermWalk {
    return changetype<TermWalk>(load<usize>(this.list + ((<usize>i) << 2)));
  }

  /** Moves a walk on; at its end it leaves the list, and the last one takes its place. */
  advance(i: i32): void {
    if (!this.at(i).next()) setPointer(this.list, i, changetype<usize>(this.at(--this.count)));
  }
}

/** Writes the kept terms: u32 n, n × (u32 document frequency, f64 worth, u16 length, bytes). */
function writeTerms(kept: BestTerms): i32 {
  kept.sort();
  let bytes: u64 = 4;
  for (let i: u32 = 0; i < kept.count; i++) bytes += 14 + kept.term(i).length;
  const out = bytes <= MAX_RESULT ? requestAlloc(<u32>bytes) : 0;
  if (!out) return bytes <= MAX_RESULT ? ERR_MEMORY : ERR_LIMIT;
  store<u32>(out, kept.count);
  let to = out + 4;
  for (let i: u32 = 0; i < kept.count; i++) {
    const term = kept.term(i);
    store<u32>(to, term.df);
    store<f64>(to, term.worth, 4);
    store<u16>(to, <u16>term.length, 12);
    memory.copy(to + 14, term.ptr, term.length);
    to += 14 + term.length;
  }
  setResult(out, <u32>bytes);
  return OK;
}

/** The terms that match with more than so many documents, those of the highest boost, with frequencies of all segments. */
function readAlike(shard: Shard): i32 {
  const above = u32Next();
  const least = f32Next();
  const limit = u32Next();
  const kept = BestTerms.make(limit);
  const query = walkNext();
  if (kept === null || query === null) return requestStatus == OK ? ERR_PLAN : requestStatus;
  const walks = Walks.open(shard, query);
  if (walks === null) return ERR_MEMORY;
  for (let i = walks.count - 1; i >= 0; i--) walks.advance(i);
  while (walks.count) {
    const n = walks.count;
    // The smallest term of all dictionaries.
    let first = walks.at(0);
    let several = false;
    for (let i: i32 = 1; i < n; i++) {
      const walk = walks.at(i);
      const order = compareBytes(
        walk.terms.termPtr,
        walk.terms.termLength,
        first.terms.termPtr,
        first.terms.termLength,
      );
      if (order < 0) first = walk;
      several = order == 0 || (several && order > 0);
    }
    const terms = first.terms;
    let df = terms.df;
    if (several) {
      for (let i: i32 = 0; i < n; i++) {
        const other = walks.at(i).terms;
        if (other == terms) continue;
        if (compareBytes(other.termPtr, other.termLength, terms.termPtr, terms.termLength) == 0)
          df += other.df;
      }
    }
    if (df > above && first.boost >= least && !kept.isFullOf(<f64>first.boost)) {
      if (!kept.add(terms.termPtr, terms.termLength, df, <f64>first.boost)) return ERR_MEMORY;
    }
    if (several) {
      for (let i = n - 1; i >= 0; i--) {
        const walk = walks.at(i);
        if (walk == first) continue;
        const other = walk.terms;
        if (compareBytes(other.termPtr, other.termLength, terms.termPtr, terms.termLength) == 0)
          walks.advance(i);
      }
    }
    for (let i: i32 = 0; i < walks.count; i++) {
      if (walks.at(i) != first) continue;
      walks.advance(i);
      break;
    }
  }
  return writeTerms(kept);
}

// ------------------------------------------------------------------------------------------------ values

/** The terms of documents, by key, as sorting and aggregations see them: the last refresh may have lost some of them since. */
function readValues(shard: Shard): i32 {
  const field = <u32>u16Next();
  const n = u32Next();
  if (requestStatus != OK || n > MAX_VALUE_KEYS) return ERR_PLAN;
  const keys = bytesNext(n << 3);
  if (requestStatus != OK || !readAll()) return ERR_PLAN;
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  const dict = makeDictionary();
  const columns = requestAlloc(max<u32>(4, shard.segmentCount << 2));
  if (!at || !buffer || dict === null || !columns) return ERR_MEMORY;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const column = openColumn(shard, shard.segment(s), field);
    if (requestStatus != OK) return ERR_MEMORY;
    const isTerms = column !== null && column.kind == COLUMN_ORDINAL;
    store<u32>(columns + (s << 2), isTerms ? <u32>changetype<usize>(column) : 0);
  }
  // Measured first, then written.
  let out: usize = 0;
  let bytes: u64 = 0;
  for (let writing = 0; writing < 2; writing++) {
    let to = out;
    for (let i: u32 = 0; i < n; i++) {
      const key = load<u64>(keys + ((<usize>i) << 3));
      let doc: i32 = -1;
      let s: u32 = 0;
      while (s < shard.segmentCount && shard.segment(s).lastKey < key) ++s;
      const columnAt = s < shard.segmentCount ? <usize>load<u32>(columns + (s << 2)) : 0;
      if (columnAt) doc = docOfKey(shard.segment(s), key);
      if (!spend(8)) return ERR_INTERRUPTED;
      const countAt = to;
      let count: u32 = 0;
      to += 4;
      bytes += 4;
      if (doc >= 0) {
        const seg = shard.segment(s);
        const column = changetype<Column>(columnAt);
        openDictionary(seg, findField(seg, field), dict);
        TermCursor.init(changetype<TermCursor>(at), dict, buffer);
        for (let v = column.first(<u32>doc), end = column.end(<u32>doc); v < end; v++) {
          if (!spend(8)) return ERR_INTERRUPTED;
          const term = seekOrdinal(at, <u32>column.value(v));
          bytes += 2 + term.termLength;
          ++count;
          if (!writing) continue;
          store<u16>(to, <u16>term.termLength);
          memory.copy(to + 2, term.termPtr, term.termLength);
          to += 2 + term.termLength;
        }
      }
      if (writing) store<u32>(countAt, count);
    }
    if (writing) break;
    if (bytes > MAX_RESULT) return ERR_LIMIT;
    out = requestAlloc(max<u32>(1, <u32>bytes));
    if (!out) return ERR_MEMORY;
    bytes = 0;
  }
  setResult(out, <u32>bytes);
  return OK;
}

/** Answers the request at `ptr`; the result range then holds the answer. */
export function readTerms(shard: Shard, ptr: usize, length: u32): i32 {
  startRequest();
  startWorkLimit();
  startReading(ptr, length);
  const status = read(shard, u8Next());
  return exhausted ? ERR_INTERRUPTED : status;
}

function read(shard: Shard, kind: u8): i32 {
  if (kind == READ_FIELDS) return readFields(shard);
  if (kind == READ_FREQUENCIES) return readFrequencies(shard);
  if (kind == READ_ALIKE) return readAlike(shard);
  if (kind == READ_HEAVIEST) return readHeaviest(shard);
  if (kind == READ_VALUES) return readValues(shard);
  return ERR_PLAN;
}
