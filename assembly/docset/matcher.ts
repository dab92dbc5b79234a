import { ERR_MEMORY } from '../abi/status';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { fillBits } from '../postings/bits';
import { contains, PostingsCursor } from '../postings/cursor';
import { fail } from '../requestStatus';
import { FunctionScore } from './functions';
import { spend } from '../workLimit';
import { BlockJoin, firstOfBlock, joinUp } from './blockJoin';
import { Phrase } from './phrase';
import { Positional } from './positional';
import { Spans } from './spans';

// A query or filter compiled for one segment: the set of documents it matches.
//
// The contract, for documents of the segment:
//   matches(m, doc)              whether `doc` is in the set. Ascending documents are cheap; others are allowed.
//   fill(m, base, size, bits)    adds the documents of [base, base + size) to a bitset whose bit 0 is `base`.
// After `matches` returned true, the cursors below stand on `doc`, so that it can be scored (score/evaluate.ts).

export const MATCH_ALL: u8 = 1;
export const MATCH_TERM: u8 = 2;
export const MATCH_BOOLEAN: u8 = 3;
export const MATCH_CONSTANT: u8 = 4;
export const MATCH_FILTERED: u8 = 5;
export const MATCH_PHRASE: u8 = 6;
export const MATCH_SET: u8 = 7;
/** A function score: `optional` holds the query. */
export const MATCH_FUNCTION: u8 = 8;
/** Spans: `optional` holds what their documents must match at least. */
export const MATCH_SPAN: u8 = 9;
export const MATCH_DISMAX: u8 = 10;
/** A term, phrase or span that another similarity than the default scores: `optional` holds it. */
export const MATCH_SIMILARITY: u8 = 11;
/** Documents that nested ones are parts of: `optional` holds what matches these; `bits` the documents, once they are worked out. */
export const MATCH_NESTED: u8 = 12;
/** A set whose documents have scores by number: of parents, what their children come to, or the reverse. */
export const MATCH_JOIN: u8 = 13;

@unmanaged
export class Matcher {
  kind: u8;
  /** Boolean: coord does not apply. */
  noCoord: bool;
  /** Boolean: the tie breaker is the factor where its two clauses match, in place of coord. */
  boosting: bool;
  /** Boolean: summed clause by clause in double, as Lucene's BooleanScorer does. */
  bulk: bool;
  /** A bound of the number of documents, as Lucene's cost(). */
  cost: u32;
  /** A set of which `cost` is the very number of documents, deleted ones included. */
  exact: bool;
  /** Number of a set that is kept in the cache of filters (search/filterCache.ts); 0: it isn't. */
  serial: u32;
  /** Constant: of a filter, which is a bitset of the segment to Lucene. */
  whole: bool;
  /** Constant kinds: the score. */
  value: f32;
  tieBreaker: f32;
  cursor: PostingsCursor;
  phrase: Phrase;
  spans: Spans;
  /** What is known of a phrase or of spans. */
  positional: Positional;
  functions: FunctionScore;
  join: BlockJoin;
  /** Disjunction maximum: in which order scores are added (docset/disjunctionOrder.ts); 0: in that of the clauses. */
  order: usize;
  /** Bitset of the whole segment. */
  bits: usize;
  /** A set that is a term's: address of its list, and the flags of the field; else 0. */
  list: usize;
  listFlags: u8;
  /** Join: numbers of documents, u32 each, and scores by number, f32 each. */
  numbers: usize;
  scores: usize;
  /** Another similarity: a table by norm byte (search/similarities.ts), the norms, TermModels one after the other. */
  lengths: usize;
  norms: usize;
  models: usize;
  modelCount: u32;
  /** Boolean: clauses by kind, arrays of Matcher pointers. Required ones ascend by cost. */
  required: usize;
  requiredCount: u32;
  /** The same clauses in the order in which their scores are added (search/addition.ts). */
  added: usize;
  /** Also the alternatives of a disjunction maximum; child of constant and filtered (then `required` is the filter). */
  optional: usize;
  optionalCount: u32;
  prohibited: usize;
  prohibitedCount: u32;
  /** Optional clauses that must match, at least 1 where there is no required clause. */
  minimum: u32;
  /** Clauses that count for coord. */
  maxCoord: u32;
  /** Where score/batch.ts works; 0 until it does. */
  batch: usize;
  /** What search/bounds.ts knows of a leaf of the scoring tree. */
  leaf: usize;
  /** Scratch for `fill`: bitset and how many documents it has room for. */
  scratch: usize;
  scratchSize: u32;

  static make(kind: u8): Matcher | null {
    const ptr = requestAllocZeroed(offsetof<Matcher>());
    if (!ptr) return null;
    const m = changetype<Matcher>(ptr);
    m.kind = kind;
    return m;
  }

  @inline static at(array: usize, i: u32): Matcher {
    return changetype<Matcher>(load<usize>(array + <usize>i * sizeof<usize>()));
  }
}

function booleanMatches(m: Matcher, doc: u32): bool {
  for (let i: u32 = 0; i < m.requiredCount; i++) if (!matches(Matcher.at(m.required, i), doc)) return false;
  if (m.minimum) {
    let found: u32 = 0;
    const n = m.optionalCount;
    for (let i: u32 = 0; i < n && found < m.minimum; i++) {
      if (found + (n - i) < m.minimum) return false;
      if (matches(Matcher.at(m.optional, i), doc)) found++;
    }
    if (found < m.minimum) return false;
  }
  for (let i: u32 = 0; i < m.prohibitedCount; i++)
    if (matches(Matcher.at(m.prohibited, i), doc)) return false;
  return true;
}

/** Whether a nested document of a block matches. */
function nestedMatches(m: Matcher, doc: u32): bool {
  if (m.bits) return Bitset.get(m.bits, doc);
  const join = m.join;
  if (!Bitset.get(join.parents, doc)) return false;
  const child = Matcher.at(m.optional, 0);
  for (let part = firstOfBlock(join, doc); part < doc; part++) if (matches(child, part)) return true;
  return false;
}

/** Works out which documents of the segment an MATCH_NESTED has; false, and the request fails, without room. */
function joinAll(m: Matcher): bool {
  const join = m.join;
  const bytes = windowBytes(join.docCount);
  const parts = requestAlloc(bytes);
  const bits = requestAlloc(bytes);
  if (!parts || !bits) {
    fail(ERR_MEMORY);
    return false;
  }
  memory.fill(parts, 0, bytes);
  memory.fill(bits, 0, bytes);
  fill(Matcher.at(m.optional, 0), 0, join.docCount, parts);
  joinUp(join.parents, parts, (join.docCount + 63) >> 6, bits);
  join.parts = parts;
  m.bits = bits;
  return true;
}

/** What `m` matches among the first `size` documents, as a bitset; 0, and the request fails, without room. */
export function bitsOf(m: Matcher, size: u32): usize {
  if (m.kind == MATCH_SET) return m.bits;
  const bytes = windowBytes(size);
  const bits = requestAlloc(bytes);
  if (!bits) {
    fail(ERR_MEMORY);
    return 0;
  }
  memory.fill(bits, 0, bytes);
  fill(m, 0, size, bits);
  return bits;
}

/** Whether `doc` is in the set. */
export function matches(m: Matcher, doc: u32): bool {
  switch (m.kind) {
    case MATCH_TERM:
      return contains(m.cursor, doc);
    case MATCH_BOOLEAN:
      return booleanMatches(m, doc);
    case MATCH_PHRASE:
    case MATCH_SPAN:
      return m.positional.has(doc);
    case MATCH_SET:
    case MATCH_JOIN:
      return Bitset.get(m.bits, doc);
    case MATCH_FILTERED:
      return matches(Matcher.at(m.required, 0), doc) && matches(Matcher.at(m.optional, 0), doc);
    case MATCH_CONSTANT:
    case MATCH_FUNCTION:
    case MATCH_SIMILARITY:
      return matches(Matcher.at(m.optional, 0), doc);
    case MATCH_NESTED:
      return nestedMatches(m, doc);
    case MATCH_DISMAX: {
      for (let i: u32 = 0; i < m.optionalCount; i++) if (matches(Matcher.at(m.optional, i), doc)) return true;
      return false;
    }
    default:
      return true;
  }
}

/** Bytes of a bitset over `size` documents, with room for writes of a word past its end. */
export function windowBytes(size: u32): u32 {
  return (((size + 127) >> 7) << 4) + 16;
}

/** Bits of a counter that counts to the number of optional clauses. */
function counterPlanes(m: Matcher): u32 {
  return 32 - clz<u32>(m.optionalCount);
}

/**
 * A cleared scratch bitset of `m` for `size` documents; 0 without room. Parts 0 and 1 serve intersections, 2 the
 * clause being counted, 3 and up the planes of the counter.
 */
function scratchOf(m: Matcher, size: u32, part: u32): usize {
  if (m.scratchSize < size) {
    m.scratch = requestAlloc(windowBytes(size) * (m.minimum > 1 ? 3 + counterPlanes(m) : 2));
    if (!m.scratch) {
      m.scratchSize = 0;
      fail(ERR_MEMORY);
      return 0;
    }
    m.scratchSize = size;
  }
  const bytes = windowBytes(m.scratchSize);
  const at = m.scratch + <usize>(part * bytes);
  memory.fill(at, 0, windowBytes(size));
  return at;
}

function orWords(to: usize, from: usize, bytes: u32): void {
  for (const end = to + bytes; to < end; to += 16, from += 16) {
    v128.store(to, v128.or(v128.load(to), v128.load(from)));
  }
}

function andWords(to: usize, from: usize, bytes: u32): void {
  for (const end = to + bytes; to < end; to += 16, from += 16) {
    v128.store(to, v128.and(v128.load(to), v128.load(from)));
  }
}

function andNotWords(to: usize, from: usize, bytes: u32): void {
  for (const end = to + bytes; to < end; to += 16, from += 16) {
    v128.store(to, v128.andnot(v128.load(to), v128.load(from)));
  }
}

/** Adds the part [base, base + size) of a whole-segment bitset to `bits`. */
function fillSet(set: usize, base: u32, size: u32, bits: usize): void {
  const shift = <u64>(base & 63);
  let from = set + ((base >> 6) << 3);
  const words = (size + 63) >> 6;
  for (let i: u32 = 0; i < words; i++, from += 8) {
    let word = load<u64>(from) >> shift;
    if (shift) word |= load<u64>(from, 8) << (64 - shift);
    if (i == words - 1 && size & 63) word &= ((<u64>1) << (<u64>(size & 63))) - 1;
    const to = bits + ((<usize>i) << 3);
    store<u64>(to, load<u64>(to) | word);
  }
}

/** Keeps of the candidates in `bits` those that `m` matches, one by one. */
export function keepMatching(m: Matcher, base: u32, size: u32, bits: usize): void {
  const words = (size + 63) >> 6;
  for (let i: u32 = 0; i < words; i++) {
    const at = bits + ((<usize>i) << 3);
    let word = load<u64>(at);
    let kept = word;
    if (word && !spend(32)) return;
    while (word) {
      const bit = <u32>ctz<u64>(word);
      word &= word - 1;
      if (!matches(m, base + (i << 6) + bit)) kept &= ~((<u64>1) << (<u64>bit));
    }
    store<u64>(at, kept);
  }
}

/** Whether what `m` matches depends on positions. */
export function isPositional(m: Matcher): bool {
  return m.kind == MATCH_PHRASE || m.kind == MATCH_SPAN;
}

/** Documents matched by at least `m.minimum` optional clauses, by counting bits in slices: planes of ones, twos, fours … */
function fillAtLeast(m: Matcher, base: u32, size: u32, bits: usize): void {
  const bytes = windowBytes(size);
  const planes = counterPlanes(m);
  const counters = scratchOf(m, size, 3);
  if (!counters) return;
  const stride = windowBytes(m.scratchSize);
  for (let p: u32 = 1; p < planes; p++) scratchOf(m, size, 3 + p);
  for (let c: u32 = 0; c < m.optionalCount; c++) {
    const one = scratchOf(m, size, 2);
    fill(Matcher.at(m.optional, c), base, size, one);
    for (let w: u32 = 0; w < bytes; w += 16) {
      let carry = v128.load(one + w);
      for (let p: u32 = 0; p < planes; p++) {
        const at = counters + <usize>(stride * p + w);
        const plane = v128.load(at);
        v128.store(at, v128.xor(plane, carry));
        carry = v128.and(plane, carry);
      }
    }
  }
  // count >= minimum, compared bit by bit from the top plane.
  for (let w: u32 = 0; w < bytes; w += 16) {
    let greater = i64x2.splat(0);
    let equal = i64x2.splat(-1);
    for (let p = <i32>planes - 1; p >= 0; p--) {
      const plane = v128.load(counters + <usize>(stride * p + w));
      if ((m.minimum >> p) & 1) {
        equal = v128.and(equal, plane);
      } else {
        greater = v128.or(greater, v128.and(equal, plane));
        equal = v128.andnot(equal, plane);
      }
    }
    const at = bits + w;
    v128.store(at, v128.or(v128.load(at), v128.or(greater, equal)));
  }
}

function fillBoolean(m: Matcher, base: u32, size: u32, bits: usize): void {
  const bytes = windowBytes(size);
  const all = scratchOf(m, size, 0);
  if (!all) return;
  let begun = false;
  for (let i: u32 = 0; i < m.requiredCount; i++) {
    const clause = Matcher.at(m.required, i);
    if (!begun) {
      fill(clause, base, size, all);
      begun = true;
      continue;
    }
    intersect(m, clause, base, size, all);
  }
  if (m.minimum) {
    const some = begun ? scratchOf(m, size, 1) : all;
    if (m.minimum > 1) fillAtLeast(m, base, size, some);
    else for (let i: u32 = 0; i < m.optionalCount; i++) fill(Matcher.at(m.optional, i), base, size, some);
    if (begun) andWords(all, some, bytes);
  }
  for (let i: u32 = 0; i < m.prohibitedCount; i++) {
    const other = scratchOf(m, size, 1);
    fill(Matcher.at(m.prohibited, i), base, size, other);
    andNotWords(all, other, bytes);
  }
  orWords(bits, all, bytes);
}

/** Removes from `all` what `clause` doesn't match: by set where that is cheap, document by document where candidates are few. */
function intersect(m: Matcher, clause: Matcher, base: u32, size: u32, all: usize): void {
  if (isPositional(clause)) {
    clause.positional.keep(base, size, all);
    return;
  }
  let candidates: u64 = 0;
  for (let at = all, end = all + (((size + 63) >> 6) << 3); at < end; at += 8)
    candidates += popcnt<u64>(load<u64>(at));
  // A probe costs about as much as setting eight bits.
  if (candidates << 3 < <u64>clause.cost) {
    keepMatching(clause, base, size, all);
    return;
  }
  const other = scratchOf(m, size, 1);
  if (!other) return;
  fill(clause, base, size, other);
  andWords(all, other, windowBytes(size));
}

/** Adds the documents of [base, base + size) to `bits`, which has `windowBytes(size)` bytes. */
export function fill(m: Matcher, base: u32, size: u32, bits: usize): void {
  if (!spend(16 + (size >> 6))) return;
  switch (m.kind) {
    case MATCH_TERM:
      fillBits(m.cursor, base, size, bits);
      return;
    case MATCH_BOOLEAN:
      fillBoolean(m, base, size, bits);
      return;
    case MATCH_SET:
    case MATCH_JOIN:
      fillSet(m.bits, base, size, bits);
      return;
    case MATCH_CONSTANT:
    case MATCH_FUNCTION:
    case MATCH_SIMILARITY:
      fill(Matcher.at(m.optional, 0), base, size, bits);
      return;
    case MATCH_NESTED:
      if (m.bits || joinAll(m)) fillSet(m.bits, base, size, bits);
      return;
    case MATCH_SPAN: {
      const all = scratchOf(m, size, 0);
      if (!all) return;
      fill(Matcher.at(m.optional, 0), base, size, all);
      if (!m.spans.words) m.positional.keep(base, size, all);
      orWords(bits, all, windowBytes(size));
      return;
    }
    case MATCH_DISMAX: {
      for (let i: u32 = 0; i < m.optionalCount; i++) fill(Matcher.at(m.optional, i), base, size, bits);
      return;
    }
    case MATCH_FILTERED: {
      const all = scratchOf(m, size, 0);
      if (!all) return;
      fill(Matcher.at(m.required, 0), base, size, all);
      intersect(m, Matcher.at(m.optional, 0), base, size, all);
      orWords(bits, all, windowBytes(size));
      return;
    }
    case MATCH_PHRASE: {
      const phrase = m.phrase;
      const all = scratchOf(m, size, 0);
      if (!all) return;
      const slot = phrase.cheap(0);
      for (let i: u32 = 0; i < slot.memberCount; i++) fillBits(slot.member(i).postings, base, size, all);
      m.positional.keep(base, size, all);
      orWords(bits, all, windowBytes(size));
      return;
    }
    default: {
      // Every document.
      const words = size >> 6;
      memory.fill(bits, 0xff, (<usize>words) << 3);
      if (size & 63) {
        const at = bits + ((<usize>words) << 3);
        store<u64>(at, load<u64>(at) | (((<u64>1) << (<u64>(size & 63))) - 1));
      }
    }
  }
}
