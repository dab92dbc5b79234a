import {
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
} from '../abi/plan';
import { ERR_SPAN_POSITIONS, OK } from '../abi/status';
import { MATCH_BOOLEAN, MATCH_TERM, Matcher } from '../docset/matcher';
import {
  SPAN_FIRST,
  SPAN_NEAR_ORDERED,
  SPAN_NEAR_UNORDERED,
  SPAN_NOT,
  SPAN_OR,
  SPAN_TERM,
  Spans,
} from '../docset/spans';
import { requestAlloc } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import { PositionRows, ROWS } from '../postings/positionRows';
import { PositionsCursor } from '../postings/positions';
import { findField } from '../segment/segment';
import { openTerm } from './compileTerms';
import { Compiling, insertByCost, noRoom } from './compiling';
import { Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { hasPositions } from './unpositioned';

// Compiles a span query for one segment: its spans, and the documents that can have any, which are tested first.

@unmanaged
export class CompiledSpans {
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

function compileTerm(c: Compiling, spans: Spans, query: Query): CompiledSpans | null {
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
export function compileSpans(c: Compiling, query: Query): CompiledSpans | null {
  if (query.kind == NODE_SPAN_MASK) {
    const inner = compileSpans(c, query.child(0));
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
  if (query.kind == NODE_SPAN_TERM) return compileTerm(c, spans, query);
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
    const child = compileSpans(c, query.child(i));
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
