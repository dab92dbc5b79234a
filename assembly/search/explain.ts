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
import { requestAlloc } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { currentFreq } from '../postings/cursor';
import { fail, requestStatus } from '../requestStatus';
import { evaluate, matched } from '../score/evaluate';
import { functionValue } from '../score/functionScore';
import { docOfKey, FieldEntry, findField, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
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
import { compileQuery } from './compile';
import { BOOLEAN_NO_COORD, Query, QueryTerm } from '../plan/query';
import { collect } from './rewriting';
import { isPlainlySummed, LENGTH_AVERAGE, LENGTH_B, WITHOUT_NORM } from './similarities';
import { spanField } from './statistics';

// Why a document scores as it does: for every node of the rewritten query whether it matches and with which numbers. The host
// makes Lucene's explanation of these facts (host/explain/explain.ts); README.md draws their bytes.

let out: usize = 0;
let length: u32 = 0;
let capacity: u32 = 0;
let planStart: usize = 0;
let segment: Segment = changetype<Segment>(0);
let ordinal: u32 = 0;
let document: u32 = 0;
/** The segment's documents without all others but it. */
let alone: usize = 0;
/** Number in the shard of the segment's first document. */
let docBase: u32 = 0;

/** Address of the next `bytes` bytes of the output. */
function reserve(bytes: u32): usize {
  if (length + bytes > capacity) {
    const more = max<u32>(1024, (capacity + bytes) << 1);
    let grown: usize = 0;
    if (more <= 0x40000000) grown = requestAlloc(more);
    if (!grown) {
      fail(ERR_MEMORY);
      length = 0;
      if (!capacity) return spare;
      return out;
    }
    memory.copy(grown, out, length);
    out = grown;
    capacity = more;
  }
  const at = out + length;
  length += bytes;
  return at;
}

/** Takes what is written without room. */
const spare: usize = memory.data(64, 16);

function u8Put(v: u32): void {
  store<u8>(reserve(1), <u8>v);
}
function u16Put(v: u32): void {
  store<u16>(reserve(2), <u16>v);
}
function u32Put(v: u32): void {
  store<u32>(reserve(4), v);
}
function f32Put(v: f32): void {
  store<f32>(reserve(4), v);
}
function f64Put(v: f64): void {
  store<f64>(reserve(8), v);
}
function termPut(term: QueryTerm): void {
  u16Put(term.length);
  for (let i: u32 = 0; i < term.length; i++) u8Put(<u32>load<u8>(term.ptr + i));
}

/** Makes the document the only one that is looked at; false without room. */
function showAlone(): bool {
  const bytes = windowBytes(segment.docCount);
  alone = requestAlloc(bytes);
  if (!alone) return false;
  memory.fill(alone, 0, bytes);
  Bitset.set(alone, document);
  return true;
}

/** There is no document: only how the query was rewritten is wanted. */
let treeOnly: bool = false;

/** What explains a score by similarity: numbers of the query, then of the document. */
function leafPut(query: Query, field: u32, freq: f32): void {
  u16Put(field);
  f32Put(query.idf);
  f32Put(query.norm);
  f32Put(freq);
  const entry: usize = treeOnly ? 0 : findField(segment, field);
  const norms: usize = entry ? FieldEntry.norms(segment, entry) : 0;
  if (norms) f32Put(load<f32>(normTable() + ((<usize>load<u8>(norms + document)) << 2)));
  else f32Put(NaN);
  // BM25: k1, b and the average length; k1 is no number elsewhere.
  const bm25 = query.lengths && !query.modelCount;
  f32Put(bm25 ? load<f32>(query.lengths + WITHOUT_NORM) : NaN);
  f32Put(bm25 ? load<f32>(query.lengths + LENGTH_B) : NaN);
  f32Put(bm25 ? load<f32>(query.lengths + LENGTH_AVERAGE) : NaN);
  let length: f32 = 0;
  if (query.lengths) {
    const norm: usize = norms ? (<usize>load<u8>(norms + document)) << 2 : WITHOUT_NORM;
    length = load<f32>(query.lengths + norm);
  }
  u16Put(query.modelCount);
  for (let i: u32 = 0; i < query.modelCount; i++) modelPut(TermModel.at(query.models, i), freq, length);
}

/** What explains the score of a term by a probabilistic model. */
function modelPut(m: TermModel, freq: f32, length: f32): void {
  u8Put(m.kind);
  u8Put(m.basic);
  u8Put(m.effect);
  u8Put(m.normalization);
  f32Put(m.parameter);
  f32Put(m.boost);
  f32Put(<f32>m.docs);
  f32Put(<f32>m.df);
  f32Put(<f32>m.ttf);
  f32Put(m.average);
  f32Put(length);
  f32Put(modelScore(m, freq, length));
  if (m.kind >= MODEL_DIRICHLET) {
    f32Put(collectionProbability(m));
    f32Put(m.kind == MODEL_DIRICHLET ? <f32>termWeight(m, freq) : 0);
    f32Put(m.kind == MODEL_DIRICHLET ? <f32>documentNorm(m, length) : 0);
    return;
  }
  // As it is explained, a frequency that isn't normalized is 1.
  const tfn: f32 = m.normalization == NORMALIZATION_NONE ? 1 : normalized(m, freq, length);
  const lambda = m.kind == MODEL_IB ? lambdaOf(m) : 0;
  f32Put(tfn);
  f32Put(basicScore(m, tfn, lambda));
  f32Put(m.kind == MODEL_IB ? lambda : effectScore(m, tfn));
}

/** The frequency of the matcher that `evaluate` has just matched. */
function freqOf(query: Query, m: Matcher): f32 {
  const inner = m.kind == MATCH_SIMILARITY ? Matcher.at(m.optional, 0) : m;
  if (query.kind == NODE_TERM) return <f32>currentFreq(inner.cursor);
  return inner.positional.freq;
}

/** A span query as it has been rewritten: its kind, numbers and parts. */
function spanPut(query: Query): void {
  u8Put(query.kind);
  if (query.kind == NODE_SPAN_TERM) {
    u16Put(query.field);
    f32Put(query.idf);
    u32Put(query.term(0).df);
    termPut(query.term(0));
    return;
  }
  u32Put(query.kind == NODE_SPAN_NEAR ? query.slop : query.pre);
  u32Put(query.kind == NODE_SPAN_NEAR ? <u32>query.flags : query.post);
  u16Put(query.kind == NODE_SPAN_MASK ? <u32>query.field : 0);
  u16Put(query.childCount);
  for (let i: u32 = 0; i < query.childCount; i++) spanPut(query.child(i));
}

function isSpan(kind: u8): bool {
  return kind >= NODE_SPAN_TERM && kind <= NODE_SPAN_MASK;
}

function noMatcher(): Matcher | null {
  return null;
}

function nodePut(node: Query, scoring: bool): void {
  if (requestStatus != OK) return;
  let query = node;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  const m = treeOnly ? noMatcher() : compileQuery(segment, ordinal, alone, query, scoring, false);
  if (requestStatus != OK) return;
  let value: f32 = 0;
  let hit = false;
  if (m !== null) {
    value = evaluate(m, document);
    hit = matched;
  }
  u8Put(query.kind);
  u8Put(query.occur);
  u8Put(query.kind == NODE_BOOLEAN && isPlainlySummed() ? query.flags | BOOLEAN_NO_COORD : query.flags);
  u8Put((hit ? 1 : 0) | (m === null && !treeOnly ? 2 : 0) | (isTermless(query) ? 4 : 0));
  u32Put(query.start ? <u32>(query.start - planStart) : u32.MAX_VALUE);
  f32Put(query.boost);
  f32Put(hit ? value : 0);
  const freq: f32 = hit && scoring && m !== null && isLeaf(query.kind) ? freqOf(query, m) : 0;
  if (query.kind == NODE_TERM || query.kind == NODE_PHRASE) {
    leafPut(query, query.field, freq);
    u32Put(query.slop);
    u16Put(query.termCount);
    for (let i: u32 = 0; i < query.termCount; i++) {
      u32Put(query.term(i).position);
      u32Put(query.term(i).df);
      termPut(query.term(i));
    }
  } else if (isSpan(query.kind)) {
    leafPut(query, spanField(node), freq);
    spanPut(query);
  } else if (query.kind == NODE_BOOLEAN || query.kind == NODE_DISMAX) {
    u16Put(query.minimumShouldMatch);
    f32Put(query.tieBreaker);
    u16Put(query.childCount);
    for (let i: u32 = 0; i < query.childCount; i++) {
      nodePut(query.child(i), scoring);
    }
  } else if (query.kind == NODE_FILTERED) {
    nodePut(query.child(0), scoring);
    nodePut(query.child(1), false);
  } else if (query.kind == NODE_NESTED) {
    const before = m === null ? -1 : setBefore(m.join.parents, document);
    u32Put(docBase + <u32>(before + 1));
    u32Put(docBase + document);
  } else if (query.kind == NODE_FUNCTION) {
    nodePut(query.child(0), scoring);
    u16Put(query.partCount);
    for (let i: u32 = 0; i < query.partCount; i++) {
      f64Put(m !== null && hit ? functionValue(m.functions, i, document) : NaN);
    }
  } else {
    // The norm of constants.
    f32Put(query.norm);
  }
}

/** Whether no segment of the shard has a term of a constant multi-term query, which Lucene rewrites to one of no clauses then. */
function isTermless(query: Query): bool {
  const inner = query.kind == NODE_CONSTANT ? query.child(0) : query;
  if (inner.kind != NODE_MULTI_TERM) return false;
  const terms = collect(inner, 1, false);
  return terms !== null && !terms.count;
}

function isLeaf(kind: u8): bool {
  return kind == NODE_TERM || kind == NODE_PHRASE || isSpan(kind);
}

/** Address of what the last `explain` wrote, and its length. */
export function explained(): usize {
  return out;
}
export let explainedLength: u32 = 0;

/**
 * Explains `query`, which has been weighed, for the documents with `n` keys at `keys`; false without room. Without keys it is written as if a
 * document didn't match.
 */
export function explain(shard: Shard, query: Query, plan: usize, keys: usize, n: u32, maxDoc: u32): bool {
  out = 0;
  length = 0;
  capacity = 0;
  planStart = plan;
  memory.fill(reserve(16), 0, 16);
  u32Put(maxDoc);
  if (!n) {
    treeOnly = true;
    u8Put(1);
    u32Put(0);
    nodePut(query, true);
    treeOnly = false;
  }
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const key = load<u64>(keys + ((<usize>i) << 3));
    let doc: i32 = -1;
    let base: u32 = 0;
    for (let s: u32 = 0; s < shard.segmentCount && doc < 0; s++) {
      docBase = base;
      base += shard.segment(s).docCount;
      segment = shard.segment(s);
      ordinal = s;
      doc = docOfKey(segment, key);
      if (doc >= 0 && !segment.isLive(<u32>doc)) doc = -1;
    }
    u8Put(doc < 0 ? 0 : 1);
    if (doc < 0) continue;
    document = <u32>doc;
    u32Put(document);
    if (!showAlone()) return false;
    nodePut(query, true);
  }
  explainedLength = length;
  return requestStatus == OK;
}
