import { expect, it } from 'vitest';
import { compileCore } from '../../host/server/wasm.js';
import { Built } from './built.js';
import { type Layout, LAYOUTS, REFERENCE } from './layouts.js';
import { describe } from './report.js';
import { makeRequest } from './requests.js';
import { areEqual } from './rules.js';
import { difference, run, worldOf } from './run.js';
import { shrink } from './shrink.js';

/** `RESILIN_FUZZ_RUNS=10` asks ten times as many. */
const SEEDS = 1000 * Number(process.env.RESILIN_FUZZ_RUNS ?? 1);

it('answers do not depend on how documents lie in segments', async () => {
  const module = await compileCore();
  const { differences, comparisons } = await run({
    module,
    from: 100,
    seeds: SEEDS,
    small: true,
    progress: ({ differences }) => differences.length > 0,
  });
  const [first] = differences;
  expect(first === undefined ? '' : describe(await shrink(module, first))).toBe('');
  expect(comparisons).toBeGreaterThan(3 * SEEDS);
}, 600_000);

it('a document less is a difference', async () => {
  const module = await compileCore();
  const world = worldOf(700);
  const less = { ...world, docs: world.docs.slice(1) };
  const [layout] = LAYOUTS as [(typeof LAYOUTS)[0]];
  const reference = await Built.build(module, world, REFERENCE);
  const other = await Built.build(module, less, layout);
  const request = { method: 'POST', uri: '/i/_count' };
  expect(await difference(request, reference, reference, layout)).toBeUndefined();
  const found = (await difference(request, reference, other, layout))!;
  expect(found.expected.text).not.toBe(found.actual.text);
  for (const each of [reference, other]) await each.close();
});

it('a failure is made small', async () => {
  const module = await compileCore();
  const doc = (i: number) => ({
    type: 'item',
    id: String(i),
    source: { n: i % 4, title: 'red fox' },
    earlier: {},
    luck: [0, 0, 0, 0],
  });
  const docs = Array.from({ length: 9 }, (_, i) => doc(i));
  const world = { ...worldOf(300), mappings: {}, docs, extras: [] };
  // A layout that loses documents of some kind: an engine with a bug, as the comparison sees it.
  const lossy: Layout = {
    ...LAYOUTS[0]!,
    steps: (of) => LAYOUTS[0]!.steps({ ...of, docs: of.docs.filter(({ source }) => source.n !== 3) }),
  };
  const body = { size: 0, query: { match_all: {} }, aggs: { a: { sum: { field: 'n' } } } };
  const request = { method: 'POST', uri: '/i/_search', body };
  const reference = await Built.build(module, world, REFERENCE);
  const other = await Built.build(module, world, lossy);
  const differing = (await difference(request, reference, other, lossy))!;
  const found = await shrink(module, { seed: 300, world, layout: lossy, request, ...differing });
  expect(found.world.docs.map(({ source }) => source)).toEqual([{ n: 3 }]);
  expect(found.request.body).toEqual({});
  expect(describe(found)).toContain("curl -XPOST 'localhost:9200/i/_search' --data-binary '{}'");
  for (const each of [reference, other]) await each.close();
});

it('a seed always asks the same', () => {
  expect(makeRequest(17)).toEqual(makeRequest(17));
  expect(worldOf(1700)).toEqual(worldOf(1700));
});

it('only what segments may say otherwise is left out of an explanation', () => {
  const request = { method: 'POST', uri: '/i/item/1/_explain', body: {} };
  const answer = (value: number, ...details: object[]) => ({
    status: 200,
    text: JSON.stringify({
      explanation: { value, description: 'no match on required clause (a:b)', details },
    }),
  });
  const none = { value: 0, description: 'no matching term' };
  const [several] = LAYOUTS as [Layout];
  expect(areEqual(request, several, answer(0, none), answer(0))).toBe(true);
  expect(areEqual(request, several, answer(0, none), answer(1))).toBe(false);
  expect(areEqual(request, REFERENCE, answer(0, none), answer(0))).toBe(false);
  expect(areEqual({ ...request, uri: '/i/_search' }, several, answer(0, none), answer(0))).toBe(false);
});

it('words without positions may fail in no segment of several, and in no other case', () => {
  const request = { method: 'POST', uri: '/i/_search', body: {} };
  const [several] = LAYOUTS as [Layout];
  const words = { status: 500, text: '{"error":"field \\"a\\" was indexed without position data"}' };
  const value = { status: 500, text: '{"error":"Missing value for field [n]"}' };
  const none = { status: 200, text: '{}' };
  expect(areEqual(request, several, words, value)).toBe(true);
  expect(areEqual(request, several, words, none)).toBe(true);
  expect(areEqual(request, several, none, words)).toBe(false);
  expect(areEqual(request, several, value, none)).toBe(false);
  expect(areEqual(request, REFERENCE, words, none)).toBe(false);
});
