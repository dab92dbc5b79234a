import { JOIN_AVERAGE, JOIN_MAX, JOIN_NONE } from '../abi/plan';
import {
  MATCH_ALL,
  MATCH_SIMILARITY,
  MATCH_BOOLEAN,
  MATCH_DISMAX,
  MATCH_FILTERED,
  MATCH_FUNCTION,
  MATCH_NESTED,
  MATCH_JOIN,
  MATCH_PHRASE,
  MATCH_SPAN,
  MATCH_TERM,
  Matcher,
  isPositional,
  matches,
} from '../docset/matcher';
import { firstOfBlock, setFrom } from '../docset/blockJoin';
import { Bitset } from '../memory/bitset';
import { contains, currentFreq, currentScore } from '../postings/cursor';
import { functionScore } from './functionScore';
import { modelScore, TermModel } from '../similarity/probability';
import { coord } from '../similarity/similarity';

// The score of one document, in the order of float operations of Lucene 4.10's scorers: ConjunctionScorer sums in f32,
// DisjunctionSumScorer and BooleanScorer in double, ReqOptSumScorer adds the optional sum to the required one, coord comes last.

/** Whether the document that `evaluate` looked at last matches. */
export let matched: bool = false;

/** The coord factor of a boolean for a document that `overlap` of its clauses match. */
export function coordOf(m: Matcher, overlap: u32): f32 {
  if (m.boosting) return overlap > 1 ? m.tieBreaker : 1;
  return m.noCoord ? 1 : coord(overlap, m.maxCoord);
}

function booleanScore(m: Matcher, doc: u32): f32 {
  for (let i: u32 = 0; i < m.prohibitedCount; i++) {
    if (matches(Matcher.at(m.prohibited, i), doc)) {
      matched = false;
      return 0;
    }
  }
  let required: f32 = 0;
  for (let i: u32 = 0; i < m.requiredCount; i++) {
    const score = evaluate(Matcher.at(m.added, i), doc);
    if (!matched) return 0;
    required += score;
  }
  const n = m.optionalCount;
  if (!n) {
    matched = true;
    return required * coordOf(m, m.requiredCount);
  }
  let sum: f64 = 0;
  let found: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const score = evaluate(Matcher.at(m.optional, i), doc);
    if (!matched) continue;
    sum += <f64>score;
    found++;
  }
  if (found < m.minimum) {
    matched = false;
    return 0;
  }
  matched = true;
  if (!m.requiredCount) {
    const factor = coordOf(m, found);
    return m.bulk ? <f32>(sum * <f64>factor) : <f32>sum * factor;
  }
  if (!found) return required * coordOf(m, m.requiredCount);
  return (required + <f32>sum) * coordOf(m, m.requiredCount + found);
}

/** The score by another similarity than the default, of a document that `inner` matches and whose frequency is at hand. */
function similarityScore(m: Matcher, inner: Matcher, doc: u32): f32 {
  let freq: f32;
  if (isPositional(inner)) freq = inner.positional.freq;
  else freq = <f32>currentFreq(inner.cursor);
  const norm: usize = m.norms ? <usize>load<u8>(m.norms + doc) : 256;
  const length = load<f32>(m.lengths + (norm << 2));
  if (!m.modelCount) return (m.value * freq) / (freq + length);
  let sum: f32 = 0;
  for (let i: u32 = 0; i < m.modelCount; i++) sum += modelScore(TermModel.at(m.models, i), freq, length);
  return sum;
}

function dismaxScore(m: Matcher, doc: u32): f32 {
  let best: f32 = -Infinity;
  let sum: f32 = 0;
  let any = false;
  for (let i: u32 = 0; i < m.optionalCount; i++) {
    const score = evaluate(Matcher.at(m.optional, i), doc);
    if (!matched) continue;
    any = true;
    sum += score;
    if (score > best) best = score;
  }
  matched = any;
  return any ? best + (sum - best) * m.tieBreaker : 0;
}

/** What Lucene's ToParentBlockJoinScorer makes of the scores of the nested documents. */
function nestedScore(m: Matcher, doc: u32): f32 {
  const join = m.join;
  const child = Matcher.at(m.optional, 0);
  let total: f32 = 0;
  let best: f32 = -Infinity;
  let found: u32 = 0;
  matched = false;
  if (!Bitset.get(m.bits ? m.bits : join.parents, doc)) return 0;
  const parts = join.parts;
  for (let part = firstOfBlock(join, doc); part < doc; part++) {
    if (parts) {
      part = setFrom(parts, part, doc);
      if (part >= doc) break;
    }
    if (join.mode == JOIN_NONE) {
      if (!matches(child, part)) continue;
      matched = true;
      return 0;
    }
    const score = evaluate(child, part);
    if (!matched) continue;
    total += score;
    best = max(best, score);
    found++;
  }
  matched = found > 0;
  if (!found) return 0;
  if (join.mode == JOIN_AVERAGE) return total / <f32>found;
  return join.mode == JOIN_MAX ? best : total;
}

/** Score of `doc`; `matched` says whether it matches at all. */
export function evaluate(m: Matcher, doc: u32): f32 {
  switch (m.kind) {
    case MATCH_TERM:
      if (!contains(m.cursor, doc)) {
        matched = false;
        return 0;
      }
      matched = true;
      return currentScore(m.cursor);
    case MATCH_BOOLEAN:
      return booleanScore(m, doc);
    case MATCH_PHRASE:
    case MATCH_SPAN:
      matched = m.positional.has(doc);
      return matched ? m.positional.scoreOf(doc) : 0;
    case MATCH_DISMAX:
      return dismaxScore(m, doc);
    case MATCH_FILTERED:
      if (!matches(Matcher.at(m.required, 0), doc)) {
        matched = false;
        return 0;
      }
      return evaluate(Matcher.at(m.optional, 0), doc);
    case MATCH_NESTED:
      return nestedScore(m, doc);
    case MATCH_SIMILARITY: {
      const inner = Matcher.at(m.optional, 0);
      matched = matches(inner, doc);
      return matched ? similarityScore(m, inner, doc) : 0;
    }
    case MATCH_JOIN:
      matched = matches(m, doc);
      return matched ? load<f32>(m.scores + ((<usize>load<u32>(m.numbers + ((<usize>doc) << 2))) << 2)) : 0;
    case MATCH_FUNCTION: {
      const inner = evaluate(Matcher.at(m.optional, 0), doc);
      if (!matched) return 0;
      const score = functionScore(m.functions, doc, inner);
      matched = !m.functions.hasMinScore || score >= m.functions.minScore;
      return score;
    }
    default:
      matched = m.kind == MATCH_ALL || matches(m, doc);
      return m.value;
  }
}
