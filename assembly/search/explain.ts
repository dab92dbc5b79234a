import {
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_MULTI_TERM,
  NODE_NESTED,
  NODE_PHRASE,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_TERM,
  NODE_TERM,
} from '../abi/plan';
import { ERR_MEMORY, OK } from '../abi/status';
import { normTable } from '../codec/norm';
import { setBefore } from '../docset/blockJoin';
import { MATCH_SIMILARITY, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { currentFreq } from '../postings/cursor';
import { evaluate, matched } from '../score/evaluate';
import { functionValue } from '../score/functionScore';
import { docOfKey, FieldEntry, findField, Segment } from '../segment/segment';
import {
  basicScore,
  collectionProbability,
  documentNorm,
  effectScore,
  lambdaOf,
  MODEL_DIRICHLET,
  MODEL_IB,
  modelScore,
  NORMALIZATION_NONE,
  normalized,
  TermModel,
  termWeight,
} from '../similarity/probability';
import { setResult } from '../result';
import { compileQuery } from './compile';
import { Search } from './context';
import { BOOLEAN_NO_COORD, Query, QueryTerm } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { collect } from './rewriting';
import { isPlainlySummed, LENGTH_AVERAGE, LENGTH_B, WITHOUT_NORM } from './similarities';
import { spanField } from './statistics';

// Why a document scores as it does: for every node of the rewritten query whether it matches and with which numbers. The host
// makes Lucene's explanation of these facts (host/explain/explain.ts); README.md draws their bytes.

/** Takes what is written without room. */
const spare: usize = memory.data(64, 16);

/** An explanation that is being written, of one document after the other. */
@unmanaged
class Explanation {
  search: Search;
  /** Where it is written, its bytes so far, and those that there is room for. */
  out: usize;
  length: u32;
  capacity: u32;
  /** Address of the plan. */
  plan: usize;
  /** There is no document: only how the query was rewritten is wanted. */
  treeOnly: bool;
  segment: Segment;
  ordinal: u32;
  document: u32;
  /** The segment's documents without all others but it. */
  alone: usize;
  /** Number in the shard of the segment's first document. */
  docBase: u32;

  /** Address of the next `bytes` bytes of the output. */
  reserve(bytes: u32): usize {
    if (this.length + bytes > this.capacity) {
      const more = max<u32>(1024, (this.capacity + bytes) << 1);
      let grown: usize = 0;
      if (more <= 0x40000000) grown = requestAlloc(more);
      if (!grown) {
        fail(ERR_MEMORY);
        this.length = 0;
        return this.capacity ? this.out : spare;
      }
      memory.copy(grown, this.out, this.length);
      this.out = grown;
      this.capacity = more;
    }
    const at = this.out + this.length;
    this.length += bytes;
    return at;
  }

  u8(v: u32): void {
    store<u8>(this.reserve(1), <u8>v);
  }
  u16(v: u32): void {
    store<u16>(this.reserve(2), <u16>v);
  }
  u32(v: u32): void {
    store<u32>(this.reserve(4), v);
  }
  f32(v: f32): void {
    store<f32>(this.reserve(4), v);
  }
  f64(v: f64): void {
    store<f64>(this.reserve(8), v);
  }
  term(term: QueryTerm): void {
    this.u16(term.length);
    for (let i: u32 = 0; i < term.length; i++) this.u8(<u32>load<u8>(term.ptr + i));
  }

  /** Makes the document the only one that is looked at; false without room. */
  showAlone(): bool {
    const bytes = windowBytes(this.segment.docCount);
    this.alone = requestAlloc(bytes);
    if (!this.alone) return false;
    memory.fill(this.alone, 0, bytes);
    Bitset.set(this.alone, this.document);
    return true;
  }
}

/** What explains a score by similarity: numbers of the query, then of the document. */
function leafPut(e: Explanation, query: Query, field: u32, freq: f32): void {
  e.u16(field);
  e.f32(query.idf);
  e.f32(query.norm);
  e.f32(freq);
  const entry: usize = e.treeOnly ? 0 : findField(e.segment, field);
  const norms: usize = entry ? FieldEntry.norms(e.segment, entry) : 0;
  if (norms) e.f32(load<f32>(normTable() + ((<usize>load<u8>(norms + e.document)) << 2)));
  else e.f32(NaN);
  // BM25: k1, b and the average length; k1 is no number elsewhere.
  const bm25 = query.lengths && !query.modelCount;
  e.f32(bm25 ? load<f32>(query.lengths + WITHOUT_NORM) : NaN);
  e.f32(bm25 ? load<f32>(query.lengths + LENGTH_B) : NaN);
  e.f32(bm25 ? load<f32>(query.lengths + LENGTH_AVERAGE) : NaN);
  let length: f32 = 0;
  if (query.lengths) {
    const norm: usize = norms ? (<usize>load<u8>(norms + e.document)) << 2 : WITHOUT_NORM;
    length = load<f32>(query.lengths + norm);
  }
  e.u16(query.modelCount);
  for (let i: u32 = 0; i < query.modelCount; i++) modelPut(e, TermModel.at(query.models, i), freq, length);
}

/** What explains the score of a term by a probabilistic model. */
function modelPut(e: Explanation, m: TermModel, freq: f32, length: f32): void {
  e.u8(m.kind);
  e.u8(m.basic);
  e.u8(m.effect);
  e.u8(m.normalization);
  e.f32(m.parameter);
  e.f32(m.boost);
  e.f32(<f32>m.docs);
  e.f32(<f32>m.df);
  e.f32(<f32>m.ttf);
  e.f32(m.average);
  e.f32(length);
  e.f32(modelScore(m, freq, length));
  if (m.kind >= MODEL_DIRICHLET) {
    e.f32(collectionProbability(m));
    e.f32(m.kind == MODEL_DIRICHLET ? <f32>termWeight(m, freq) : 0);
    e.f32(m.kind == MODEL_DIRICHLET ? <f32>documentNorm(m, length) : 0);
    return;
  }
  // As it is explained, a frequency that isn't normalized is 1.
  const tfn: f32 = m.normalization == NORMALIZATION_NONE ? 1 : normalized(m, freq, length);
  const lambda = m.kind == MODEL_IB ? lambdaOf(m) : 0;
  e.f32(tfn);
  e.f32(basicScore(m, tfn, lambda));
  e.f32(m.kind == MODEL_IB ? lambda : effectScore(m, tfn));
}

/** The frequency of the matcher that `evaluate` has just matched. */
function freqOf(query: Query, m: Matcher): f32 {
  const inner = m.kind == MATCH_SIMILARITY ? Matcher.at(m.optional, 0) : m;
  if (query.kind == NODE_TERM) return <f32>currentFreq(inner.cursor);
  return inner.positional.freq;
}

/** A span query as it has been rewritten: its kind, numbers and parts. */
function spanPut(e: Explanation, query: Query): void {
  e.u8(query.kind);
  if (query.kind == NODE_SPAN_TERM) {
    e.u16(query.field);
    e.f32(query.idf);
    e.u32(query.term(0).df);
    e.term(query.term(0));
    return;
  }
  e.u32(query.kind == NODE_SPAN_NEAR ? query.slop : query.pre);
  e.u32(query.kind == NODE_SPAN_NEAR ? <u32>query.flags : query.post);
  e.u16(query.kind == NODE_SPAN_MASK ? <u32>query.field : 0);
  e.u16(query.childCount);
  for (let i: u32 = 0; i < query.childCount; i++) spanPut(e, query.child(i));
}

function isSpan(kind: u8): bool {
  return kind >= NODE_SPAN_TERM && kind <= NODE_SPAN_MASK;
}

function noMatcher(): Matcher | null {
  return null;
}

function nodePut(e: Explanation, node: Query, scoring: bool): void {
  if (requestStatus != OK) return;
  let query = node;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  const m = e.treeOnly
    ? noMatcher()
    : compileQuery(e.search, e.segment, e.ordinal, e.alone, query, scoring, false);
  if (requestStatus != OK) return;
  let value: f32 = 0;
  let hit = false;
  if (m !== null) {
    value = evaluate(m, e.document);
    hit = matched;
  }
  e.u8(query.kind);
  e.u8(query.occur);
  e.u8(
    query.kind == NODE_BOOLEAN && isPlainlySummed(e.search.plan)
      ? query.flags | BOOLEAN_NO_COORD
      : query.flags,
  );
  e.u8((hit ? 1 : 0) | (m === null && !e.treeOnly ? 2 : 0) | (isTermless(e.search, query) ? 4 : 0));
  e.u32(query.start ? <u32>(query.start - e.plan) : u32.MAX_VALUE);
  e.f32(query.boost);
  e.f32(hit ? value : 0);
  const freq: f32 = hit && scoring && m !== null && isLeaf(query.kind) ? freqOf(query, m) : 0;
  if (query.kind == NODE_TERM || query.kind == NODE_PHRASE) {
    leafPut(e, query, query.field, freq);
    e.u32(query.slop);
    e.u16(query.termCount);
    for (let i: u32 = 0; i < query.termCount; i++) {
      e.u32(query.term(i).position);
      e.u32(query.term(i).df);
      e.term(query.term(i));
    }
  } else if (isSpan(query.kind)) {
    leafPut(e, query, spanField(node), freq);
    spanPut(e, query);
  } else if (query.kind == NODE_BOOLEAN || query.kind == NODE_DISMAX) {
    e.u16(query.minimumShouldMatch);
    e.f32(query.tieBreaker);
    e.u16(query.childCount);
    for (let i: u32 = 0; i < query.childCount; i++) {
      nodePut(e, query.child(i), scoring);
    }
  } else if (query.kind == NODE_FILTERED) {
    nodePut(e, query.child(0), scoring);
    nodePut(e, query.child(1), false);
  } else if (query.kind == NODE_NESTED) {
    const before = m === null ? -1 : setBefore(m.join.parents, e.document);
    e.u32(e.docBase + <u32>(before + 1));
    e.u32(e.docBase + e.document);
  } else if (query.kind == NODE_FUNCTION) {
    nodePut(e, query.child(0), scoring);
    e.u16(query.partCount);
    for (let i: u32 = 0; i < query.partCount; i++) {
      e.f64(m !== null && hit ? functionValue(m.functions, i, e.document) : NaN);
    }
  } else {
    // The norm of constants.
    e.f32(query.norm);
  }
}

/** Whether no segment of the shard has a term of a constant multi-term query, which Lucene rewrites to one of no clauses then. */
function isTermless(search: Search, query: Query): bool {
  const inner = query.kind == NODE_CONSTANT ? query.child(0) : query;
  if (inner.kind != NODE_MULTI_TERM) return false;
  const terms = collect(search, inner, 1, false);
  return terms !== null && !terms.count;
}

function isLeaf(kind: u8): bool {
  return kind == NODE_TERM || kind == NODE_PHRASE || isSpan(kind);
}

/**
 * Explains the root, which has been weighed, for the documents of the plan's keys: the call's result; false where the search fails.
 * Without keys it is written as if a document didn't match.
 * @param plan address of the plan's bytes
 */
export function explain(search: Search, plan: usize): bool {
  const at = requestAllocZeroed(offsetof<Explanation>());
  if (!at) return false;
  const e = changetype<Explanation>(at);
  const shard = search.shard;
  const n = search.plan.explainedCount;
  e.search = search;
  e.plan = plan;
  memory.fill(e.reserve(16), 0, 16);
  e.u32(search.maxDoc);
  if (!n) {
    e.treeOnly = true;
    e.u8(1);
    e.u32(0);
    nodePut(e, search.root, true);
  }
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const key = load<u64>(search.plan.explained + ((<usize>i) << 3));
    let doc: i32 = -1;
    let base: u32 = 0;
    for (let s: u32 = 0; s < shard.segmentCount && doc < 0; s++) {
      const seg = shard.segment(s);
      e.docBase = base;
      base += seg.docCount;
      e.segment = seg;
      e.ordinal = s;
      doc = docOfKey(seg, key);
      if (doc >= 0 && !seg.isLive(<u32>doc)) doc = -1;
    }
    e.u8(doc < 0 ? 0 : 1);
    if (doc < 0) continue;
    e.document = <u32>doc;
    e.u32(e.document);
    if (!e.showAlone()) return false;
    nodePut(e, search.root, true);
  }
  if (requestStatus != OK) return false;
  setResult(e.out, e.length);
  return true;
}
