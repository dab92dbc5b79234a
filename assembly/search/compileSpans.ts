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
import { PostingsCursor } from '../postings/cursor';
import { PositionsCursor } from '../postings/positions';
import { FIELD_POSITIONS, FieldEntry, findField, Segment } from '../segment/segment';
import {
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  Query,
} from './query';

// Compiles a span query for one segment: its spans, and the documents that can have any, which are tested first.

@unmanaged
export class CompiledSpans {
  spans: Spans;
  documents: Matcher;
}

/** There was no room; else null means that the segment has no such spans. */
export let spanCompileFailed: bool = false;

let segment: Segment = changetype<Segment>(0);
let ordinal: u32 = 0;

function noRoom(): CompiledSpans | null {
  spanCompileFailed = true;
  return null;
}

function setPointer(array: usize, i: u32, value: usize): void {
  store<usize>(array + <usize>i * sizeof<usize>(), value);
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
  if (!at) return noRoom();
  const compiled = changetype<CompiledSpans>(at);
  compiled.spans = spans;
  compiled.documents = documents;
  return compiled;
}

function compileTerm(spans: Spans, query: Query): CompiledSpans | null {
  const entry = findField(segment, query.field);
  const term = query.term(0);
  if (!entry || !term.dfIn(ordinal) || !(FieldEntry.flags(entry) & FIELD_POSITIONS)) return null;
  const cursor = PostingsCursor.make();
  const m = Matcher.make(MATCH_TERM);
  if (cursor === null || m === null) return noRoom();
  cursor.start(
    FieldEntry.postings(segment, entry) + term.postingsIn(ordinal),
    term.dfIn(ordinal),
    <u8>FieldEntry.flags(entry),
    0,
    FieldEntry.positions(segment, entry),
    0,
  );
  const positions = PositionsCursor.make(cursor);
  if (positions === null) return noRoom();
  spans.term = positions;
  m.cursor = cursor;
  m.cost = term.dfIn(ordinal);
  return makeCompiled(spans, m);
}

function compileNode(query: Query): CompiledSpans | null {
  if (query.kind == NODE_SPAN_MASK) return compileNode(query.child(0));
  const n = query.childCount;
  const at = requestAlloc(offsetof<Spans>());
  const children = requestAlloc(max<u32>(n, 1) << 2);
  const array = requestAlloc(max<u32>(n, 1) << 2);
  if (!at || !children || !array) return noRoom();
  memory.fill(at, 0, offsetof<Spans>());
  const spans = changetype<Spans>(at);
  spans.kind = kindOf(query);
  if (query.kind == NODE_SPAN_TERM) return compileTerm(spans, query);
  spans.children = children;
  spans.slop = <i32>query.slop;
  spans.pre = <i32>min<u32>(query.pre, <u32>i32.MAX_VALUE);
  spans.post = <i32>min<u32>(query.post, <u32>i32.MAX_VALUE);
  const either = query.kind == NODE_SPAN_OR;
  const near = query.kind == NODE_SPAN_NEAR;
  const m = Matcher.make(MATCH_BOOLEAN);
  if (m === null) return noRoom();
  m.noCoord = true;
  let cost: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const child = compileNode(query.child(i));
    if (spanCompileFailed) return null;
    if (child === null) {
      if (near || (!either && !i)) return null;
      continue;
    }
    setPointer(children, spans.childCount++, changetype<usize>(child.spans));
    if (i && !near && !either) continue;
    // Documents: of all children, of any of them, of the first.
    let k = m.requiredCount + m.optionalCount;
    if (!either) {
      while (k > 0 && Matcher.at(array, k - 1).cost > child.documents.cost) {
        setPointer(array, k, changetype<usize>(Matcher.at(array, k - 1)));
        k--;
      }
      m.requiredCount++;
    } else m.optionalCount++;
    setPointer(array, k, changetype<usize>(child.documents));
    cost += child.documents.cost;
  }
  if (!spans.childCount) return null;
  m.required = array;
  m.optional = array;
  m.minimum = either ? 1 : 0;
  m.cost = either ? <u32>min<u64>(cost, segment.docCount) : Matcher.at(array, 0).cost;
  return makeCompiled(spans, m.requiredCount == 1 ? Matcher.at(array, 0) : m);
}

/** Compiles `query` for segment number `index` of its shard; null where it has no such spans, or without room. */
export function compileSpans(seg: Segment, index: u32, query: Query): CompiledSpans | null {
  segment = seg;
  ordinal = index;
  spanCompileFailed = false;
  return compileNode(query);
}
