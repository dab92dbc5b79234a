import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import recorded from '../fixtures/aggregationAnswers.json' with { type: 'json' };

/** A request; the answers to those that are not set-up are recorded from Elasticsearch 1.7.3. */
interface Step {
  method: string;
  path: string;
  body?: unknown;
  raw?: string;
  status?: number;
  answer?: unknown;
}

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

async function send({ method, path, body, raw }: Step) {
  const { status, body: answer } = await resilin.request(method, path, raw ?? body);
  const { took: _took, ...rest } = answer as Record<string, unknown>;
  // Nodes have names of their own.
  const text = JSON.stringify(rest).replace(/\[[A-Za-z0-9_-]{22}\]\[/g, '[N][');
  return { status, answer: JSON.parse(text) as unknown };
}

describe.each(recorded as { title: string; setup: Step[]; requests: Step[] }[])(
  '$title',
  ({ setup, requests }) => {
    test('is what 1.7.3 answers', async () => {
      for (const step of setup) await send(step);
      for (const step of requests)
        expect({ ...step, ...(await send(step)) }).toEqual({
          ...step,
          status: step.status,
          answer: step.answer,
        });
    });
  },
);

test('doc values of what is not indexed are not searched', async () => {
  const n = { type: 'integer', index: 'no', doc_values: true };
  await send({ method: 'PUT', path: '/i', body: { mappings: { t: { properties: { n } } } } });
  await send({ method: 'PUT', path: '/i/t/1?refresh=true', body: { n: 5 } });
  const count = async (query: unknown) =>
    ((await send({ method: 'POST', path: '/i/_count', body: { query } })).answer as { count: number }).count;
  expect(await count({ term: { n: 5 } })).toBe(0);
  expect(await count({ range: { n: { gte: 0 } } })).toBe(0);
  expect(await count({ filtered: { filter: { exists: { field: 'n' } } } })).toBe(1);
});

test('top_hits are sorted by uid, and by texts of scripts', async () => {
  for (const id of ['b', 'c', 'a', 'd'])
    await send({ method: 'PUT', path: `/i/t/${id}?refresh=true`, body: { n: id.charCodeAt(0) - 90 } });
  const ids = async (sort: unknown) => {
    const aggs = { a: { top_hits: { sort, from: 1, size: 2 } } };
    const { answer } = await send({ method: 'POST', path: '/i/_search?search_type=count', body: { aggs } });
    type Hits = { aggregations: { a: { hits: { hits: { _id: string; sort: unknown }[] } } } };
    return (answer as Hits).aggregations.a.hits.hits.map(({ _id, sort: values }) => [_id, values]);
  };
  expect(await ids('_uid')).toEqual([
    ['b', ['t#b']],
    ['c', ['t#c']],
  ]);
  expect(await ids({ _uid: 'desc' })).toEqual([
    ['c', ['t#c']],
    ['b', ['t#b']],
  ]);
  const script = { script: "doc['n'].value", lang: 'expression', type: 'string' };
  // Texts, of which "10.0" is before "7.0".
  expect(await ids({ _script: script })).toEqual([
    ['a', ['7.0']],
    ['b', ['8.0']],
  ]);
});
