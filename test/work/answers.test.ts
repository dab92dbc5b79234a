/** Long answers are written in turns, to the same bytes as in one go. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Float, type Json, Raw, writeJson } from '../../host/rest/json.js';
import { writeAtOnce, writeInTurns } from '../../host/rest/longJson.js';
import { atOnce, WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const utf8 = new TextDecoder();
const long = 'x'.repeat(70_000);
const leaf = fc.constantFrom<Json>(
  null,
  true,
  1,
  'a "text"',
  new Float(1.5),
  new Raw(new Uint8Array([0x7b, 0x7d])),
  [],
  {},
);
const dictionary = (of: fc.Arbitrary<Json>) =>
  fc.dictionary(fc.constantFrom('a', 'b c', 'ä'), fc.option(of, { nil: undefined as never }), { maxKeys: 3 });

/** Lists are long or hold long texts; both at once would be megabytes. */
const { tree } = fc.letrec<{ tree: Json; short: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.constant<Json>(long),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc
      .tuple(fc.integer({ min: 60, max: 140 }), tie('short'))
      .map(([count, each]) => new Array<Json>(count).fill(each)),
    dictionary(tie('tree')),
  ),
  short: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('short'), { maxLength: 5 }),
    fc
      .tuple(fc.integer({ min: 60, max: 140 }), tie('short'))
      .map(([count, each]) => new Array<Json>(count).fill(each)),
    dictionary(tie('short')),
  ),
}));

describe('written in turns', () => {
  it('answers have the same bytes', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), (value, pretty) => {
        const whole = utf8.decode(writeJson(value, pretty));
        expect(utf8.decode(atOnce(writeInTurns(value, pretty, WorkLimit.none))) === whole).toBe(true);
        const short = writeAtOnce(value, pretty);
        if (short !== undefined) expect(utf8.decode(short) === whole).toBe(true);
        else expect(whole.length).toBeGreaterThan(100_000);
      }),
      { numRuns: 150 },
    );
  });
});

describe('long answers', () => {
  const DOCUMENTS = 2000;
  let node: TestNode;
  beforeAll(async () => {
    node = await startNode();
    await node.call('PUT', '/a', { settings: { number_of_shards: 1 } });
    const lines = Array.from(
      { length: DOCUMENTS },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"x":"red fox and some more words","n":${i},"o":{"a":${i}}}\n`,
    );
    await node.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
  });
  afterAll(() => node.engine.close());

  it.each([
    ['as they are', ''],
    ['pretty', '?pretty'],
    ['of parts', '?filter_path=hits.hits._id,hits.hits.fields'],
    ['in camel case', '?case=camelCase'],
  ])('%s, are written in turns', async (_name, query) => {
    const body = { size: DOCUMENTS, fields: ['x', 'n'] };
    const few = await node.call('POST', `/a/_search${query}`, { ...body, size: 1 }, { patient: true });
    const all = await node.call('POST', `/a/_search${query}`, body);
    expect(all.body.hits.hits).toHaveLength(DOCUMENTS);
    expect(all.body.hits.hits[0]).toEqual(few.body.hits.hits[0]);
    // Two turns for each hit that is read and shown.
    expect(all.turns).toBeGreaterThan(2 * DOCUMENTS + 5);
  });

  it.each(['', '?pretty', '?case=camelCase', '?filter_path=hits'])(
    'are the same%s whether they are written hit by hit or at once',
    async (query) => {
      const body = {
        size: 50,
        fields: ['x', '_source'],
        sort: ['n'],
        script_fields: { s: { script: "doc['n'].value / 3", lang: 'expression' } },
      };
      const shown = ({ text }: { text: string }) => text.replace(/"took" ?: ?\d+/, '');
      const [inTurns, atOnce] = await Promise.all(
        [false, true].map((patient) => node.call('POST', `/a/_search${query}`, body, { patient })),
      );
      expect(shown(inTurns!)).toBe(shown(atOnce!));
      expect(inTurns!.turns).toBeGreaterThan(50);
    },
  );

  it('are weighed as they are written', async () => {
    const weighed: number[] = [];
    const grow = node.engine.breakers.grow.bind(node.engine.breakers);
    Object.assign(node.engine.breakers, {
      grow: (...given: Parameters<typeof grow>) => {
        if (given[3] === '<search_response>') weighed.push(given[2]);
        grow(...given);
      },
    });
    const answer = await node.call('POST', '/a/_search', { size: 50, version: true });
    expect(weighed).toHaveLength(49);
    expect(weighed.reduce((a, b) => a + b)).toBeLessThan(answer.text.length);
  });
});
