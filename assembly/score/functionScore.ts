import { Matcher, matches } from '../docset/matcher';
import { keyOf } from '../segment/segment';
import {
  BOOST_AVG,
  BOOST_MAX,
  BOOST_MIN,
  BOOST_REPLACE,
  BOOST_SUM,
  FUNCTION_RANDOM,
  FunctionScore,
  SCORE_AVG,
  SCORE_FIRST,
  SCORE_MAX,
  SCORE_MIN,
  SCORE_MULTIPLY,
  ScoreFunction,
} from './functions';

// What a function score makes of a document's score, in double as 1.7 works it out, rounded to a float at the end.

/** A number of [0, 1) by seed and key: the same for a document in every search, whatever else is indexed. */
function randomOf(seed: u32, key: u64): f64 {
  // Mixed as in MurmurHash3's finalizer.
  let h = key ^ (<u64>seed * 0x9e3779b97f4a7c15);
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccd;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53;
  h ^= h >> 33;
  return <f64>(<f32>(<u32>h & 0xffffff) / <f32>(1 << 24));
}

function valueOf(f: ScoreFunction, score: FunctionScore, doc: u32): f64 {
  const value: f64 = f.kind == FUNCTION_RANDOM ? randomOf(f.seed, keyOf(score.segment, doc)) : 1;
  return f.hasWeight ? value * <f64>f.weight : value;
}

function passes(f: ScoreFunction, doc: u32): bool {
  if (f.never) return false;
  return !f.filter || matches(changetype<Matcher>(f.filter), doc);
}

/** The factor that the functions of a list amount to. */
function factorOf(s: FunctionScore, doc: u32): f64 {
  let product: f64 = 1;
  let sum: f64 = 0;
  let weights: f32 = 0;
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  let any = false;
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
  const query = <f64>score;
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
