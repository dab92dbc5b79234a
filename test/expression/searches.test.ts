import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '../../host/expression/evaluate.js';
import { parseExpression } from '../../host/expression/syntax.js';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

const DOCS = 300;
const whole = (i: number) => (i % 7 === 0 ? undefined : (i * 37) % 101);
const fraction = (i: number) => (i % 5 === 0 ? undefined : ((i * 13) % 64) / 8 - 3);

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
  await api.call('PUT', '/e', {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: {
      t: {
        properties: {
          whole: { type: 'long' },
          fraction: { type: 'double' },
          many: { type: 'long' },
          word: { type: 'string' },
        },
      },
    },
  });
  const lines = Array.from({ length: DOCS }, (_, i) => {
    const source = { whole: whole(i), fraction: fraction(i), many: [i % 3, 10 - (i % 4)], word: `w${i % 2}` };
    return `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`;
  });
  await api.call('POST', '/e/t/_bulk?refresh=true', lines.join(''));
});
afterAll(() => api.close());

interface Answer {
  hits: { total: number; hits: { _id: string; _score: number; sort: number[]; fields: { x: number[] } }[] };
  aggregations: Record<string, { value: number; buckets: { key: unknown; doc_count: number }[] }>;
  error: string;
}

async function search(body: unknown): Promise<Answer> {
  return (await api.call('POST', '/e/_search', body)).body as Answer;
}

const expression = (text: string) => ({ script: text, lang: 'expression' });

const { text: anyText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("doc['whole'].value", "doc['fraction'].value", '0', '2.5', '7', 'p'),
    fc
      .tuple(
        tie('text'),
        fc.constantFrom(
          '+',
          '-',
          '*',
          '/',
          '%',
          '<',
          '<=',
          '>',
          '>=',
          '==',
          '!=',
          '&&',
          '||',
          '&',
          '|',
          '^',
          '<<',
          '>>',
          '>>>',
        ),
        tie('text'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc.tuple(fc.constantFrom('-', '!', '~'), tie('text')).map(([operator, a]) => `${operator}(${a})`),
    fc.tuple(tie('text'), tie('text'), tie('text')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        fc.constantFrom('abs', 'floor', 'ceil', 'sqrt', 'atan', 'tanh', 'ln', 'asinh', 'cos'),
        tie('text'),
      )
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(fc.constantFrom('min', 'max', 'atan2', 'pow'), tie('text'), tie('text'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
  ),
}));

describe('expressions in searches', () => {
  it('are worked out by the core as by the host', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const parsed = parseExpression(text);
        const sort = { _script: { ...expression(text), type: 'number', params: { p: 1.5 } } };
        const { hits } = await search({ size: DOCS, fields: [], sort });
        expect(hits.total).toBe(DOCS);
        for (const {
          _id,
          sort: [got],
        } of hits.hits) {
          const i = Number(_id);
          const wanted = evaluate(parsed, (name) =>
            name === 'p' ? 1.5 : ((name.includes('whole') ? whole(i) : fraction(i)) ?? 0),
          );
          if (!Number.isFinite(wanted)) expect(Number(got), text).toBe(wanted);
          else
            expect(Math.abs(got! - wanted), text).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)));
        }
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('filter, score, and show fields', async () => {
    const { hits } = await search({
      size: DOCS,
      query: {
        function_score: {
          filter: { script: { ...expression("doc['whole'].value >= low"), params: { low: 90 } } },
          script_score: expression("_score + doc['whole'].value / 2"),
          boost_mode: 'replace',
        },
      },
      script_fields: { x: expression("doc['whole'].value * 2") },
    });
    const wanted = Array.from({ length: DOCS }, (_, i) => i).filter((i) => (whole(i) ?? 0) >= 90);
    expect(hits.total).toBe(wanted.length);
    for (const { _id, _score, fields } of hits.hits) {
      expect(_score).toBe(1 + whole(Number(_id))! / 2);
      expect(fields).toEqual({ x: [whole(Number(_id))! * 2] });
    }
  });

  it('are aggregated: alone as texts, of a field as numbers', async () => {
    const { aggregations: found } = await search({
      size: 0,
      aggs: {
        texts: { terms: { ...expression("doc['whole'].value % 3"), order: { _term: 'desc' } } },
        numbers: {
          terms: { ...expression("doc['whole'].value % 3"), value_type: 'long', order: { _term: 'asc' } },
        },
        values: { terms: { field: 'many', ...expression('_value % 2') } },
        sum: { sum: { field: 'many', ...expression('_value + 1') } },
        all: { value_count: expression("doc['whole'].value") },
        kinds: { cardinality: expression("doc['whole'].value % 5") },
        steps: { histogram: { ...expression("doc['whole'].value + 0.5"), interval: 50 } },
      },
    });
    expect(found.texts!.buckets.map(({ key }) => key)).toEqual(['2.0', '1.0', '0.0']);
    expect(found.numbers!.buckets.map(({ key }) => key)).toEqual([0, 1, 2]);
    expect(found.values!.buckets.map(({ key }) => key).sort()).toEqual([0, 1]);
    // As in 1.7: of a document with two values, `_value` is the first one both times.
    const sum = Array.from({ length: DOCS }, (_, i) => 2 * ((i % 3) + 1)).reduce((a, b) => a + b);
    expect(found.sum!.value).toBe(sum);
    expect(found.all!.value).toBe(DOCS);
    expect(found.kinds!.value).toBe(5);
    expect(found.steps!.buckets.reduce((all, { doc_count }) => all + doc_count, 0)).toBe(DOCS);
  });

  it('are sorted as texts where that is said', async () => {
    const sort = { _script: { ...expression("doc['whole'].value"), type: 'string' } };
    const { hits } = await search({ size: DOCS, sort });
    const texts = hits.hits.map(({ sort: [text] }) => String(text));
    expect(texts).toEqual([...texts].sort());
    expect(texts).toContain('9.0');
  });

  it.each([
    ["doc['word'].value", 'Field [word] used in expression must be numeric'],
    ["doc['nosuch'].value", 'Field [nosuch] used in expression does not exist in mappings'],
    ['nosuch + 1', 'Unknown variable [nosuch] in expression'],
    [
      "doc['whole'].empty",
      "Invalid member for field data in expression.  Only '.value' is currently supported.",
    ],
    ['1 +', 'nested: ParseException[ unexpected end of expression.]'],
  ])('are refused: %s', async (text, why) => {
    const { error } = await search({ sort: { _script: { ...expression(text), type: 'number' } } });
    expect(error).toContain(why);
  });

  it('are the only language', async () => {
    for (const body of [
      { sort: { _script: { script: '1', type: 'number' } } },
      { script_fields: { x: { script: '1' } } },
      { query: { function_score: { script_score: { script: '1' } } } },
      { aggs: { a: { sum: { script: '1' } } } },
    ])
      expect((await search(body)).error).toMatch(
        /scripts of type \[inline\], operation \[\w+\] and lang \[groovy\] are disabled/,
      );
    expect((await search({ script_fields: { x: { script: '1', lang: 'nosuch' } } })).error).toContain(
      'script_lang not supported [nosuch]',
    );
  });
});
