import { COLUMN_DOUBLE } from '../abi/columns';
import {
  BOOST_AVG,
  BOOST_MAX,
  BOOST_MIN,
  BOOST_REPLACE,
  BOOST_SUM,
  FUNCTION_FIELD_VALUE,
  FUNCTION_FREQUENCY,
  FUNCTION_GEO_DECAY,
  FUNCTION_RANDOM,
  FUNCTION_SCRIPT,
  SCORE_AVG,
  SCORE_FIRST,
  SCORE_MAX,
  SCORE_MIN,
  SCORE_MULTIPLY,
  SCORE_OCCURRENCES,
} from '../abi/functions';
import { ERR_NUMBER, ERR_VALUE, OK } from '../abi/status';
import { murmur3 } from '../codec/murmur3';
import { MATCH_TERM, Matcher, matches } from '../docset/matcher';
import { Column, Double } from '../docvalues/column';
import { distance, SLOPPY_ARC } from '../docvalues/geodesy';
import { evaluateOne } from '../expression/evaluate';
import { Program } from '../expression/program';
import { currentFreq } from '../postings/cursor';
import { fail, requestStatus } from '../requestStatus';
import { setResult } from '../result';
import { Segment } from '../segment/segment';
import { uidLength, uidOf } from '../segment/uids';
import { spend } from '../workLimit';
import { FunctionScore, ScoreFunction } from '../docset/functions';

// What a function score makes of a document's score, in double as 1.7 works it out, rounded to a float at the end.

/** A number of [0, 1) by seed and uid. */
function randomOf(seed: u32, segment: Segment, doc: u32): f64 {
  const uid = uidOf(segment, doc);
  return <f64>(<f32>(murmur3(uid, uidLength, seed) & 0xffffff) / <f32>(1 << 24));
}

/** Value number `i` of a column as a number. */
function numberAt(column: Column, i: u32): f64 {
  const value = column.value(i);
  return column.kind == COLUMN_DOUBLE ? Double.fromOrdered(value) : <f64>value;
}

function modified(modifier: u8, n: f64): f64 {
  switch (modifier) {
    case 1:
      return Math.log10(n);
    case 2:
      return Math.log10(n + 1);
    case 3:
      return Math.log10(n + 2);
    case 4:
      return Math.log(n);
    case 5:
      return Math.log1p(n);
    case 6:
      return Math.log1p(n + 1);
    case 7:
      return n * n;
    case 8:
      return Math.sqrt(n);
    case 9:
      return 1 / n;
    default:
      return n;
  }
}

/** What a function can't be told of: f64 value, u8 modifier. */
const refused: usize = memory.data(16, 8);

/** The search fails, of its values the first is told. */
function refuseNumber(n: f64, modifier: u8): void {
  if (requestStatus != OK) return;
  fail(ERR_NUMBER);
  store<f64>(refused, n);
  store<u8>(refused, modifier, 8);
  setResult(refused, 9);
}

/** The first value of a document, or the one for documents without, by factor and modifier. */
function fieldValue(f: ScoreFunction, doc: u32): f64 {
  const column = changetype<Column>(f.column);
  let n: f64 = f.missing;
  if (f.column && column.has(doc)) n = numberAt(column, column.first(doc));
  else if (!f.hasMissing) {
    fail(ERR_VALUE);
    return 0;
  }
  n *= <f64>f.factor;
  const value = modified(f.modifier, n);
  if (!isFinite<f64>(value)) refuseNumber(n, f.modifier);
  return value;
}

/** How far value number `i` is from the origin, less the offset. */
function distanceAt(f: ScoreFunction, column: Column, i: u32): f64 {
  const d =
    f.kind == FUNCTION_GEO_DECAY
      ? distance(SLOPPY_ARC, f.origin, f.longitude, column.latitude(i), column.longitude(i))
      : Math.abs(numberAt(column, i) - f.origin);
  return max(0, d - f.offset);
}

/** What is left at the distance of a document; documents without a value are at the origin. */
function decay(f: ScoreFunction, doc: u32): f64 {
  let d: f64 = 0;
  const column = changetype<Column>(f.column);
  if (f.column && column.has(doc)) {
    const first = column.first(doc);
    const end = column.end(doc);
    d = distanceAt(f, column, first);
    for (let i = first + 1; i < end; i++) {
      const other = distanceAt(f, column, i);
      if (f.mode == 0) d = min(d, other);
      else if (f.mode == 1) d = max(d, other);
      else d += other;
    }
    if (f.mode == 2) d /= <f64>(end - first);
  }
  switch (f.shape) {
    case 0:
      return Math.exp((0.5 * d * d) / f.scale);
    case 1:
      return Math.exp(f.scale * d);
    default:
      return max(0, (f.scale - d) / f.scale);
  }
}

/** What the query gave the document that functions are asked about. */
let queryScore: f32 = 0;

function valueOf(f: ScoreFunction, score: FunctionScore, doc: u32): f64 {
  if (f.kind == FUNCTION_SCRIPT) {
    const own = evaluateOne(changetype<Program>(f.program), doc, queryScore);
    return f.hasWeight ? own * <f64>f.weight : own;
  }
  if (f.kind == FUNCTION_FREQUENCY) return <f64>occurrences(f);
  if (f.kind >= FUNCTION_FIELD_VALUE) {
    const own = f.kind == FUNCTION_FIELD_VALUE ? fieldValue(f, doc) : decay(f, doc);
    return f.hasWeight ? own * <f64>f.weight : own;
  }
  const value: f64 = f.kind == FUNCTION_RANDOM ? randomOf(f.seed, score.segment, doc) : 1;
  return f.hasWeight ? value * <f64>f.weight : value;
}

/**
 * What function number `i` makes of the document that `functionScore` was asked about last; no number where its filter doesn't let it
 * pass.
 */
export function functionValue(s: FunctionScore, i: u32, doc: u32): f64 {
  return passes(s.at(i), doc) ? valueOf(s.at(i), s, doc) : NaN;
}

function passes(f: ScoreFunction, doc: u32): bool {
  if (f.never) return false;
  return !f.filter || matches(changetype<Matcher>(f.filter), doc);
}

/** How often the term that a function has as its filter occurs in the document, which passed it. */
function occurrences(f: ScoreFunction): u32 {
  const filter = changetype<Matcher>(f.filter);
  return f.filter && filter.kind == MATCH_TERM ? currentFreq(filter.cursor) : 1;
}

/** The mean of the weights over all occurrences, added up one by one in the order of the functions; 1 without any. */
function meanWeight(s: FunctionScore, doc: u32): f32 {
  let sum: f32 = 0;
  let seen: u32 = 0;
  spend(s.count << 1);
  for (let i: u32 = 0; i < s.count; i++) {
    const f = s.at(i);
    if (!passes(f, doc)) continue;
    const n = occurrences(f);
    for (let j: u32 = 0; j < n; j++) sum += f.weight;
    seen += n;
  }
  return seen ? sum / <f32>seen : 1;
}

/** The factor that the functions of a list amount to. */
function factorOf(s: FunctionScore, doc: u32): f64 {
  let product: f64 = 1;
  let sum: f64 = 0;
  let weights: f32 = 0;
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  let any = false;
  spend(s.count << 1);
  for (let i: u32 = 0; i < s.count; i++) {
    const f = s.at(i);
    if (!passes(f, doc)) continue;
    const value = valueOf(f, s, doc);
    if (s.scoreMode == SCORE_FIRST) return value;
    any = true;
    product *= value;
    sum += value;
    weights += f.hasWeight ? f.weight : 1;
    least = min(least, value);
    most = max(most, value);
  }
  if (!any) return 1;
  switch (s.scoreMode) {
    case SCORE_MULTIPLY:
      return product;
    case SCORE_MAX:
      return most;
    case SCORE_MIN:
      return least;
    default:
      // Weights that add up to nothing leave the score alone.
      if (weights == 0) return 1;
      return s.scoreMode == SCORE_AVG ? sum / <f64>weights : sum;
  }
}

/** The score of a document that its query gives `score`. */
export function functionScore(s: FunctionScore, doc: u32, score: f32): f32 {
  if (s.scoreMode == SCORE_OCCURRENCES) return score * meanWeight(s, doc);
  const query = <f64>score;
  queryScore = score;
  const boost = <f64>s.boost;
  let factor: f64;
  if (s.single) factor = s.count && passes(s.at(0), doc) ? valueOf(s.at(0), s, doc) : 1;
  else factor = factorOf(s, doc);
  factor = min(factor, <f64>s.maxBoost);
  switch (s.boostMode) {
    case BOOST_REPLACE:
      return <f32>(boost * factor);
    case BOOST_SUM:
      return <f32>(boost * (query + factor));
    case BOOST_AVG:
      return <f32>((boost * (factor + query)) / 2);
    case BOOST_MAX:
      return <f32>(boost * max(query, factor));
    case BOOST_MIN:
      return <f32>(boost * min(query, factor));
    default:
      return <f32>(boost * query * factor);
  }
}
