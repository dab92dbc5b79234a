import {
  MATCH_ALL,
  MATCH_SIMILARITY,
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_DISMAX,
  MATCH_FILTERED,
  MATCH_FUNCTION,
  MATCH_NESTED,
  MATCH_JOIN,
  MATCH_SET,
  MATCH_SPAN,
  Matcher,
  bitsOf,
  fill,
  windowBytes,
} from '../docset/matcher';
import { BlockJoin, firstPart, JOIN_NONE } from '../docset/blockJoin';
import { SpanScore } from '../docset/spans';
import { isPlainlySummed } from './similarities';
import { spanField } from './statistics';
import {
  FUNCTION_FIELD_VALUE,
  FUNCTION_GEO_DECAY,
  FUNCTION_SCRIPT,
  FunctionScore,
  ScoreFunction,
} from '../score/functions';
import { openProgram, Program } from '../expression/program';
import { COLUMN_GEO, COLUMN_ORDINAL } from '../columns/column';
import { columnMemoryFailed, openColumn } from '../segment/fielddata';
import { familyNumbers, NO_NUMBER } from '../segment/families';
import { Shard } from '../segment/shards';
import { compileSpans } from './compileSpans';
import {
  cachedIfRepeated,
  cachedSet,
  filterCount,
  filterSerial,
  isRepeated,
  keepSet,
  knownSet,
} from './filterCache';
import { makeTermSet, termSetCount } from './termSet';
import { requestAlloc } from '../memory/arena';
import { count, Bitset } from '../memory/bitset';
import { docOfKey, FieldEntry, Segment, findField } from '../segment/segment';
import { OK } from '../status';
import {
  NODE_TERMS,
  NODE_RANGE,
  NODE_PREFIX,
  NODE_MULTI_TERM,
  NODE_GEO_POLYGON,
  NODE_GEO_DISTANCE,
  NODE_EXISTS,
  BOOLEAN_BOOSTING,
  BOOLEAN_NO_COORD,
  CHILD_NONE,
  Joined,
  MUST,
  MUST_NOT,
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_JOIN,
  NODE_KEYS,
  NODE_LIMIT,
  NODE_NESTED,
  NODE_NONE,
  NODE_PARTS,
  NODE_PHRASE,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
  Query,
  SHOULD,
} from './query';
import { compilePhrase, compileTerm } from './compileTerms';
import { setPointer } from '../memory/pointers';
import { compileStatus, insertByCost, noRoom, ordinal, pointers, segment, startCompiling } from './compiling';

// Compiles a query for one segment. Null where nothing in the segment can match, which the parent takes into account
// as Lucene's weights do with a null scorer: a boolean loses the clause, and what is left may become a conjunction.

let shard: Shard = changetype<Shard>(0);
/** How many filters the node being compiled stands in: their sets are kept for the next search. */
let filters: u32 = 0;
/** How many constant scores of the plan it stands in: the sets of those that come again are kept. */
let constants: u32 = 0;
/** Terms in more than this part of the documents are kept as bitsets when they filter; rarer ones are as fast from their list. */
const KEPT_SHARE: u32 = 512;

function compileBoolean(query: Query, scoring: bool, bulk: bool): Matcher | null {
  const n = query.childCount;
  const made = Matcher.make(MATCH_BOOLEAN);
  if (made === null) return noRoom();
  const m = made;
  m.noCoord = (query.flags & BOOLEAN_NO_COORD) != 0 || isPlainlySummed();
  m.boosting = (query.flags & BOOLEAN_BOOSTING) != 0;
  m.tieBreaker = query.tieBreaker;
  m.required = pointers(n);
  m.optional = pointers(n);
  m.prohibited = pointers(n);
  if (compileStatus != OK) return null;
  let pure = query.minimumShouldMatch <= 1;
  for (let i: u32 = 0; i < n; i++) {
    const occur = query.child(i).occur;
    if (occur == MUST) pure = false;
    if (occur != MUST_NOT) m.maxCoord++;
  }
  m.bulk = bulk && pure;
  let minimum = query.minimumShouldMatch;
  for (let i: u32 = 0; i < n; i++) {
    const child = query.child(i);
    const compiled = compile(child, scoring && child.occur != MUST_NOT, m.bulk && child.occur == SHOULD);
    if (compileStatus != OK) return null;
    if (compiled === null) {
      if (child.occur == MUST) return null;
      continue;
    }
    if (child.occur == MUST) insertByCost(m.required, m.requiredCount++, compiled);
    else if (child.occur == SHOULD) setPointer(m.optional, m.optionalCount++, changetype<usize>(compiled));
    else setPointer(m.prohibited, m.prohibitedCount++, changetype<usize>(compiled));
  }
  if (m.optionalCount < minimum) return null;
  if (!m.bulk && m.optionalCount == minimum) {
    // As many as are left must match: they are required.
    for (let i: u32 = 0; i < m.optionalCount; i++) {
      insertByCost(m.required, m.requiredCount++, Matcher.at(m.optional, i));
    }
    m.optionalCount = 0;
    minimum = 0;
  }
  if (!m.requiredCount && !m.optionalCount) return null;
  m.minimum = m.requiredCount ? minimum : max<u32>(minimum, 1);
  if (m.requiredCount) {
    m.cost = Matcher.at(m.required, 0).cost;
  } else {
    let cost: u64 = 0;
    for (let i: u32 = 0; i < m.optionalCount; i++) cost += Matcher.at(m.optional, i).cost;
    m.cost = <u32>min<u64>(cost, segment.docCount);
  }
  return m;
}

function compileDismax(query: Query, scoring: bool): Matcher | null {
  const m = Matcher.make(MATCH_DISMAX);
  const array = pointers(query.childCount);
  if (m === null || !array) return noRoom();
  m.tieBreaker = query.tieBreaker;
  m.optional = array;
  let cost: u64 = 0;
  for (let i: u32 = 0; i < query.childCount; i++) {
    const child = compile(query.child(i), scoring, false);
    if (compileStatus != OK) return null;
    if (child === null) continue;
    setPointer(array, m.optionalCount++, changetype<usize>(child));
    cost += child.cost;
  }
  if (!m.optionalCount) return null;
  m.cost = <u32>min<u64>(cost, segment.docCount);
  return m;
}

/** Constant scores and filtered queries: `optional` holds the child, `required` the filter. */
function compileWrapped(query: Query, scoring: bool): Matcher | null {
  const filtered = query.kind == NODE_FILTERED;
  // What a query was expanded to stands nowhere in the plan.
  const constant = u32(!filtered && query.end != 0);
  constants += constant;
  const child = compile(query.child(0), filtered && scoring, false);
  constants -= constant;
  if (child === null) return null;
  const m = Matcher.make(filtered ? MATCH_FILTERED : MATCH_CONSTANT);
  const array = pointers(2);
  if (m === null || !array) return noRoom();
  m.value = query.value;
  m.cost = child.cost;
  m.optional = array;
  m.optionalCount = 1;
  setPointer(array, 0, changetype<usize>(child));
  if (filtered) {
    filters++;
    const filter = compile(query.child(1), false, false);
    filters--;
    if (filter === null) return null;
    if (filter.exact && filter.cost == segment.docCount) return child;
    m.required = array + sizeof<usize>();
    m.requiredCount = 1;
    setPointer(array, 1, changetype<usize>(filter));
    m.cost = min(m.cost, filter.cost);
  }
  return m;
}

function compileSpan(outer: Query, scoring: bool): Matcher | null {
  let query = outer;
  while (query.kind == NODE_SPAN_MASK) query = query.child(0);
  const compiled = compileSpans(query);
  if (compiled === null) return null;
  const m = Matcher.make(MATCH_SPAN);
  const array = pointers(1);
  const entry = findField(segment, spanField(query));
  const norms = scoring && entry ? FieldEntry.norms(segment, entry) : 0;
  const score = SpanScore.make(compiled.spans, query.value, norms);
  if (m === null || !array || score === null) return noRoom();
  setPointer(array, 0, changetype<usize>(compiled.documents));
  m.optional = array;
  m.optionalCount = 1;
  m.spans = score;
  m.cost = compiled.documents.cost;
  return m;
}

function compileFunction(query: Query, scoring: bool): Matcher | null {
  const child = compile(query.child(0), scoring, false);
  if (child === null) return null;
  if (!scoring) return child;
  const m = Matcher.make(MATCH_FUNCTION);
  const array = pointers(1);
  const at = requestAlloc(offsetof<FunctionScore>());
  const functions = pointers(query.partCount);
  if (m === null || !array || !at || !functions) return noRoom();
  memory.fill(at, 0, offsetof<FunctionScore>());
  const f = changetype<FunctionScore>(at);
  f.functions = functions;
  f.count = query.partCount;
  f.single = (query.flags & 1) != 0;
  f.scoreMode = query.scoreMode;
  f.boostMode = query.boostMode;
  f.boost = query.boost;
  f.maxBoost = query.flags & 2 ? query.maxBoost : f32.MAX_VALUE;
  f.hasMinScore = (query.flags & 4) != 0;
  f.minScore = query.minScore;
  f.segment = segment;
  for (let i: u32 = 0; i < query.partCount; i++) {
    const copy = requestAlloc(offsetof<ScoreFunction>());
    if (!copy) return noRoom();
    memory.copy(copy, load<usize>(query.parts + <usize>i * sizeof<usize>()), offsetof<ScoreFunction>());
    setPointer(functions, i, copy);
    const each = changetype<ScoreFunction>(copy);
    if (each.kind == FUNCTION_SCRIPT) {
      if (!openProgram(changetype<Program>(each.program), segment)) return noRoom();
    } else if (each.kind >= FUNCTION_FIELD_VALUE) {
      const column = openColumn(shard, segment, each.field);
      if (columnMemoryFailed) return noRoom();
      const geo = each.kind == FUNCTION_GEO_DECAY;
      if (column !== null && (column.kind == COLUMN_GEO) == geo && column.kind != COLUMN_ORDINAL)
        each.column = changetype<usize>(column);
    }
    if (!each.filterQuery) continue;
    filters++;
    const filter = compile(changetype<Query>(each.filterQuery), false, false);
    filters--;
    if (compileStatus != OK) return null;
    each.filter = changetype<usize>(filter);
    each.never = filter === null;
  }
  setPointer(array, 0, changetype<usize>(child));
  m.optional = array;
  m.optionalCount = 1;
  m.functions = f;
  m.cost = child.cost;
  return m;
}

/** The documents that a filter of hidden ones matches, as a bitset of the segment; 0 where there are none, or without room. */
function parentSet(query: Query): usize {
  filters++;
  const m = compile(query, false, false);
  filters--;
  if (m === null) return 0;
  const bits = bitsOf(m, segment.docCount);
  if (!bits) noRoom();
  return bits;
}

/** Documents that hidden ones are parts of. */
function compileNested(query: Query, scoring: bool): Matcher | null {
  if (!segment.parents) return null;
  const child = compile(query.child(0), scoring && query.scoreMode != JOIN_NONE, false);
  if (child === null) return null;
  const m = Matcher.make(MATCH_NESTED);
  const array = pointers(1);
  const at = requestAlloc(offsetof<BlockJoin>());
  if (m === null || !array || !at) return noRoom();
  memory.fill(at, 0, offsetof<BlockJoin>());
  const join = changetype<BlockJoin>(at);
  join.mode = query.scoreMode;
  join.roots = segment.parents;
  join.docCount = segment.docCount;
  join.parents = query.childCount > 1 ? parentSet(query.child(1)) : segment.parents;
  if (!join.parents) return null;
  setPointer(array, 0, changetype<usize>(child));
  m.optional = array;
  m.optionalCount = 1;
  m.join = join;
  m.cost = child.cost;
  return m;
}

/** The hidden documents of some blocks, or of hidden documents in them. */
function compileParts(query: Query): Matcher | null {
  const roots = segment.parents;
  if (!roots) return null;
  let parents = roots;
  if (query.childCount) {
    const found = parentSet(query.child(0));
    if (compileStatus != OK) return null;
    if (found) parents = found;
  }
  const bits = requestAlloc(windowBytes(segment.docCount));
  const m = Matcher.make(MATCH_SET);
  if (!bits || m === null) return noRoom();
  memory.fill(bits, 0, windowBytes(segment.docCount));
  for (let i: usize = 0; i < <usize>query.termCount; i++) {
    const doc = docOfKey(segment, load<u64>(query.lower + (i << 3)));
    if (doc < 0) continue;
    const first = firstPart(roots, parents, <u32>doc);
    for (let part = first; part < <u32>doc; part++) Bitset.set(bits, part);
    m.cost += <u32>doc - first;
  }
  m.bits = bits;
  return m.cost ? m : null;
}

/** The documents that a join has joined to. */
function compileJoin(query: Query, scoring: bool): Matcher | null {
  const joined = changetype<Joined>(query.joined);
  const numbers = familyNumbers(segment, query.outer);
  if (!query.joined || !joined.found || !numbers) return null;
  const bits = requestAlloc(windowBytes(segment.docCount));
  const m = Matcher.make(MATCH_SET);
  if (!bits || m === null) return noRoom();
  memory.fill(bits, 0, windowBytes(segment.docCount));
  for (let doc: u32 = 0; doc < segment.docCount; doc++) {
    const number = load<u32>(numbers + ((<usize>doc) << 2));
    if (number == NO_NUMBER || !Bitset.get(joined.marks, number)) continue;
    Bitset.set(bits, doc);
    m.cost++;
  }
  if (!m.cost) return null;
  m.bits = bits;
  if (!scoring) return m;
  if (query.scoreMode != CHILD_NONE) {
    m.kind = MATCH_JOIN;
    m.numbers = numbers;
    m.scores = joined.scores;
    return m;
  }
  const constant = Matcher.make(MATCH_CONSTANT);
  const array = pointers(1);
  if (constant === null || !array) return noRoom();
  setPointer(array, 0, changetype<usize>(m));
  constant.optional = array;
  constant.optionalCount = 1;
  constant.value = query.value;
  constant.cost = m.cost;
  return constant;
}

/** The documents of a limit's node, up to the limit. */
function compileLimit(query: Query): Matcher | null {
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < ordinal; s++) docBase += shard.segment(s).docCount;
  if (query.post <= docBase) return null;
  const child = compile(query.child(0), false, false);
  if (child === null) return null;
  const m = Matcher.make(MATCH_SET);
  const bytes = windowBytes(segment.docCount);
  const bits = requestAlloc(bytes);
  if (m === null || !bits) return noRoom();
  memory.fill(bits, 0, bytes);
  m.cost = min(query.post - docBase, segment.docCount);
  fill(child, 0, m.cost, bits);
  m.bits = bits;
  return m;
}

/**
 * Whether a set is kept the first time it is met: that of a filter which is asked for as it stands. Ranges, which may go by the time
 * of the search, patterns, points and what only scores are kept when they are met again.
 */
function keepsAtOnce(query: Query): bool {
  const kind = query.kind;
  return (
    filters > 0 &&
    (kind == NODE_TERM ||
      kind == NODE_TERMS ||
      kind == NODE_PREFIX ||
      kind == NODE_EXISTS ||
      kind == NODE_ALL)
  );
}

function compileSet(query: Query): Matcher | null {
  const keep = (filters > 0 || constants > 0) && query.kind != NODE_KEYS && query.end != 0;
  let bits: usize;
  if (!keep) bits = makeTermSet(segment, query);
  else bits = keepsAtOnce(query) ? cachedSet(segment, query) : cachedIfRepeated(segment, query);
  if (!bits) return noRoom();
  return setMatcher(bits, keep ? filterCount : termSetCount, keep ? filterSerial : 0);
}

/** The matcher of a set of `count` documents; null where it has none or there is no room. */
function setMatcher(bits: usize, count: u32, serial: u32): Matcher | null {
  if (!count) return null;
  const m = Matcher.make(MATCH_SET);
  if (m === null) return noRoom();
  m.bits = bits;
  m.cost = count;
  m.exact = true;
  m.serial = serial;
  return m;
}

/** Whether a filter depends on nothing but the postings and columns of the segment. */
function isSetLike(query: Query): bool {
  switch (query.kind) {
    case NODE_TERM:
    case NODE_TERMS:
    case NODE_PREFIX:
    case NODE_RANGE:
    case NODE_EXISTS:
    case NODE_MULTI_TERM:
    case NODE_ALL:
      return true;
    case NODE_BOOLEAN: {
      for (let i: u32 = 0; i < query.childCount; i++) if (!isSetLike(query.child(i))) return false;
      return true;
    }
    default:
      return query.kind >= NODE_GEO_DISTANCE && query.kind <= NODE_GEO_POLYGON;
  }
}

/** A boolean of filters: where it comes again it is kept as one set. */
function compileBooleanSet(query: Query): Matcher | null {
  let bits = knownSet(segment, query);
  if (!bits) {
    const repeated = isRepeated(segment, query);
    const m = compileBoolean(query, false, false);
    if (m === null || !repeated) return m;
    const bytes = windowBytes(segment.docCount);
    bits = requestAlloc(bytes);
    if (!bits) return noRoom();
    memory.fill(bits, 0, bytes);
    fill(m, 0, segment.docCount, bits);
    bits = keepSet(segment, query, bits, count(bits, bytes));
  }
  return setMatcher(bits, filterCount, filterSerial);
}

/** A term kept as a set, with its list, which may lead a conjunction. */
function compileTermSet(query: Query): Matcher | null {
  const set = compileSet(query);
  const list = compileTerm(query, false);
  if (set === null || list === null) return null;
  set.cursor = list.cursor;
  return set;
}

/** A term, phrase or span that another similarity than the default scores. */
function compileSimilarity(query: Query, inner: Matcher | null, field: u32): Matcher | null {
  if (inner === null) return null;
  const m = Matcher.make(MATCH_SIMILARITY);
  const array = pointers(1);
  if (m === null || !array) return noRoom();
  const entry = findField(segment, field);
  setPointer(array, 0, changetype<usize>(inner));
  m.optional = array;
  m.optionalCount = 1;
  m.cost = inner.cost;
  m.value = query.value;
  m.lengths = query.lengths;
  m.models = query.models;
  m.modelCount = query.modelCount;
  m.norms = entry ? FieldEntry.norms(segment, entry) : 0;
  return m;
}

function compile(query: Query, scoring: bool, bulk: bool): Matcher | null {
  switch (query.kind) {
    case NODE_NONE:
      return null;
    case NODE_ALL: {
      const m = Matcher.make(MATCH_ALL);
      if (m === null) return noRoom();
      m.value = query.value;
      m.cost = segment.docCount;
      return m;
    }
    case NODE_TERM:
      // A frequent term that filters is worth keeping as a set, known by its bytes in the plan; what was expanded has none.
      if (filters && query.end && query.term(0).dfIn(ordinal) > segment.docCount / KEPT_SHARE)
        return compileTermSet(query);
      if (scoring && query.lengths) return compileSimilarity(query, compileTerm(query, false), query.field);
      return compileTerm(query, scoring);
    case NODE_BOOLEAN:
      if ((filters || constants) && query.end && isSetLike(query)) return compileBooleanSet(query);
      return compileBoolean(query, scoring, bulk);
    case NODE_CONSTANT:
    case NODE_FILTERED:
      return compileWrapped(query, scoring);
    case NODE_PHRASE:
      if (scoring && query.lengths) return compileSimilarity(query, compilePhrase(query, false), query.field);
      return compilePhrase(query, scoring);
    case NODE_NESTED:
      return compileNested(query, scoring);
    case NODE_PARTS:
      return compileParts(query);
    case NODE_DISMAX:
      return compileDismax(query, scoring);
    case NODE_LIMIT:
      return compileLimit(query);
    case NODE_JOIN:
      return compileJoin(query, scoring);
    case NODE_FUNCTION:
      return compileFunction(query, scoring);
    case NODE_SPAN_TERM:
    case NODE_SPAN_NEAR:
    case NODE_SPAN_OR:
    case NODE_SPAN_NOT:
    case NODE_SPAN_FIRST:
    case NODE_SPAN_MASK:
      if (scoring && query.lengths)
        return compileSimilarity(query, compileSpan(query, false), spanField(query));
      return compileSpan(query, scoring);
    default:
      return compileSet(query);
  }
}

/** Queries are compiled for segments of that shard from now on. */
export function compileFor(searched: Shard): void {
  shard = searched;
}

/**
 * Compiles `query` for segment number `index` of its shard. `bulk` allows a boolean of optional clauses on top to be summed
 * clause by clause. Null where nothing matches or, with `compileStatus` (compiling.ts), where the arena ran out.
 */
export function compileQuery(
  seg: Segment,
  index: u32,
  query: Query,
  scoring: bool,
  bulk: bool,
): Matcher | null {
  startCompiling(seg, index);
  filters = 0;
  constants = 0;
  return compile(query, scoring, bulk);
}
