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
import { Decode, Decoding } from './decoding';
import { KEPT_AT_ONCE, KEPT_WHOLE, kindOf, OF_SEGMENT, SET, SPAN } from './kind';
import { compileAll, compileNone, decodeAll, decodeNone } from './kinds/all';
import { decodeBlended, expandBlended } from './kinds/blended';
import { compileBoolean, decodeBoolean, decodeBoosting } from './kinds/boolean';
import { decodeCommon, expandCommon } from './kinds/common';
import { compileConstant, decodeConstant } from './kinds/constantScore';
import { compileDismax, decodeDismax } from './kinds/dismax';
import { compileFiltered, decodeFiltered } from './kinds/filtered';
import { compileFunctions, decodeFunctions, expandFunctions } from './kinds/functionScore';
import { decodeFuzzyLike, expandFuzzyLike } from './kinds/fuzzyLikeThis';
import { compileJoin, decodeJoin, expandJoin } from './kinds/join';
import { compileKept } from './kinds/kept';
import { compileLimit, decodeLimit } from './kinds/limit';
import { decodeLike, expandLike } from './kinds/moreLikeThis';
import { decodeMultiTerm, expandMultiTerm } from './kinds/multiTerm';
import { compileNested, compileParts, decodeNested, decodeParts } from './kinds/nested';
import { compilePhrase, decodePhrase } from './kinds/phrase';
import { decodePhrasePrefix, expandPhrasePrefix } from './kinds/phrasePrefix';
import {
  compileSet,
  decodeExists,
  decodeExpression,
  decodeKeys,
  decodePoints,
  decodePrefix,
  decodeRange,
  decodeTerms,
} from './kinds/sets';
import { compileSpans, decodeSpans, expandSpanMulti } from './kinds/spans';
import { compileTerm, decodeTerm } from './kinds/term';
import { Expand, expandBelow, expandClauses, expandFilters } from './rewriting';

// The registry of the kinds of nodes: what the core does with each is in its file below kinds/, and its line here. A kind that is rewritten
// for every shard has no matcher.

function define(number: u32, decode: Decode, expand: Expand, compile: Compile, traits: u32): void {
  const kind = kindOf(number);
  kind.decode = decode.index;
  kind.expand = expand.index;
  kind.compile = compile.index;
  kind.traits = traits;
}

/** Takes the place of a matcher of what was to be rewritten. */
function compileRewritten(_c: Compiling, _query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  fail(ERR_PLAN);
  return null;
}

/** Nothing is read here: what is kept stands in place of the node within (decodeNodes.ts). */
function decodeKept(_d: Decoding, _node: Query, _depth: u32, _scoring: bool): void {
  fail(ERR_PLAN);
}

/** A filter that goes by the segment, and its set, which is found again. */
const FOUND: u32 = SET | OF_SEGMENT;
/** What is kept as a set when it filters again, as its children may be. */
const WHOLE: u32 = OF_SEGMENT | KEPT_WHOLE;

/** When the core starts. */
export function defineKinds(): void {
  define(NODE_NONE, decodeNone, expandBelow, compileNone, OF_SEGMENT);
  define(NODE_ALL, decodeAll, expandBelow, compileAll, OF_SEGMENT);
  define(NODE_TERM, decodeTerm, expandBelow, compileTerm, OF_SEGMENT);
  define(NODE_BOOLEAN, decodeBoolean, expandClauses, compileBoolean, WHOLE);
  define(NODE_CONSTANT, decodeConstant, expandFilters, compileConstant, OF_SEGMENT);
  define(NODE_FILTERED, decodeFiltered, expandBelow, compileFiltered, WHOLE);
  define(NODE_PHRASE, decodePhrase, expandBelow, compilePhrase, WHOLE);
  define(NODE_TERMS, decodeTerms, expandBelow, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_PREFIX, decodePrefix, expandBelow, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_RANGE, decodeRange, expandBelow, compileSet, FOUND);
  define(NODE_DISMAX, decodeDismax, expandClauses, compileDismax, WHOLE);
  define(NODE_KEYS, decodeKeys, expandBelow, compileSet, SET);
  define(NODE_EXISTS, decodeExists, expandBelow, compileSet, FOUND | KEPT_AT_ONCE);
  define(NODE_MULTI_TERM, decodeMultiTerm, expandMultiTerm, compileSet, OF_SEGMENT);
  define(NODE_PHRASE_PREFIX, decodePhrasePrefix, expandPhrasePrefix, compileRewritten, 0);
  define(NODE_BOOSTING, decodeBoosting, expandClauses, compileBoolean, WHOLE);
  define(NODE_FUNCTION, decodeFunctions, expandFunctions, compileFunctions, OF_SEGMENT);
  define(NODE_COMMON, decodeCommon, expandCommon, compileRewritten, 0);
  define(NODE_BLENDED, decodeBlended, expandBlended, compileRewritten, 0);
  define(NODE_SPAN_TERM, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_NEAR, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_OR, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_NOT, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_FIRST, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_SPAN_MULTI, decodeSpans, expandSpanMulti, compileRewritten, SPAN);
  define(NODE_SPAN_MASK, decodeSpans, expandBelow, compileSpans, SPAN | WHOLE);
  define(NODE_MORE_LIKE_THIS, decodeLike, expandLike, compileRewritten, 0);
  define(NODE_KEPT, decodeKept, expandBelow, compileKept, OF_SEGMENT);
  define(NODE_NESTED, decodeNested, expandBelow, compileNested, WHOLE);
  define(NODE_JOIN, decodeJoin, expandJoin, compileJoin, 0);
  define(NODE_LIMIT, decodeLimit, expandBelow, compileLimit, SET);
  define(NODE_PARTS, decodeParts, expandBelow, compileParts, SET);
  define(NODE_FUZZY_LIKE_THIS, decodeFuzzyLike, expandFuzzyLike, compileRewritten, 0);
  define(NODE_GEO_DISTANCE, decodePoints, expandBelow, compileSet, FOUND);
  define(NODE_GEO_BOX, decodePoints, expandBelow, compileSet, FOUND);
  define(NODE_GEO_POLYGON, decodePoints, expandBelow, compileSet, FOUND);
  define(NODE_EXPRESSION, decodeExpression, expandBelow, compileSet, FOUND);
}
