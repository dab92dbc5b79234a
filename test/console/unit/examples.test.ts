/** The chapters of examples: every request is carried out, in its order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chapterText } from '../../../console/src/views/requests/examples/chapter.js';
import { CHAPTERS } from '../../../console/src/views/requests/examples/chapters.js';
import { bodyToSend, readRequests } from '../../../console/src/views/requests/notation.js';
import { type Api, openApi } from '../../support/api.js';
import { coreBytes } from '../../support/core.js';

let api: Api;

beforeAll(async () => {
  api = await openApi(coreBytes());
});
afterAll(() => api?.close());

it('has the chapters of the guide', () => {
  const names = CHAPTERS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of ['documents', 'bulk', 'mapping', 'text', 'filters', 'sorting', 'aggregations', 'geo'])
    expect(names).toContain(name);
});

it.each(CHAPTERS.map((chapter) => [chapter.title, chapter] as const))('%s', async (_, chapter) => {
  // Whole chapters stand in the editor too.
  expect(readRequests(chapterText(chapter))).toHaveLength(chapter.steps.length);
  for (const { says, request } of chapter.steps) {
    const [read, ...more] = readRequests(request);
    expect(more, says).toEqual([]);
    const { status, body } = await api.call(read!.method, read!.path, bodyToSend(read!));
    expect(status, `${says} ${JSON.stringify(body)}`).toBeLessThan(300);
    const failures = (body as { _shards?: { failures?: unknown } })._shards?.failures;
    expect(failures, says).toBeUndefined();
  }
  const { body } = await api.call('GET', '/_aliases');
  expect(body, 'nothing is left behind').toEqual({});
});

it('finds what its sentences say', async () => {
  const run = async (chapter: string, upTo: RegExp) => {
    const { steps } = CHAPTERS.find(({ name }) => name === chapter)!;
    let answer: unknown;
    for (const { says, request } of steps) {
      const [read] = readRequests(request);
      answer = (await api.call(read!.method, read!.path, bodyToSend(read!))).body;
      if (upTo.test(says)) break;
    }
    await api.call('DELETE', '/_all');
    return answer as { hits: { total: number } };
  };
  expect((await run('nested', /no hit/)).hits.total).toBe(0);
  expect((await run('nested', /Which comment/)).hits.total).toBe(1);
  expect((await run('mapping', /without accents/)).hits.total).toBe(1);
  expect((await run('text', /All words/)).hits.total).toBe(2);
  expect((await run('text', /mistake/)).hits.total).toBe(2);
  expect((await run('parents', /born after 1980/)).hits.total).toBe(2);
  expect((await run('geo', /Within a kilometre/)).hits.total).toBe(2);
});
