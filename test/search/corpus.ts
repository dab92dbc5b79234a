import fc from 'fast-check';
import { Occur } from '../../host/core/abi/plan.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode, SpanNode } from '../../host/plan/nodes.js';
import { type MultiTermNode, Rewrite } from '../../host/plan/nodes/multiTerm.js';
import type { TermMatcher } from '../../host/plan/termMatcher.js';
import { BoostMode, ScoreMode } from '../../host/plan/scoreFunction.js';
import { fuzzyMatcher, regexpMatcher, wildcardMatcher } from '../../host/query/term/termMatchers.js';

/** Random small corpora and random plans over them, for comparing the core with the naive engine. */

const utf8 = new TextEncoder();

/** Words by rank: the first are in most documents, the last in few. */
export const WORDS = Array.from({ length: 24 }, (_, i) => `w${String.fromCharCode(97 + i)}`);

/** Field 1 is full text, field 2 carries no norms, field 3 is documents only. */
export const FIELDS = [
  { field: 1, flags: 7, analyzer: 1, boost: 1, positionGap: 0 },
  { field: 2, flags: 3, analyzer: 1, boost: 1, positionGap: 0 },
  { field: 3, flags: 0, analyzer: 0, boost: 1, positionGap: 0 },
];

export interface RandomDocument {
  1: string[];
  2: string[];
  3: string[];
}

/** A seeded generator (mulberry32): large corpora are cheap and repeatable. */
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` documents whose words follow a steep distribution, so that lists of every kind arise: dense, packed, short. */
export function randomDocuments(seed: number, count: number): RandomDocument[] {
  const next = random(seed);
  const word = () => WORDS[Math.min(WORDS.length - 1, Math.floor(-Math.log(1 - next()) * 3.2))]!;
  const words = (most: number) => Array.from({ length: Math.floor(next() * most) }, word);
  return Array.from({ length: count }, () => ({
    1: words(next() < 0.05 ? 60 : 12),
    2: words(5),
    3: next() < 0.8 ? [word()] : [],
  }));
}

const word = fc.nat({ max: WORDS.length }).map((i) => utf8.encode(WORDS[i] ?? 'absent'));
const boost = fc.constantFrom(1, 1, 1, 2, 0.5, 3.25);
const field = fc.constantFrom(1, 1, 1, 2, 3);
const textField = fc.constantFrom(1, 1, 2);

const leaf: fc.Arbitrary<PlanNode> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('term' as const), field, boost, term: word }) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        field: textField,
        boost,
        slop: fc.constantFrom(0, 0, 0, 1, 2, 4),
        terms: fc.array(fc.tuple(fc.nat({ max: 2 }), word), { minLength: 2, maxLength: 4 }),
      })
      .map(({ field, boost, slop, terms }) => {
        let position = -1;
        return {
          kind: 'phrase' as const,
          field,
          boost,
          slop,
          positions: terms.map(([gap, term]) => {
            position += gap === 2 ? 2 : 1;
            return { position, terms: [term] };
          }),
        };
      }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), boost }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' as const }) },
);

const matcher: fc.Arbitrary<TermMatcher> = fc.oneof(
  fc.constantFrom('w', 'wa', 'x', '').map((p) => ({ type: 'prefix' as const, prefix: utf8.encode(p) })),
  fc.record({
    type: fc.constant('range' as const),
    lower: fc.option(word, { nil: undefined }),
    upper: fc.option(word, { nil: undefined }),
    includeLower: fc.boolean(),
    includeUpper: fc.boolean(),
  }),
  fc.constantFrom('w*', '*a', 'w?', 'w[a-c]*', 'nothing*', '*').map(wildcardMatcher),
  fc
    .constantFrom('w[a-f]', '~(wa|wb)', '.*', 'w(a|c|e).*', '(w[c-z])&(w[a-k])', 'x')
    .map((p) => regexpMatcher(p)),
  fc
    .tuple(
      fc.constantFrom('wa', 'wx', 'aw', 'wab', 'zzz', 'w'),
      fc.nat({ max: 2 }),
      fc.nat({ max: 1 }),
      fc.boolean(),
    )
    .map(([term, edits, prefix, swaps]) => fuzzyMatcher(term, edits, prefix, swaps)),
);

const multiTerm: fc.Arbitrary<MultiTermNode> = fc.record({
  kind: fc.constant('multiTerm' as const),
  field,
  boost,
  rewrite: fc.constantFrom(...Object.values(Rewrite)),
  size: fc.constantFrom(0, 1, 3, 50),
  matcher,
});

/** Spans of one field, up to three levels deep. */
function spans(field: number): fc.Arbitrary<SpanNode> {
  return fc.letrec<{ span: SpanNode }>((tie) => ({
    span: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'span' },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('spanTerm' as const),
          field: fc.constant(field),
          boost,
          term: word,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('spanNear' as const),
          boost,
          slop: fc.nat({ max: 5 }),
          inOrder: fc.boolean(),
          nodes: fc.array(tie('span'), { minLength: 1, maxLength: 3 }),
        }),
      },
      fc.record({
        kind: fc.constant('spanOr' as const),
        boost,
        nodes: fc.array(tie('span'), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('spanNot' as const),
        boost,
        include: tie('span'),
        exclude: tie('span'),
        pre: fc.nat({ max: 2 }),
        post: fc.nat({ max: 2 }),
      }),
      fc.record({
        kind: fc.constant('spanFirst' as const),
        boost,
        node: tie('span'),
        end: fc.nat({ max: 8 }),
      }),
      fc
        .record({ boost, node: multiTerm.map((node) => ({ ...node, field })) })
        .map((span) => ({ kind: 'spanMulti' as const, ...span })),
    ),
  })).span;
}

const rewritten: fc.Arbitrary<PlanNode> = fc.oneof(
  { weight: 3, arbitrary: multiTerm },
  { weight: 2, arbitrary: fc.oneof(spans(1), spans(2)) },
  fc.record({
    kind: fc.constant('phrasePrefix' as const),
    field: textField,
    boost: fc.constant(1),
    slop: fc.constantFrom(0, 0, 2),
    positions: fc
      .array(word, { maxLength: 2 })
      .map((terms) => terms.map((term, position) => ({ position, terms: [term] }))),
    last: fc.record({
      position: fc.constant(2),
      prefixes: fc.array(
        fc.constantFrom('w', 'wa', 'x').map((p) => utf8.encode(p)),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    maxExpansions: fc.constantFrom(1, 3, 50),
  }),
  fc.record({
    kind: fc.constant('commonTerms' as const),
    field: textField,
    boost,
    terms: fc.array(word, { maxLength: 4 }),
    cutoff: fc.constantFrom(0.001, 0.1, 0.25, 5, 50),
    lowOccur: fc.constantFrom(Occur.Must, Occur.Should),
    highOccur: fc.constantFrom(Occur.Must, Occur.Should),
    lowMinimums: fc.constantFrom([], [0, 1, 1, 2, 2]),
    highMinimums: fc.constantFrom([], [0, 1, 2, 2, 3]),
    noCoord: fc.boolean(),
  }),
);

const filterLeaf: fc.Arbitrary<PlanNode> = fc.oneof(
  leaf,
  rewritten,
  fc.record({ kind: fc.constant('terms' as const), field, terms: fc.array(word, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('prefix' as const),
    field,
    prefix: fc.constantFrom('w', 'wa', 'x').map((p) => utf8.encode(p)),
  }),
  fc.record({
    kind: fc.constant('range' as const),
    field,
    lower: fc.option(word, { nil: undefined }),
    upper: fc.option(word, { nil: undefined }),
    includeLower: fc.boolean(),
    includeUpper: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('exists' as const), field }),
  fc.record({
    kind: fc.constant('keys' as const),
    keys: fc.uniqueArray(fc.integer({ min: 1, max: 400 })).map((k) => k.sort((a, b) => a - b)),
  }),
);

function boolean(node: fc.Arbitrary<PlanNode>): fc.Arbitrary<PlanNode> {
  return fc
    .record({
      noCoord: fc.boolean(),
      boost,
      minimum: fc.constantFrom(0, 0, 0, 1, 2, 3),
      clauses: fc.array(
        fc.record({
          occur: fc.constantFrom(Occur.Must, Occur.Should, Occur.Should, Occur.Should, Occur.MustNot),
          node,
        }),
        { minLength: 1, maxLength: 6 },
      ),
    })
    .map((b) => ({ kind: 'boolean' as const, ...b }));
}

/** Scoring trees of every kind, up to four levels deep. */
export const planNode: fc.Arbitrary<PlanNode> = fc.letrec<{ query: PlanNode; filter: PlanNode }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'plan' },
    leaf,
    rewritten,
    boolean(tie('query')),
    fc.record({
      kind: fc.constant('boosting' as const),
      positive: tie('query'),
      negative: leaf,
      negativeBoost: fc.constantFrom(0.5, 0.2, 1.5),
    }),
    fc
      .record({
        kind: fc.constant('functionScore' as const),
        boost,
        query: tie('query'),
        functions: fc.array(
          fc.record({
            function: fc.constant({ type: 'one' as const }),
            weight: fc.constantFrom(undefined, 2, 0.3, 7),
            filter: fc.option(leaf, { nil: undefined }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        scoreMode: fc.constantFrom(...Object.values(ScoreMode)),
        boostMode: fc.constantFrom(...Object.values(BoostMode)),
        maxBoost: fc.constantFrom(undefined, undefined, 3),
      })
      .map((node) => ({
        ...node,
        single: node.functions.length === 1 && node.functions[0]!.filter === undefined,
      })),
    fc.record({ kind: fc.constant('filtered' as const), boost, query: tie('query'), filter: tie('filter') }),
    fc.record({ kind: fc.constant('constant' as const), boost, node: tie('filter') }),
    fc.record({
      kind: fc.constant('disMax' as const),
      boost,
      tieBreaker: fc.constantFrom(0, 0, 0.25, 1),
      nodes: fc.array(tie('query'), { minLength: 1, maxLength: 2 }),
    }),
  ),
  filter: fc.oneof({ maxDepth: 3, depthIdentifier: 'plan' }, filterLeaf, boolean(tie('filter'))),
})).query;

/** Whole plans. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  k: fc.constantFrom(0, 1, 3, 10, 10, 1000),
  inOrder: fc.boolean(),
  root: planNode,
  postFilter: fc.option(filterLeaf, { nil: undefined, freq: 5 }),
});
