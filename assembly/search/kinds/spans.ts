import {
  NODE_MULTI_TERM,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_MULTI,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
} from '../../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, ERR_SPAN_POSITIONS, OK } from '../../abi/status';
import { MATCH_BOOLEAN, MATCH_SPAN, MATCH_TERM, Matcher } from '../../docset/matcher';
import { Positional } from '../../docset/positional';
import {
  SPAN_FIRST,
  SPAN_NEAR_ORDERED,
  SPAN_NEAR_UNORDERED,
  SPAN_NOT,
  SPAN_OR,
  SPAN_TERM,
  Spans,
} from '../../docset/spans';
import { requestAlloc, requestAllocZeroed } from '../../memory/arena';
import { setPointer } from '../../memory/pointers';
import { f32Next, termsNext, u8Next, u16Next, u32Next } from '../../plan/planReader';
import { Query, QueryTerm } from '../../plan/query';
import { PositionRows, ROWS } from '../../postings/positionRows';
import { PositionsCursor } from '../../postings/positions';
import { fail, requestStatus } from '../../requestStatus';
import { FieldEntry, findField } from '../../segment/segment';
import { compareBytes } from '../../terms/bytes';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { ANY, childrenNext, SPANS } from '../decodeNodes';
import { Decoding } from '../decoding';
import { Explanation } from '../explanation';
import { insertByCost, noRoom, pointerArray } from '../matcherArrays';
import { addChild, collect, make, termNode } from '../rewriting';
import { openTerm, similarityMatcher } from '../termLists';
import { hasPositions } from '../unpositioned';
import { squareOfTerms } from '../weights';
import { isTop } from './multiTerm';

// Spans: places of words that belong together. Compiled to the spans of a segment, and the documents that can have any, which are tested first.

/** Most terms of a span. */
const MAX_SPAN_TERMS: u32 = 16384;

export function decodeSpans(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  if (node.kind == NODE_SPAN_TERM || node.kind == NODE_SPAN_MASK) node.field = u16Next();
  const boost = f32Next();
  // A mask has none.
  if (node.kind != NODE_SPAN_MASK) node.boost = boost;
  switch (node.kind) {
    case NODE_SPAN_TERM:
      termsNext(node, 1);
      return;
    case NODE_SPAN_NEAR:
      node.slop = u32Next();
      node.flags = u8Next();
      childrenNext(d, node, <u32>u16Next(), depth, scoring, false, SPANS);
      if (!node.childCount) fail(ERR_PLAN);
      return;
    case NODE_SPAN_OR:
      childrenNext(d, node, <u32>u16Next(), depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_NOT:
      node.pre = u32Next();
      node.post = u32Next();
      childrenNext(d, node, 2, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_FIRST:
      node.post = u32Next();
      childrenNext(d, node, 1, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_MULTI:
      childrenNext(d, node, 1, depth, scoring, false, ANY);
      if (requestStatus == OK && node.child(0).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
      return;
    default:
      childrenNext(d, node, 1, depth, scoring, false, SPANS);
  }
}

/** The terms of a span over a multi-term query. */
export function expandSpanMulti(search: Search, span: Query, _scoring: bool): Query {
  const query = span.child(0);
  const top = isTop(query);
  const list = collect(search, query, top ? query.size : MAX_SPAN_TERMS, top);
  if (list === null) return span;
  if (list.overflow && !top) {
    fail(ERR_LIMIT);
    return span;
  }
  const node = make(NODE_SPAN_OR, span.boost, list.count);
  for (let i: u32 = 0; i < list.count && requestStatus == OK; i++)
    addChild(node, termNode(NODE_SPAN_TERM, query.field, 1, list.term(i)), 0);
  return node;
}

/** Terms of a span query, each once, by field and bytes: array of QueryTerm pointers, and their number. */
@unmanaged
class SpanTerms {
  terms: usize;
  count: u32;
}

function gatherSpanTerms(list: SpanTerms, query: Query): void {
  if (query.kind == NODE_SPAN_TERM) {
    const term = query.term(0);
    term.field = query.field;
    const spanTerms = list.terms;
    let k = list.count;
    while (k > 0) {
      const other = changetype<QueryTerm>(load<usize>(spanTerms + ((<usize>(k - 1)) << 2)));
      const order =
        other.field != term.field
          ? <i32>other.field - <i32>term.field
          : compareBytes(other.ptr, other.length, term.ptr, term.length);
      if (order < 0) break;
      if (order == 0) return;
      k--;
    }
    const slot = spanTerms + ((<usize>k) << 2);
    memory.copy(slot + 4, slot, (<usize>(list.count - k)) << 2);
    store<usize>(slot, changetype<usize>(term));
    list.count++;
    return;
  }
  // What is excluded doesn't count.
  const n: u32 = query.kind == NODE_SPAN_NOT ? 1 : query.childCount;
  for (let i: u32 = 0; i < n; i++) gatherSpanTerms(list, query.child(i));
}

function countSpanTerms(query: Query): u32 {
  if (query.kind == NODE_SPAN_TERM) return 1;
  let n: u32 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) n += countSpanTerms(query.child(i));
  return n;
}

/** The terms of a span query; null without room. */
function spanTermsOf(query: Query): SpanTerms | null {
  const at = requestAllocZeroed(offsetof<SpanTerms>());
  const terms = requestAlloc(countSpanTerms(query) << 2);
  if (!at || !terms) return null;
  const list = changetype<SpanTerms>(at);
  list.terms = terms;
  gatherSpanTerms(list, query);
  return list;
}

/** The field whose norms a span query's score goes by. */
function spanField(query: Query): u32 {
  let q = query;
  while (q.kind != NODE_SPAN_TERM && q.kind != NODE_SPAN_MASK && q.childCount) q = q.child(0);
  return q.field;
}

export function weighSpans(search: Search, query: Query): f32 {
  // Lucene's weight of spans without a field, and so without statistics.
  if (query.kind == NODE_SPAN_OR && !query.childCount) return 1;
  const list = spanTermsOf(query);
  if (list === null) {
    fail(ERR_MEMORY);
    return 0;
  }
  return squareOfTerms(search, query, spanField(query), list.terms, list.count);
}

export function compileSpans(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  if (scoring && query.lengths)
    return similarityMatcher(c, query, spanMatcher(c, query, false), spanField(query));
  return spanMatcher(c, query, scoring);
}

function spanMatcher(c: Compiling, outer: Query, scoring: bool): Matcher | null {
  let query = outer;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  const compiled = spansOf(c, query);
  if (compiled === null) return null;
  const m = Matcher.make(MATCH_SPAN);
  const array = pointerArray(1);
  const entry = findField(c.segment, spanField(query));
  const norms = scoring && entry ? FieldEntry.norms(c.segment, entry) : 0;
  const score = Positional.ofSpans(compiled.spans, query.value, norms);
  if (m === null || !array || score === null) return noRoom();
  setPointer(array, 0, changetype<usize>(compiled.documents));
  m.optional = array;
  m.optionalCount = 1;
  m.spans = compiled.spans;
  m.value = query.value;
  m.positional = score;
  m.cost = compiled.documents.cost;
  return m;
}

@unmanaged
class CompiledSpans {
  spans: Spans;
  documents: Matcher;
}

function noRoomForSpans(): CompiledSpans | null {
  noRoom();
  return null;
}

function kindOf(query: Query): u8 {
  switch (query.kind) {
    case NODE_SPAN_TERM:
      return SPAN_TERM;
    case NODE_SPAN_NEAR:
      return query.flags & 1 ? SPAN_NEAR_ORDERED : SPAN_NEAR_UNORDERED;
    case NODE_SPAN_NOT:
      return SPAN_NOT;
    case NODE_SPAN_FIRST:
      return SPAN_FIRST;
    default:
      return SPAN_OR;
  }
}

function makeCompiled(spans: Spans, documents: Matcher): CompiledSpans | null {
  const at = requestAlloc(offsetof<CompiledSpans>());
  if (!at) return noRoomForSpans();
  const compiled = changetype<CompiledSpans>(at);
  compiled.spans = spans;
  compiled.documents = documents;
  return compiled;
}

function termSpans(c: Compiling, spans: Spans, query: Query): CompiledSpans | null {
  const entry = findField(c.segment, query.field);
  const term = query.term(0);
  if (!entry || !term.dfIn(c.ordinal)) return null;
  if (!hasPositions(entry, query.field, term, ERR_SPAN_POSITIONS)) return null;
  const cursor = openTerm(c, term, entry, 0, true);
  const m = Matcher.make(MATCH_TERM);
  if (cursor === null || m === null) return noRoomForSpans();
  const positions = PositionsCursor.make(cursor);
  const rows = PositionRows.make();
  if (positions === null || rows === null) return noRoomForSpans();
  spans.term = positions;
  spans.rows = rows;
  spans.words = true;
  m.cursor = cursor;
  m.cost = term.dfIn(c.ordinal);
  return makeCompiled(spans, m);
}

/** Looks for words without positions: Lucene opens those too that stand beside one that does not occur. */
function checkPositions(c: Compiling, query: Query, first: u32): void {
  for (let i = first; i < query.childCount; i++) checkPositions(c, query.child(i), 0);
  if (query.kind != NODE_SPAN_TERM) return;
  const entry = findField(c.segment, query.field);
  if (entry && query.term(0).dfIn(c.ordinal))
    hasPositions(entry, query.field, query.term(0), ERR_SPAN_POSITIONS);
}

/** Puts the spans among the first `n` of an array of pointers, ascending by cost. */
function insertSpans(array: usize, n: u32, child: CompiledSpans): void {
  child.spans.cost = child.documents.cost;
  let k = n;
  for (; k > 0; k--) {
    const before = load<usize>(array + <usize>(k - 1) * sizeof<usize>());
    if (changetype<Spans>(before).cost <= child.documents.cost) break;
    setPointer(array, k, before);
  }
  setPointer(array, k, changetype<usize>(child.spans));
}

/** Compiles `query`; null where the segment has no such spans, or where the request fails. */
function spansOf(c: Compiling, query: Query): CompiledSpans | null {
  if (query.kind == NODE_SPAN_MASK) {
    const inner = spansOf(c, query.child(0));
    if (inner !== null) inner.spans.masked = true;
    return inner;
  }
  const n = query.childCount;
  const at = requestAlloc(offsetof<Spans>());
  const children = requestAlloc(max<u32>(n, 1) << 2);
  const byCost = requestAlloc(max<u32>(n, 1) << 2);
  const array = requestAlloc(max<u32>(n, 1) << 2);
  const either = query.kind == NODE_SPAN_OR;
  const near = query.kind == NODE_SPAN_NEAR;
  if (!at || !children || !byCost || !array) return noRoomForSpans();
  memory.fill(at, 0, offsetof<Spans>());
  const spans = changetype<Spans>(at);
  spans.kind = kindOf(query);
  if (query.kind == NODE_SPAN_TERM) return termSpans(c, spans, query);
  spans.children = children;
  spans.byCost = byCost;
  spans.flat = true;
  if (either || query.kind == NODE_SPAN_NOT) {
    spans.indices = requestAlloc(ROWS << 2);
    if (!spans.indices) return noRoomForSpans();
  }
  spans.slop = <i32>query.slop;
  spans.pre = <i32>min<u32>(query.pre, <u32>i32.MAX_VALUE);
  spans.post = <i32>min<u32>(query.post, <u32>i32.MAX_VALUE);
  const m = Matcher.make(MATCH_BOOLEAN);
  if (m === null) return noRoomForSpans();
  m.noCoord = true;
  let cost: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const child = spansOf(c, query.child(i));
    if (requestStatus != OK) return null;
    if (child === null) {
      if (either || (i && !near)) continue;
      checkPositions(c, query, i + 1);
      return null;
    }
    spans.masked = spans.masked || child.spans.masked;
    spans.flat = spans.flat && child.spans.kind == SPAN_TERM;
    spans.words = either && child.spans.words && (spans.words || !spans.childCount);
    insertSpans(byCost, spans.childCount, child);
    setPointer(children, spans.childCount++, changetype<usize>(child.spans));
    if (i && !near && !either) continue;
    // Documents: of all children, of any of them, of the first.
    if (either) setPointer(array, m.optionalCount++, changetype<usize>(child.documents));
    else insertByCost(array, m.requiredCount++, child.documents);
    cost += child.documents.cost;
  }
  if (!spans.childCount) return null;
  m.required = array;
  m.optional = array;
  m.minimum = either ? 1 : 0;
  m.cost = either ? <u32>min<u64>(cost, c.segment.docCount) : Matcher.at(array, 0).cost;
  return makeCompiled(spans, m.requiredCount == 1 ? Matcher.at(array, 0) : m);
}

/** A mask is as what it masks, but for its field. */
export function explainSpans(e: Explanation, node: Query, scoring: bool): void {
  let query = node;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  if (!e.head(query, scoring, query.flags, false)) return;
  e.leaf(query, spanField(node), scoring);
  writeSpan(e, query);
}

/** A span query as it has been rewritten: its kind, numbers and parts. */
function writeSpan(e: Explanation, query: Query): void {
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
  for (let i: u32 = 0; i < query.childCount; i++) writeSpan(e, query.child(i));
}
