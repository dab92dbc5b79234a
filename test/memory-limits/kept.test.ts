/** What a server keeps in its memory, whose heap is small: it refuses more than there is room for, and lives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { join } from 'node:path';
import { built } from '../support/server.js';
import { ServerProcess } from '../torture/serverProcess.js';

const main = join(await built(), 'js/host/cli/main.js');
let server: ServerProcess;

beforeAll(async () => {
  server = new ServerProcess(main, ['--data', ':memory:', '--threads', '1'], ['--max-old-space-size=128']);
  await server.ready();
}, 60_000);
afterAll(() => server?.end('SIGKILL'));

interface BulkItem {
  index: { status: number; error?: string };
}

async function bulk(index: string, from: number, count: number): Promise<BulkItem[]> {
  const lines = Array.from({ length: count }, (_, i) => `{"index":{"_id":"${from + i}"}}\n{"n":${i}}\n`);
  const { status, body } = await server.send('POST', `/${index}/t/_bulk`, lines.join(''));
  expect(status).toBe(200);
  return (body as { items: BulkItem[] }).items;
}

it('documents, of which there are many', async () => {
  const AT_ONCE = 5000;
  let kept = 0;
  let refused: BulkItem | undefined;
  for (let from = 0; from < 300_000 && refused === undefined; from += AT_ONCE) {
    const items = await bulk('d', from, AT_ONCE);
    refused = items.find(({ index }) => index.status >= 300);
    kept += items.filter(({ index }) => index.status === 201).length;
  }
  expect(refused?.index).toMatchObject({ status: 503 });
  expect(refused?.index.error).toContain('the memory is full');
  expect(kept).toBeGreaterThan(20_000);
  // What was acknowledged is there, and what makes room goes on.
  await server.send('POST', '/d/_refresh');
  expect((await server.send('GET', '/d/_count')).body).toMatchObject({ count: kept });
  expect((await server.send('DELETE', '/d/t/0')).status).toBe(200);
  expect((await server.send('DELETE', '/d')).status).toBe(200);
  const [again] = await bulk('e', 0, 1);
  expect(again?.index.status).toBe(201);
}, 120_000);

it('mappings of many types, with many fields each', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`f${i}`, { type: 'string' }]),
  );
  const made: number[] = [];
  for (let t = 0; t < 60 && (made.at(-1) ?? 200) === 200; t++) {
    const { status } = await server.send('PUT', `/m${t % 3}/_mapping/t${t}`, { [`t${t}`]: { properties } });
    if (status === 404) await server.send('PUT', `/m${t % 3}`);
    else made.push(status);
  }
  expect(made.length).toBeGreaterThan(5);
  expect(made.at(-1)).toBe(500);
  // A field more, in a document or in an index of its own, is refused while there is no room for it.
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`g${i}`, 1])));
  expect((await server.send('PUT', '/m0/t0/1', wide)).status).toBe(500);
  for (const index of ['m0', 'm1', 'm2']) expect((await server.send('DELETE', `/${index}`)).status).toBe(200);
  expect((await server.send('PUT', '/m0/t0/1', wide)).status).toBe(201);
}, 120_000);
