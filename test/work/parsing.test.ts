/** Long JSON is parsed piece by piece, to the same values and errors as in one go. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseInTurns, parseRepeating } from '../../host/json/laxJson.js';
import { repeatedKey, valuesUnder } from '../../host/json/repeatedKeys.js';
import { isObject } from '../../host/json/values.js';
import { atOnce, type Turns, WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const PIECE = 8;

/** A value with what objects know of repeated keys. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  if (!isObject(value)) return value;
  return Object.keys(value).map((key) => [
    key,
    valuesUnder(value, key).map(told),
    repeatedKey(value) === key,
  ]);
}

function outcome(parse: () => unknown): unknown {
  try {
    return { value: told(parse()) };
  } catch (e) {
    return { error: String(e), before: told((e as { before?: unknown }).before) };
  }
}

const same = (text: string, piece = PIECE) =>
  expect(
    outcome(() => atOnce(parseInTurns(text, WorkLimit.none, piece))),
    text,
  ).toEqual(outcome(() => parseRepeating(text)));

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t  ');
const key = fc.constantFrom(
  '"a"',
  '"b"',
  '"a long key of an object"',
  '"\\u0061"',
  '"__proto__"',
  '"toString"',
  '""',
);
const scalar = fc.oneof(
  fc.constantFrom(
    '1',
    '-0',
    '1.0',
    '12345678901234567890',
    'true',
    'null',
    '""',
    '1e5',
    '"\\\\"',
    '"[,]{}:"',
  ),
  fc.string({ maxLength: 200 }).map((text) => JSON.stringify(text)),
  fc
    .array(fc.constantFrom('\\\\', '\\"', '\\u00e9', 'x', '\\n', 'é', '😀'), { maxLength: 150 })
    .map((all) => `"${all.join('')}"`),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc
      .tuple(fc.array(tie('tree'), { maxLength: 6 }), blank)
      .map(([all, gap]) => `[${gap}${all.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(fc.array(fc.tuple(key, tie('tree')), { maxLength: 6 }), blank)
      .map(
        ([all, gap]) =>
          `{${gap}${all.map(([name, each]) => `${name}${gap}:${gap}${each}`).join(`${gap},`)}${gap}}`,
      ),
  ),
}));

describe('in turns', () => {
  it('is parsed what is parsed in one go', () => {
    fc.assert(
      fc.property(fc.tuple(blank, tree, blank), ([a, text, b]) => void same(a + text + b)),
      { numRuns: 700 },
    );
  });

  it('is refused what is refused in one go', () => {
    const bit = fc.constantFrom('', ',', ':', ']', '}', '[', '{', '"', '\\', "'", '/', '1', 'x', ' ');
    const broken = fc.tuple(tree, fc.nat(), fc.nat({ max: 3 }), bit).map(([text, at, drop, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + drop);
    });
    fc.assert(
      fc.property(broken, (text) => void same(text)),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['[1,2,]'],
    ['{"a":1{"b":"a long value"}}'],
    ['[[1,2,3,4,5,6,7,8,9],]'],
    ['[[1,2,3,4,5,6,7,8,9][1]]'],
    ['[[1,2,3,4,5,6,7,8,9} ,1]'],
    ['{"a":[1,2,3,4,5,6,7,8,9],"b"}'],
    ['{"a":[1,2,3,4,5,6,7,8,9] "b":1}'],
    ['{"a":{"b":[1,2,3,4,5,6,7,8,9]},"a":{"b":2},"a":3}'],
    ['[1,2,3,4,5,6,7,8,9,0] // and what follows'],
    ['{a:[1,2,3,4,5,6,7,8,9,0]}'],
    ['{"a":"'.padEnd(300, 'x')],
    [`{"${'x'.repeat(300)}":"${'y\\u00e9\\\\'.repeat(100)}"}`],
    [`${'['.repeat(1200)}`],
  ])('%s', (text) => same(text));
});

/** Turns that work takes where the clock says at every look that a slice is over. */
function turns(work: (limit: WorkLimit) => Turns<unknown>): number {
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
  Object.defineProperty(limit, 'due', { get: () => true });
  const steps = work(limit);
  let count = 0;
  try {
    while (steps.next().done !== true) count++;
  } catch {
    // Broken texts end with their error.
  }
  return count;
}

describe('others get their turn', () => {
  const number = 'x: 123456, ';
  it.each([
    ['a list of numbers', `[${'123456,'.repeat(100_000)}1]`],
    ['objects', `{"a":[${'{"a":1,"b":[2,3]},'.repeat(50_000)}1]}`],
    ['a long string', `{"a":"${'a word '.repeat(100_000)}"}`],
    ['many keys', `{${Array.from({ length: 50_000 }, (_, i) => `"key${i}":1`).join(',')}}`],
    ['lax JSON', `{a:[${'{a:1},'.repeat(50_000)}1]}`],
    ['JSON that breaks off', `{"a":[${'123456,'.repeat(100_000)}`],
    ['blanks', `[${' '.repeat(5_000_000)}]`],
    ['deep lists', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['names without quotes', `{${number.repeat(50_000)}y:1}`],
  ])('in %s', (_name, text) => {
    expect(turns((limit) => parseInTurns(text, limit))).toBeGreaterThan(text.length / 200_000);
  });
});

describe('a long body', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await startNode();
    await node.call('PUT', '/a/t/1?refresh=true', { n: 7 });
  });
  afterAll(() => node.engine.close());

  const terms = {
    query: { filtered: { filter: { terms: { n: Array.from({ length: 40_000 }, (_, i) => i) } } } },
  };
  const body = JSON.stringify(terms);

  it('is read in turns, and finds what a short one does', async () => {
    const answer = await node.call('POST', '/a/_search', body);
    expect(answer.body.hits.total).toBe(1);
    expect(answer.turns).toBeGreaterThan(5);
  });

  it('is not read on where its client has gone', async () => {
    const gone = await node.call('POST', '/a/_search', body, { goneAfter: 3 });
    expect(gone).toMatchObject({ status: 503, turns: 3 });
  });

  it('is refused as a short one is', async () => {
    const broken = await node.call('POST', '/a/_search', body.slice(0, -1));
    expect(broken.status).toBe(400);
    expect(broken.body.error).toContain('Unexpected end-of-input: expected close marker for OBJECT');
    const other = await node.call('POST', '/_aliases', `{"actions":[],"x":"${'x'.repeat(200_000)}`);
    expect(other.body.error).toContain('Unexpected end-of-input in VALUE_STRING');
    const count = await node.call('POST', '/a/_count', body);
    expect(count.body.count).toBe(1);
  });
});
