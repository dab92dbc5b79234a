import { ERR_MEMORY, OK } from '../abi/status';
import { normTable } from '../codec/norm';
import { MATCH_SIMILARITY, MATCH_TERM, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { BOOLEAN_NO_COORD, Query, QueryTerm } from '../plan/query';
import { currentFreq } from '../postings/cursor';
import { fail, requestStatus } from '../requestStatus';
import { evaluate, matched } from '../score/evaluate';
import { FieldEntry, findField, Segment } from '../segment/segment';
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
import { Search } from './context';
import { kindOf } from './kind';
import { isPlainlySummed, LENGTH_AVERAGE, LENGTH_B, WITHOUT_NORM } from './similarities';

// What is written of every node that is explained (README.md draws the bytes): its head, by `head`, then what its kind has.

/** Writes a node and what is below it, of the document at hand. */
export type Explain = (e: Explanation, query: Query, scoring: bool) => void;

/** Takes what is written without room. */
const spare: usize = memory.data(64, 16);

/** An explanation that is being written, of one document after the other. */
@unmanaged
export class Explanation {
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
  /** What the node written last is compiled to, and whether the document is one; null where none of the segment could be. */
  matcher: Matcher | null;
  hit: bool;

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

  /** Writes a node of any kind. */
  node(query: Query, scoring: bool): void {
    if (requestStatus != OK) return;
    const index = kindOf(query.kind).explain;
    if (index) call_indirect<void>(index, this, query, scoring);
    else this.constant(query, scoring, false);
  }

  /**
   * Matches the document and writes what every node begins with; false where the search fails.
   * @param isTermless whether it is a multi-term query without a term in the shard
   */
  head(query: Query, scoring: bool, flags: u8, isTermless: bool): bool {
    this.matcher = this.compiled(query, scoring);
    if (requestStatus != OK) return false;
    const m = this.matcher;
    let value: f32 = 0;
    this.hit = false;
    if (m !== null) {
      value = evaluate(m, this.document);
      this.hit = matched;
    }
    this.u8(query.kind);
    this.u8(query.occur);
    this.u8(flags);
    this.u8((this.hit ? 1 : 0) | (m === null && !this.treeOnly ? 2 : 0) | (isTermless ? 4 : 0));
    this.u32(query.start ? <u32>(query.start - this.plan) : u32.MAX_VALUE);
    this.f32(query.boost);
    this.f32(this.hit ? value : 0);
    return true;
  }

  private compiled(query: Query, scoring: bool): Matcher | null {
    if (this.treeOnly) return null;
    return compileQuery(this.search, this.segment, this.ordinal, this.alone, query, scoring, false);
  }

  /** How often what a node scores by is in the document; 0 where it doesn't score. */
  private frequency(scoring: bool): f32 {
    const m = this.matcher;
    if (m === null || !this.hit || !scoring) return 0;
    const inner = m.kind == MATCH_SIMILARITY ? Matcher.at(m.optional, 0) : m;
    return inner.kind == MATCH_TERM ? <f32>currentFreq(inner.cursor) : inner.positional.freq;
  }

  /** What explains a score by similarity: numbers of the query, then of the document. */
  leaf(query: Query, field: u32, scoring: bool): void {
    const freq = this.frequency(scoring);
    this.u16(field);
    this.f32(query.idf);
    this.f32(query.norm);
    this.f32(freq);
    const entry: usize = this.treeOnly ? 0 : findField(this.segment, field);
    const norms: usize = entry ? FieldEntry.norms(this.segment, entry) : 0;
    if (norms) this.f32(load<f32>(normTable() + ((<usize>load<u8>(norms + this.document)) << 2)));
    else this.f32(NaN);
    // BM25: k1, b and the average length; k1 is no number elsewhere.
    const bm25 = query.lengths && !query.modelCount;
    this.f32(bm25 ? load<f32>(query.lengths + WITHOUT_NORM) : NaN);
    this.f32(bm25 ? load<f32>(query.lengths + LENGTH_B) : NaN);
    this.f32(bm25 ? load<f32>(query.lengths + LENGTH_AVERAGE) : NaN);
    let length: f32 = 0;
    if (query.lengths) {
      const norm: usize = norms ? (<usize>load<u8>(norms + this.document)) << 2 : WITHOUT_NORM;
      length = load<f32>(query.lengths + norm);
    }
    this.u16(query.modelCount);
    for (let i: u32 = 0; i < query.modelCount; i++)
      writeModel(this, TermModel.at(query.models, i), freq, length);
  }

  /** A node that all its documents score the same for, and any of which nothing more is told. */
  constant(query: Query, scoring: bool, isTermless: bool): void {
    if (this.head(query, scoring, query.flags, isTermless)) this.f32(query.norm);
  }
}

/** A term or a phrase. */
export function explainTerms(e: Explanation, query: Query, scoring: bool): void {
  if (!e.head(query, scoring, query.flags, false)) return;
  e.leaf(query, query.field, scoring);
  e.u32(query.slop);
  e.u16(query.termCount);
  for (let i: u32 = 0; i < query.termCount; i++) {
    e.u32(query.term(i).position);
    e.u32(query.term(i).df);
    e.term(query.term(i));
  }
}

/** A boolean or a disjunction maximum. */
export function explainClauses(e: Explanation, query: Query, scoring: bool): void {
  const flags = isPlainlySummed(e.search.plan) ? query.flags | BOOLEAN_NO_COORD : query.flags;
  if (!e.head(query, scoring, flags, false)) return;
  e.u16(query.minimumShouldMatch);
  e.f32(query.tieBreaker);
  e.u16(query.childCount);
  for (let i: u32 = 0; i < query.childCount; i++) e.node(query.child(i), scoring);
}

/** What explains the score of a term by a probabilistic model. */
function writeModel(e: Explanation, m: TermModel, freq: f32, length: f32): void {
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
