import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePlan } from '../../host/searchBody/encode.js';
import { hashOrder } from '../../host/compat17/javaHash.js';
import { minimumShouldMatch } from '../../host/query/fulltext/minimumShouldMatch.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import { readPlan } from '../model/planReader.js';

describe('minimum_should_match', () => {
  test.each([
    [4, '2', 2],
    [4, '9', 4],
    [4, '-1', 3],
    [4, '-9', 0],
    [4, '75%', 3],
    [5, '75%', 3],
    [3, '34%', 1],
    [3, '33%', 0],
    [5, '-25%', 4],
    [3, '-50%', 2],
    [10, '100%', 10],
    [3, '200%', 3],
    [3, '2<75%', 2],
    [2, '2<75%', 2],
    [1, '2<75% 9<-3', 1],
    [8, '2<75% 9<-3', 6],
    [12, '2<75% 9<-3', 9],
    [5, ' 2 < 50% ', 2],
    [3, '0', 0],
  ])('of %d, %s is %d', (optional, specification, expected) => {
    expect(minimumShouldMatch(optional, specification)).toBe(expected);
  });

  test.each(['x', '5x%', '', '2<', '1.5'])('%s is none', (specification) => {
    expect(() => minimumShouldMatch(3, specification)).toThrow();
  });
});

test('the order of a Java HashMap', () => {
  // As printed by Java 17.
  expect(hashOrder(['title', 'body', 'about'])).toEqual(['about', 'title', 'body']);
  // One bucket, in the order of insertion; the second pair even has the same hash.
  expect(hashOrder(['body', 'title'])).toEqual(['body', 'title']);
  expect(hashOrder(['BB', 'Aa'])).toEqual(['BB', 'Aa']);
});

test('plans read back as they were written', () => {
  const boost = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0));
  const field = fc.nat(0xffff);
  const term = fc.uint8Array({ maxLength: 20 });
  const { node } = fc.letrec<{ node: PlanNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.record({ kind: fc.constant('term' as const), field, boost, term }),
      fc.constant({ kind: 'none' as const }),
      fc.record({ kind: fc.constant('all' as const), boost }),
      fc.record({ kind: fc.constant('exists' as const), field }),
      fc.record({ kind: fc.constant('prefix' as const), field, prefix: term }),
      fc.record({ kind: fc.constant('terms' as const), field, terms: fc.array(term, { maxLength: 5 }) }),
      fc.record({
        kind: fc.constant('range' as const),
        field,
        lower: fc.option(term, { nil: undefined }),
        upper: fc.option(term, { nil: undefined }),
        includeLower: fc.boolean(),
        includeUpper: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('phrase' as const),
        field,
        boost,
        slop: fc.nat(),
        positions: fc.array(fc.record({ position: fc.nat(), terms: fc.array(term, { maxLength: 3 }) }), {
          maxLength: 5,
        }),
      }),
      fc.record({
        kind: fc.constant('keys' as const),
        keys: fc.uniqueArray(fc.maxSafeNat(), { maxLength: 5 }).map((keys) => keys.toSorted((a, b) => a - b)),
      }),
      fc.record({ kind: fc.constant('constant' as const), boost, node: tie('node') }),
      fc.record({ kind: fc.constant('filtered' as const), boost, query: tie('node'), filter: tie('node') }),
      fc.record({
        kind: fc.constant('disMax' as const),
        boost,
        tieBreaker: boost,
        nodes: fc.array(tie('node'), { maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('boolean' as const),
        noCoord: fc.boolean(),
        boost,
        minimum: fc.nat(10),
        clauses: fc.array(
          fc.record({ occur: fc.constantFrom(0 as const, 1 as const, 2 as const), node: tie('node') }),
          { maxLength: 4 },
        ),
      }),
    ),
  }));
  fc.assert(
    fc.property(
      node,
      fc.option(node, { nil: undefined }),
      fc.nat(),
      fc.boolean(),
      (root, postFilter, k, inOrder) => {
        const plan = { k, inOrder, root, postFilter };
        expect(readPlan(encodePlan(plan))).toEqual(plan);
      },
    ),
  );
});
