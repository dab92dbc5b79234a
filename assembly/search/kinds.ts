import {
  NODE_ALL,
  NODE_BLENDED,
  NODE_BOOLEAN,
  NODE_BOOSTING,
  NODE_COMMON,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_EXISTS,
  NODE_EXPRESSION,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_FUZZY_LIKE_THIS,
  NODE_GEO_BOX,
  NODE_GEO_DISTANCE,
  NODE_GEO_POLYGON,
  NODE_JOIN,
  NODE_KEPT,
  NODE_KEYS,
  NODE_LIMIT,
  NODE_MORE_LIKE_THIS,
  NODE_MULTI_TERM,
  NODE_NESTED,
  NODE_NONE,
  NODE_PARTS,
  NODE_PHRASE,
  NODE_PHRASE_PREFIX,
  NODE_PREFIX,
  NODE_RANGE,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_MULTI,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
  NODE_TERMS,
} from '../abi/plan';
import { ERR_PLAN } from '../abi/status';
import { Matcher } from '../docset/matcher';
import { Query } from '../plan/query';
import { fail } from '../requestStatus';
import { Compile, Compiling } from './compiling';
import { Decode } from './decoding';
import { Explain, explainClauses, explainTerms } from './explanation';
import { runJoin } from './joins';
import {
  FIRST_SCORES,
  HAS_TERMS,
  KEPT_AT_ONCE,
  KEPT_WHOLE,
  kindOf,
  OF_SEGMENT,
  OWN_SEARCH,
  SET,
  SPAN,
} from './kind';
import { compileAll, compileNone, decodeAll, decodeNone } from './kinds/all';
import { decodeBlended, expandBlended } from './kinds/blended';
import { compileBoolean, decodeBoolean, decodeBoosting, weighBoolean } from './kinds/boolean';
import { decodeCommon, expandCommon } from './kinds/common';
import { compileConstant, decodeConstant, explainConstant } from './kinds/constantScore';
import { compileDismax, decodeDismax, weighDismax } from './kinds/dismax';
import { decodeExpression, fillExpression } from './kinds/expression';
import { compileFiltered, decodeFiltered, explainFiltered } from './kinds/filtered';
import { compileFunctions, decodeFunctions, explainFunctions, weighFunctions } from './kinds/functionScore';
import { decodeFuzzyLike, expandFuzzyLike } from './kinds/fuzzyLikeThis';
import { compileJoin, decodeJoin, expandJoin, normalizeJoin, weighJoin } from './kinds/join';
import { compileKept } from './kinds/kept';
import { compileLimit, decodeLimit, precomputeLimit } from './kinds/limit';
import { decodeLike, expandLike } from './kinds/moreLikeThis';
import { decodeMultiTerm, expandMultiTerm } from './kinds/multiTerm';
import { compileNested, compileParts, decodeNested, decodeParts, explainNested } from './kinds/nested';
import { compilePhrase, decodePhrase } from './kinds/phrase';
import { decodePhrasePrefix, expandPhrasePrefix } from './kinds/phrasePrefix';
import { decodePoints, fillPoints } from './kinds/points';
import { decodeRange, fillRange } from './kinds/range';
import {
  compileSet,
  decodeExists,
  decodeKeys,
  decodePrefix,
  decodeTerms,
  fillExisting,
  fillKeys,
  fillTerms,
} from './kinds/sets';
import { compileSpans, decodeSpans, expandSpanMulti, explainSpans, weighSpans } from './kinds/spans';
import { compileTerm, decodeTerm } from './kinds/term';
import { Precompute } from './precomputed';
import { Expand, expandFilters } from './rewriting';
import { Fill, fillMatching } from './termSet';
import {
  Normalize,
  normalizeConstant,
  normalizeTerms,
  Weigh,
  weighConstant,
  weighFirst,
  weighTerms,
} from './weights';

// The registry of the kinds of nodes: what the core does with each is in its file below kinds/, and its line here. A kind that is rewritten
// for every shard has no matcher. What is rewritten, matched by a set, scored by itself, explained by more than a constant is, or worked out
// before all else has a line for that too.

function define(number: u32, decode: Decode, compile: Compile, traits: u32): void {
  const kind = kindOf(number);
  kind.decode = decode.index;
  kind.compile = compile.index;
  kind.traits = traits;
}

function defineExpansion(number: u32, expand: Expand): void {
  kindOf(number).expand = expand.index;
}

function defineSet(number: u32, fill: Fill): void {
  kindOf(number).fill = fill.index;
}

function defineWeight(number: u32, weigh: Weigh): void {
  kindOf(number).weigh = weigh.index;
}

function defineScore(number: u32, weigh: Weigh, normalize: Normalize): void {
  defineWeight(number, weigh);
  kindOf(number).normalize = normalize.index;
}

function defineExplanation(number: u32, explain: Explain): void {
  kindOf(number).explain = explain.index;
}

function definePrecomputed(number: u32, precompute: Precompute): void {
  kindOf(number).precompute = precompute.index;
}

/** Takes the place of a matcher of what was to be rewritten. */
function compileRewritten(_c: Compiling, _query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  fail(ERR_PLAN);
  return null;
}

/** A filter that goes by the segment, and its set, which is found again. */
const FOUND: u32 = SET | OF_SEGMENT;
/** What is kept as a set when it filters again, as its children may be. */
const WHOLE: u32 = OF_SEGMENT | KEPT_WHOLE;

/** When the core starts. */
export function defineKinds(): void {
  define(NODE_NONE, decodeNone, compileNone, OF_SEGMENT);
  define(NODE_ALL, decodeAll, compileAll, OF_SEGMENT);
  define(NODE_TERM, decodeTerm, compileTerm, HAS_TERMS | OF_SEGMENT);
  define(NODE_BOOLEAN, decodeBoolean, compileBoolean, WHOLE);
  define(NODE_CONSTANT, decodeConstant, compileConstant, OF_SEGMENT);
  define(NODE_FILTERED, decodeFiltered, compileFiltered, FIRST_SCORES | WHOLE);
  define(NODE_PHRASE, decodePhrase, compilePhrase, HAS_TERMS | WHOLE);
  define(NODE_TERMS, decodeTerms, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_PREFIX, decodePrefix, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_RANGE, decodeRange, compileSet, FOUND);
  define(NODE_DISMAX, decodeDismax, compileDismax, WHOLE);
  define(NODE_KEYS, decodeKeys, compileSet, SET);
  define(NODE_EXISTS, decodeExists, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_MULTI_TERM, decodeMultiTerm, compileSet, OF_SEGMENT);
  define(NODE_PHRASE_PREFIX, decodePhrasePrefix, compileRewritten, 0);
  define(NODE_BOOSTING, decodeBoosting, compileBoolean, WHOLE);
  define(NODE_FUNCTION, decodeFunctions, compileFunctions, FIRST_SCORES | OF_SEGMENT);
  define(NODE_COMMON, decodeCommon, compileRewritten, 0);
  define(NODE_BLENDED, decodeBlended, compileRewritten, 0);
  define(NODE_SPAN_TERM, decodeSpans, compileSpans, HAS_TERMS | SPAN | WHOLE);
  define(NODE_SPAN_NEAR, decodeSpans, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_OR, decodeSpans, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_NOT, decodeSpans, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_FIRST, decodeSpans, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_MULTI, decodeSpans, compileRewritten, SPAN);
  define(NODE_SPAN_MASK, decodeSpans, compileSpans, SPAN | WHOLE);
  define(NODE_MORE_LIKE_THIS, decodeLike, compileRewritten, 0);
  // Nothing is read of it: what is kept stands in place of the node within (decodeNodes.ts).
  define(NODE_KEPT, decodeNone, compileKept, OF_SEGMENT);
  define(NODE_NESTED, decodeNested, compileNested, FIRST_SCORES | WHOLE);
  define(NODE_JOIN, decodeJoin, compileJoin, OWN_SEARCH);
  define(NODE_LIMIT, decodeLimit, compileLimit, SET);
  define(NODE_PARTS, decodeParts, compileParts, SET);
  define(NODE_FUZZY_LIKE_THIS, decodeFuzzyLike, compileRewritten, 0);
  define(NODE_GEO_DISTANCE, decodePoints, compileSet, FOUND);
  define(NODE_GEO_BOX, decodePoints, compileSet, FOUND);
  define(NODE_GEO_POLYGON, decodePoints, compileSet, FOUND);
  define(NODE_EXPRESSION, decodeExpression, compileSet, FOUND);

  defineExpansion(NODE_CONSTANT, expandFilters);
  defineExpansion(NODE_MULTI_TERM, expandMultiTerm);
  defineExpansion(NODE_PHRASE_PREFIX, expandPhrasePrefix);
  defineExpansion(NODE_COMMON, expandCommon);
  defineExpansion(NODE_BLENDED, expandBlended);
  defineExpansion(NODE_SPAN_MULTI, expandSpanMulti);
  defineExpansion(NODE_MORE_LIKE_THIS, expandLike);
  defineExpansion(NODE_JOIN, expandJoin);
  defineExpansion(NODE_FUZZY_LIKE_THIS, expandFuzzyLike);

  defineSet(NODE_TERM, fillTerms);
  defineSet(NODE_TERMS, fillTerms);
  defineSet(NODE_PREFIX, fillMatching);
  defineSet(NODE_RANGE, fillRange);
  defineSet(NODE_KEYS, fillKeys);
  defineSet(NODE_EXISTS, fillExisting);
  defineSet(NODE_MULTI_TERM, fillMatching);
  defineSet(NODE_GEO_DISTANCE, fillPoints);
  defineSet(NODE_GEO_BOX, fillPoints);
  defineSet(NODE_GEO_POLYGON, fillPoints);
  defineSet(NODE_EXPRESSION, fillExpression);

  defineScore(NODE_ALL, weighConstant, normalizeConstant);
  defineScore(NODE_TERM, weighTerms, normalizeTerms);
  defineWeight(NODE_BOOLEAN, weighBoolean);
  defineScore(NODE_CONSTANT, weighConstant, normalizeConstant);
  defineWeight(NODE_FILTERED, weighFirst);
  defineScore(NODE_PHRASE, weighTerms, normalizeTerms);
  defineWeight(NODE_DISMAX, weighDismax);
  defineWeight(NODE_FUNCTION, weighFunctions);
  defineScore(NODE_SPAN_TERM, weighSpans, normalizeTerms);
  defineScore(NODE_SPAN_NEAR, weighSpans, normalizeTerms);
  defineScore(NODE_SPAN_OR, weighSpans, normalizeTerms);
  defineScore(NODE_SPAN_NOT, weighSpans, normalizeTerms);
  defineScore(NODE_SPAN_FIRST, weighSpans, normalizeTerms);
  defineWeight(NODE_SPAN_MASK, weighFirst);
  defineWeight(NODE_NESTED, weighFirst);
  defineScore(NODE_JOIN, weighJoin, normalizeJoin);

  defineExplanation(NODE_TERM, explainTerms);
  defineExplanation(NODE_BOOLEAN, explainClauses);
  defineExplanation(NODE_CONSTANT, explainConstant);
  defineExplanation(NODE_FILTERED, explainFiltered);
  defineExplanation(NODE_PHRASE, explainTerms);
  defineExplanation(NODE_DISMAX, explainClauses);
  defineExplanation(NODE_MULTI_TERM, explainConstant);
  defineExplanation(NODE_FUNCTION, explainFunctions);
  defineExplanation(NODE_SPAN_TERM, explainSpans);
  defineExplanation(NODE_SPAN_NEAR, explainSpans);
  defineExplanation(NODE_SPAN_OR, explainSpans);
  defineExplanation(NODE_SPAN_NOT, explainSpans);
  defineExplanation(NODE_SPAN_FIRST, explainSpans);
  defineExplanation(NODE_SPAN_MASK, explainSpans);
  defineExplanation(NODE_NESTED, explainNested);

  definePrecomputed(NODE_JOIN, runJoin);
  definePrecomputed(NODE_LIMIT, precomputeLimit);
}
