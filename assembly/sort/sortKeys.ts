import { COLUMN_DOUBLE, COLUMN_GEO, COLUMN_LONG, COLUMN_ORDINAL } from '../abi/columns';
import { KEY_COLUMN, KEY_DISTANCE, KEY_DOC, KEY_SCORE, KEY_SCRIPT } from '../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { setBefore, setFrom } from '../docset/blockJoin';
import { Column, Double } from '../docvalues/column';
import { distance, FORMULAS, PLANE } from '../docvalues/geodesy';
import { evaluateOne } from '../expression/evaluate';
import { openProgram, Program, programNext } from '../expression/program';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { openColumn } from '../segment/fielddata';
import { findField, openDictionary, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { compareBytes } from '../terms/bytes';
import { BLOCK_TERMS, Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { bytesLeft, readAgain, at as readerAt, structNext } from '../plan/planReader';
import { fail, requestStatus } from '../requestStatus';

// The keys that a search sorts by. Within a segment every key of a document is a rank: an i64, smaller is better. Ranks of strings
// are made of ordinals and mean nothing in other segments.

/** The type of a column's values. */
const TYPE_STRING: u8 = 3;

const DESCENDING: u8 = 1;
const MODE_MAX: u8 = 1;
const MODE_SUM: u8 = 2;
const MODE_AVERAGE: u8 = 3;

/** Where documents without a string go: to a place of a term that is given, to the end, or to the front. */
const MISSING_TERM: u8 = 0;
const MISSING_LAST: u8 = 1;
const MISSING_FIRST: u8 = 2;

/** Most keys of a sort, and points of a distance. */
const MAX_KEYS: u32 = 64;
const MAX_POINTS: u32 = 1024;

@unmanaged
export class SortKey {
  kind: u8;
  descending: bool;
  mode: u8;
  missing: u8;
  field: u16;
  type: u8;
  formula: u8;
  /** Value of documents without one: the number, or the term. */
  missingValue: i64;
  missingTerm: usize;
  missingLength: u32;
  /** Metres of the unit, and the points in the plan: pairs of f64. */
  unit: f64;
  points: usize;
  pointCount: u32;
  /** The program of a script. */
  program: usize;

  // What `openKey` finds in a segment.
  /** The column, or 0 where no document has a value. */
  column: usize;
  /** The rank of documents without value. */
  missingRank: i64;
  /** The terms of a string's field, and how many. */
  terms: usize;
  termCount: u32;
  /** Of top hits: where the numbers of its terms begin. */
  firstTerm: u32;

  /** Whether documents without a string have the one that is given. */
  @inline get hasMissingTerm(): bool {
    return this.missing == MISSING_TERM;
  }
  @inline get missingGoesLast(): bool {
    return this.missing == MISSING_LAST;
  }

  /** Which nested documents have the values, a Query; 0: the documents have them themselves. */
  nestedQuery: usize;
  /** The same in a segment: a bitset, 0 where there are none; and the documents that are not nested. */
  nested: usize;
  roots: usize;

  @inline get opened(): Column {
    return changetype<Column>(this.column);
  }

  @inline get isString(): bool {
    return this.kind == KEY_COLUMN && this.type == TYPE_STRING;
  }

  /** Whether a value's rank can be told from its block's bounds. */
  @inline get isBounded(): bool {
    return this.kind == KEY_COLUMN && this.column != 0 && !this.opened.isSeveral && !this.nestedQuery;
  }

  /** Whether chords tell which of two documents has the smaller distance: each has one point, and so has the key. */
  @inline get isAngular(): bool {
    return (
      this.column != 0 &&
      !this.opened.isSeveral &&
      !this.nestedQuery &&
      this.pointCount == 1 &&
      this.formula < PLANE
    );
  }

  /** A rank of what is put in order ascending, and back. */
  @inline rank(value: i64): i64 {
    return this.descending ? ~value : value;
  }
}

/** The keys of a sort, and whether hits want their scores besides. */
@unmanaged
export class SortSection {
  keys: usize;
  count: u32;
  tracksScores: bool;
  /** Whether a key or a hit needs scores. */
  needsScores: bool;

  @inline key(i: u32): SortKey {
    return changetype<SortKey>(this.keys + <usize>i * offsetof<SortKey>());
  }
}

/** Reads a sort section (README.md) where the plan's reader stands; its address, 0 where the request fails. */
export function sectionNext(): usize {
  const made = structNext(offsetof<SortSection>());
  if (!made || requestStatus != OK) return 0;
  const start = readerAt;
  const section = changetype<SortSection>(made);
  const status = readKeys(section, start, start + bytesLeft());
  if (status != OK) fail(status);
  return requestStatus == OK ? made : 0;
}

/** Reads the section at `ptr`, which ends before `end`, and leaves the plan's reader behind it; a status. */
function readKeys(section: SortSection, ptr: usize, end: usize): i32 {
  if (end - ptr < 2) return ERR_PLAN;
  const flags = load<u8>(ptr);
  const n = <u32>load<u8>(ptr, 1);
  if (flags > 1 || !n) return ERR_PLAN;
  if (n > MAX_KEYS) return ERR_LIMIT;
  section.tracksScores = flags != 0;
  section.needsScores = section.tracksScores;
  section.keys = requestAllocZeroed(n * offsetof<SortKey>());
  if (!section.keys) return ERR_MEMORY;
  let at = ptr + 2;
  for (let i: u32 = 0; i < n; i++) {
    const key = section.key(i);
    if (end - at < 2) return ERR_PLAN;
    key.kind = load<u8>(at);
    const order = load<u8>(at, 1);
    key.descending = (order & DESCENDING) != 0;
    key.mode = (order >> 1) & 3;
    key.missing = (order >> 3) & 3;
    if (key.kind > KEY_SCRIPT || order >> 5 || key.missing > MISSING_FIRST) return ERR_PLAN;
    at += 2;
    if (key.kind == KEY_SCORE) section.needsScores = true;
    if (key.kind < KEY_COLUMN) continue;
    if (key.kind == KEY_SCRIPT) {
      readAgain(at);
      key.program = programNext();
      if (requestStatus != OK) return requestStatus;
      at = readerAt;
      continue;
    }
    if (end - at < 3) return ERR_PLAN;
    key.field = load<u16>(at);
    key.type = load<u8>(at, 2);
    at += 3;
    if (key.kind == KEY_DISTANCE) {
      key.formula = key.type;
      if (key.formula >= FORMULAS || end - at < 10) return ERR_PLAN;
      key.unit = load<f64>(at);
      key.pointCount = <u32>load<u16>(at, 8);
      key.points = at + 10;
      at += 10;
      if (!key.pointCount || !(key.unit > 0) || <u32>(end - at) >> 4 < key.pointCount) return ERR_PLAN;
      if (key.pointCount > MAX_POINTS) return ERR_LIMIT;
      at += (<usize>key.pointCount) << 4;
    } else if (key.type == TYPE_STRING) {
      if (end - at < 2) return ERR_PLAN;
      key.missingLength = <u32>load<u16>(at);
      key.missingTerm = at + 2;
      at += 2;
      if (<u32>(end - at) < key.missingLength) return ERR_PLAN;
      at += key.missingLength;
    } else {
      if ((key.type != COLUMN_LONG && key.type != COLUMN_DOUBLE) || end - at < 8) return ERR_PLAN;
      key.missingValue = load<i64>(at);
      at += 8;
    }
  }
  section.count = n;
  readAgain(at);
  return OK;
}

/** Opens the terms of a string's field in a segment; false without memory. */
function openTerms(key: SortKey, seg: Segment): bool {
  key.terms = 0;
  const entry = findField(seg, key.field);
  if (!entry) return true;
  const dict = requestAlloc(offsetof<Dictionary>());
  const terms = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!dict || !terms || !buffer) return false;
  openDictionary(seg, entry, changetype<Dictionary>(dict));
  TermCursor.init(changetype<TermCursor>(terms), changetype<Dictionary>(dict), buffer);
  key.terms = terms;
  key.termCount = changetype<Dictionary>(dict).termCount;
  return true;
}

/** The rank of documents without a string: between those of the terms, which are odd. */
function stringMissing(key: SortKey): i64 {
  if (key.missing == MISSING_LAST) return i64.MAX_VALUE;
  if (key.missing == MISSING_FIRST) return i64.MIN_VALUE;
  if (!key.terms) return key.rank(0);
  const terms = changetype<TermCursor>(key.terms);
  if (!terms.seekCeil(key.missingTerm, key.missingLength)) return key.rank((<i64>terms.dict.termCount) << 1);
  const ordinal = (<i64>(terms.ordinal - 1)) << 1;
  const same = compareBytes(terms.termPtr, terms.termLength, key.missingTerm, key.missingLength) == 0;
  return key.rank(same ? ordinal + 1 : ordinal);
}

/** Prepares the keys for a segment, those of nested documents but for their matchers; false without memory. */
export function openKeys(section: SortSection, shard: Shard, seg: Segment): bool {
  for (let i: u32 = 0; i < section.count; i++) {
    const key = section.key(i);
    key.column = 0;
    key.nested = 0;
    key.roots = seg.parents;
    if (key.kind < KEY_COLUMN) continue;
    if (key.kind == KEY_SCRIPT) {
      if (!openProgram(changetype<Program>(key.program), seg)) return false;
      continue;
    }
    const column = openColumn(shard, seg, key.field);
    if (requestStatus != OK) return false;
    let wanted: u32 = key.type;
    if (key.kind == KEY_DISTANCE) wanted = COLUMN_GEO;
    else if (key.type == TYPE_STRING) wanted = COLUMN_ORDINAL;
    if (column !== null && column.kind == wanted) key.column = changetype<usize>(column);
    if (key.kind == KEY_DISTANCE) {
      key.missingRank = key.rank(Double.toOrdered(f64.MAX_VALUE));
    } else if (key.type == TYPE_STRING) {
      if (!openTerms(key, seg)) return false;
      key.missingRank = stringMissing(key);
    } else {
      key.missingRank = key.rank(key.missingValue);
    }
  }
  return true;
}

/** The rank of a score. */
export function scoreRank(key: SortKey, score: f32): i64 {
  const bits = reinterpret<i32>(score);
  return key.rank(<i64>(bits ^ ((bits >> 31) & i32.MAX_VALUE)));
}

/** The score of a rank. */
export function scoreOfRank(key: SortKey, rank: i64): f32 {
  const bits = <i32>key.rank(rank);
  return reinterpret<f32>(bits ^ ((bits >> 31) & i32.MAX_VALUE));
}

/** Writes the value of a rank that is none of a string: f64 of scores, distances, scripts and fractions, else i64. */
export function writeRank(key: SortKey, rank: i64, to: usize): void {
  if (key.kind == KEY_SCORE) store<f64>(to, <f64>scoreOfRank(key, rank));
  else if (key.kind >= KEY_DISTANCE || (key.kind == KEY_COLUMN && key.type == COLUMN_DOUBLE))
    store<f64>(to, Double.fromOrdered(key.rank(rank)));
  else store<i64>(to, key.rank(rank));
}

/** Globals: for every document, and every value of it. What the values of a document's nested ones come to: of whole numbers `sum`, of fractions and distances `total`. */
let gatheredBest: i64 = 0;
let gatheredSum: i64 = 0;
let gatheredTotal: f64 = 0;
let gatheredCount: u32 = 0;

/** Takes a value in. */
function gatherValue(key: SortKey, value: i64): void {
  if (key.mode == MODE_MAX ? value > gatheredBest : value < gatheredBest) gatheredBest = value;
  if (key.mode >= MODE_SUM && !key.isString) {
    if (key.kind == KEY_COLUMN && key.type == COLUMN_LONG) gatheredSum += value;
    else gatheredTotal += Double.fromOrdered(value);
  }
  gatheredCount++;
}

/** Takes in what a nested document has. */
function gatherPart(key: SortKey, column: Column, part: u32): void {
  const first = column.first(part);
  const end = column.end(part);
  if (key.kind == KEY_COLUMN) {
    for (let i = first; i < end; i++) gatherValue(key, column.value(i));
    return;
  }
  for (let p: u32 = 0; p < key.pointCount; p++) {
    const point = key.points + ((<usize>p) << 4);
    for (let i = first; i < end; i++) {
      const d = distance(
        key.formula,
        load<f64>(point),
        load<f64>(point, 8),
        column.latitude(i),
        column.longitude(i),
      );
      gatherValue(key, Double.toOrdered(d / key.unit));
    }
  }
}

/** The rank of a document by the values of its nested ones. */
function nestedRank(key: SortKey, doc: u32): i64 {
  if (!key.nested) return key.missingRank;
  const column = key.opened;
  gatheredBest = key.mode == MODE_MAX ? i64.MIN_VALUE : i64.MAX_VALUE;
  gatheredSum = 0;
  gatheredTotal = 0;
  gatheredCount = 0;
  let part = setFrom(key.nested, <u32>(setBefore(key.roots, doc) + 1), doc);
  for (; part < doc; part = setFrom(key.nested, part + 1, doc)) gatherPart(key, column, part);
  if (!gatheredCount) return key.missingRank;
  if (key.isString) return key.rank((gatheredBest << 1) + 1);
  if (key.mode < MODE_SUM) return key.rank(gatheredBest);
  if (key.kind == KEY_COLUMN && key.type == COLUMN_LONG) {
    if (key.mode == MODE_SUM) return key.rank(gatheredSum);
    return key.rank(<i64>Math.floor(<f64>gatheredSum / <f64>gatheredCount + 0.5));
  }
  const total = key.mode == MODE_SUM ? gatheredTotal : gatheredTotal / <f64>gatheredCount;
  return key.rank(Double.toOrdered(total));
}

/** The sum or the average of several numbers. */
function summed(key: SortKey, column: Column, first: u32, end: u32): i64 {
  const n = end - first;
  if (n == 1) return column.value(first);
  if (key.type == COLUMN_LONG) {
    let sum: i64 = 0;
    for (let i = first; i < end; i++) sum += column.value(i);
    if (key.mode == MODE_SUM) return sum;
    // Java's Math.round.
    return <i64>Math.floor(<f64>sum / <f64>n + 0.5);
  }
  let sum: f64 = 0;
  for (let i = first; i < end; i++) sum += Double.fromOrdered(column.value(i));
  return Double.toOrdered(key.mode == MODE_SUM ? sum : sum / <f64>n);
}

/** The distance of a document by the key's mode, over all its points and all that are given. */
function distanceOf(key: SortKey, column: Column, first: u32, end: u32): f64 {
  let best: f64 = key.mode == MODE_MAX ? -Infinity : key.mode < MODE_SUM ? Infinity : 0;
  let n: f64 = 0;
  for (let p: u32 = 0; p < key.pointCount; p++) {
    const point = key.points + ((<usize>p) << 4);
    for (let i = first; i < end; i++) {
      const d =
        distance(
          key.formula,
          load<f64>(point),
          load<f64>(point, 8),
          column.latitude(i),
          column.longitude(i),
        ) / key.unit;
      n += 1;
      if (key.mode >= MODE_SUM) best += d;
      else best = key.mode == MODE_MAX ? max(best, d) : min(best, d);
    }
  }
  return key.mode == MODE_AVERAGE ? best / n : best;
}

/** The rank of a document whose score is `score`. `doc` is its number in the segment, `docBase` that of the segment's first. */
export function rankOf(key: SortKey, doc: u32, docBase: u32, score: f32): i64 {
  if (key.kind == KEY_SCORE) return scoreRank(key, score);
  if (key.kind == KEY_DOC) return key.rank(docBase + doc);
  // 1.7 tells scripts no score but in a function score.
  if (key.kind == KEY_SCRIPT)
    return key.rank(Double.toOrdered(Double.unsigned(evaluateOne(changetype<Program>(key.program), doc, 0))));
  if (!key.column) return key.missingRank;
  if (key.nestedQuery) return nestedRank(key, doc);
  const column = key.opened;
  const first = column.first(doc);
  const end = column.end(doc);
  if (first >= end) return key.missingRank;
  if (key.kind == KEY_DISTANCE) return key.rank(Double.toOrdered(distanceOf(key, column, first, end)));
  if (key.type == TYPE_STRING) {
    return key.rank((column.value(key.mode == MODE_MAX ? end - 1 : first) << 1) + 1);
  }
  if (key.mode >= MODE_SUM) return key.rank(summed(key, column, first, end));
  return key.rank(column.value(key.mode == MODE_MAX ? end - 1 : first));
}

/** The rank of a value of the single form. */
export function rankOfValue(key: SortKey, value: i64): i64 {
  return key.rank(key.type == TYPE_STRING ? (value << 1) + 1 : value);
}

/**
 * A copy of the term of a string's rank in the opened segment, in the request arena: u32 length, bytes. 0 where the document had
 * none and goes to an end; 0 as well without memory, and the request fails.
 */
export function termOfRank(key: SortKey, rank: i64): usize {
  if (rank == key.missingRank) {
    if (key.missing != MISSING_TERM) return 0;
    return copyTerm(key.missingTerm, key.missingLength);
  }
  const ordinal = <u32>(key.rank(rank) >> 1);
  if (!key.terms) return 0;
  const terms = changetype<TermCursor>(key.terms);
  terms.rewind();
  terms.ordinal = ordinal & ~(BLOCK_TERMS - 1);
  while (terms.next() && terms.ordinal <= ordinal) {}
  return copyTerm(terms.termPtr, terms.termLength);
}

function copyTerm(ptr: usize, length: u32): usize {
  const at = requestAlloc(length + 4);
  if (!at) {
    fail(ERR_MEMORY);
    return 0;
  }
  store<u32>(at, length);
  memory.copy(at + 4, ptr, length);
  return at;
}

/** Compares two strings as `termOfRank` gives them by a key's order: negative if `a` comes first. */
export function compareTerms(key: SortKey, a: usize, b: usize): i32 {
  if (!a || !b) {
    if (a == b) return 0;
    const last = key.missing == MISSING_LAST;
    return (a == 0) == last ? 1 : -1;
  }
  const order = compareBytes(a + 4, load<u32>(a), b + 4, load<u32>(b));
  return key.descending ? -order : order;
}
