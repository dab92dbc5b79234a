/** Searches that would take much memory, in the core or in what they are compiled to, sent to a server whose heap is small. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverFile } from '../support/server.js';
import { ServerProcess } from '../torture/serverProcess.js';

const main = await serverFile();
const DOCUMENTS = 60_000;
let server: ServerProcess;

beforeAll(async () => {
  server = new ServerProcess(main, ['--data', ':memory:', '--threads', '1'], ['--max-old-space-size=128']);
  await server.ready();
  await server.send('PUT', '/d', { settings: { number_of_shards: 1 } });
  for (let from = 0; from < DOCUMENTS; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, i) => `{"index":{}}\n{"s":"value${from + i}"}\n`);
    expect((await server.send('POST', '/d/t/_bulk', lines.join(''))).status).toBe(200);
  }
  await server.send('POST', '/d/_refresh');
  const fields = Array.from({ length: 2000 }, (_, i) => [`f${i}`, { type: 'string' }]);
  await server.send('PUT', '/w', { mappings: { t: { properties: Object.fromEntries(fields) } } });
}, 120_000);
afterAll(() => server?.end('SIGKILL'));

/** Bytes that the process has for itself. */
const own = () =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;

const estimated = async () => {
  const { body } = await server.send('GET', '/_nodes/stats/breaker');
  const [node] = Object.values((body as { nodes: Record<string, Stats> }).nodes);
  return node!.breakers.request.estimated_size_in_bytes;
};
interface Stats {
  breakers: { request: { estimated_size_in_bytes: number } };
}

it('hits with many sort keys: the memory of the core, which never gets smaller, stays as it is', async () => {
  const before = own();
  const sort = Array.from({ length: 64 }, () => ({ s: 'asc' }));
  for (let i = 0; i < 3; i++) {
    const { status, body } = await server.send('POST', '/d/_search', { size: DOCUMENTS, fields: [], sort });
    expect([status, (body as { error: string }).error]).toEqual([
      500,
      expect.stringContaining(
        'CircuitBreakingException[the hits and buckets of this search need more memory',
      ),
    ]);
  }
  expect(own() - before).toBeLessThan(150e6);
  expect(await estimated()).toBe(0);
  expect((await server.send('POST', '/d/_search', { size: 10, sort })).status).toBe(200);
});

it('words on many fields: refused before the query is a tree of all of them', async () => {
  const words = Array.from({ length: 900 }, (_, i) => `w${i}`).join(' ');
  const clause = {
    simple_query_string: { query: words, fields: Array.from({ length: 1000 }, (_, i) => `f${i}`) },
  };
  for (const count of [1, 50]) {
    const query = { bool: { should: Array.from({ length: count }, () => clause) } };
    const { status, body } = await server.send('POST', '/w/_search', { query });
    expect(status).toBe(500);
    expect((body as { error: string }).error).toMatch(
      /^CircuitBreakingException\[\[(REQUEST|PARENT)\] Data too large/,
    );
  }
  expect(await estimated()).toBe(0);
  expect((await server.send('GET', '/w/_search?q=f1:a')).status).toBe(200);
});
