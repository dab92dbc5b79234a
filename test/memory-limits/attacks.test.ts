/** Requests that took more memory than there is, sent to a process whose heap is small: it refuses them, and lives. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { serverFile } from '../support/server.js';
import { ServerProcess } from '../torture/serverProcess.js';

const main = await serverFile();
const folder = mkdtempSync(join(tmpdir(), 'resilin-memory-'));
const DOCUMENTS = 40_000;

let server: ServerProcess;
let url: string;

beforeAll(async () => {
  server = new ServerProcess(main, ['--data', folder, '--threads', '1'], ['--max-old-space-size=128']);
  url = await server.ready();
  for (let from = 0; from < DOCUMENTS; from += 10_000) {
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `{"index":{}}\n{"s":"value${from + i}","x":"other${from + i}","n":${from + i}}\n`,
    );
    expect(await status('/d/t/_bulk?refresh=true', lines.join(''))).toBe(200);
  }
}, 180_000);
afterAll(async () => {
  await server?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  // Each finds the server as the one before left it.
  return async () => {
    const { status, body } = await server.send('GET', '/_cluster/health');
    expect([status, body]).toMatchObject([200, { timed_out: false }]);
  };
});

/** The status of the answer to a body that is posted. */
function status(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((done, failed) => {
    const length = Buffer.byteLength(body);
    const sent = { method: 'POST', agent: false, headers: { ...headers, 'content-length': length } };
    const req = request(new URL(path, url), sent as object, (answer) => {
      answer
        .resume()
        .on('end', () => done(answer.statusCode!))
        .on('error', failed);
    });
    req.on('error', failed).end(body);
  });
}

/** How many of some requests sent at once were answered with each status. */
async function statuses(count: number, send: () => Promise<number>): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (const each of await Promise.all(Array.from({ length: count }, send)))
    found[each] = (found[each] ?? 0) + 1;
  return found;
}

const repeated = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));

it('bodies that unpack to a thousand times their size', async () => {
  const packed = gzipSync(Buffer.alloc(80_000_000, ' '));
  expect(await statuses(40, () => status('/_bulk', packed, { 'content-encoding': 'gzip' }))).toEqual({
    500: 40,
  });
});

it.each([
  ['terms', `{"query":{"filtered":{"filter":{"terms":{"s":[${repeated('"aa",', 34e6)}"b"]}}}}}`],
  ['clauses', `{"query":{"bool":{"should":[${repeated('{"term":{"a":"b"}},', 40e6)}{"term":{"a":"b"}}]}}}`],
])('a search with too many %s', async (_, body) => {
  expect(await status('/d/_search', body)).toBe(500);
});

it.each([
  ['numbers', '1,', 30e6],
  ['lists', '[],', 6e6],
])('a document with a list of too many %s', async (_, piece, bytes) => {
  const source = `{"a":[${repeated(piece, bytes)}1]}`;
  expect(await status('/d/t', source)).toBe(500);
  // In a bulk it is one item of the answer.
  expect(await status('/_bulk', `{"index":{"_index":"d","_type":"t"}}\n${source}\n`)).toBe(200);
});

it('updates that are small each, and many', async () => {
  const line = `{"update":{"_index":"d","_type":"t","_id":"none"}}\n{"doc":{"a":[${'[],'.repeat(5000)}1]}}\n`;
  expect(await status('/_bulk', repeated(line, 8e6))).toBe(200);
});

it('values of one byte in a binary format', async () => {
  const ends = [0xbf, 0x61, 0x61, 0x9f];
  const body = Buffer.alloc(6_000_000, 0xf4);
  body.set(ends);
  body.fill(0xff, body.length - 2);
  expect(await statuses(4, () => status('/d/t', body))).toEqual({ 500: 4 });
});

it('sorted scrolls that are never read to their end', async () => {
  const body = '{"size":1,"sort":["n","s"]}';
  const found = await statuses(16, () => status('/d/_search?scroll=5m', body));
  expect(found[200]).toBeGreaterThan(0);
  expect(found[500]).toBeGreaterThan(0);
  expect((found[200] ?? 0) + (found[500] ?? 0)).toBe(16);
  await server.send('DELETE', '/_search/scroll/_all');
});

it('all buckets of all values, in all buckets of all values, in all of theirs', async () => {
  const all = (field: string, aggs?: object) => ({ all: { terms: { field, size: 0 }, aggs } });
  const body = JSON.stringify({ aggs: all('s', all('x', all('s'))) });
  expect(await statuses(4, () => status('/d/_search?search_type=count', body))).toEqual({ 500: 4 });
  expect(await status('/d/_search?search_type=count', JSON.stringify({ aggs: all('s') }))).toBe(200);
});

it.each([
  ['that hold many others each', 1, undefined],
  ['with long names', 4, 'y'.repeat(250)],
])('buckets without documents %s', async (_, count, format) => {
  const ranges = Array.from({ length: 100 }, (_, from) => ({ from }));
  const below = format === undefined ? { ranges: { range: { field: 'n', ranges } } } : undefined;
  const bounds = format === undefined ? {} : { extended_bounds: { min: 0, max: 100_000 } };
  const between = { field: 'n', interval: 1, min_doc_count: 0, extended_bounds: { min: 0, max: 400_000 } };
  const histogram =
    format === undefined
      ? { histogram: between }
      : { date_histogram: { ...between, interval: '1ms', format, ...bounds } };
  const body = JSON.stringify({ aggs: { between: { ...histogram, aggs: below } } });
  const found = await statuses(count, () => status('/d/_search?search_type=count', body));
  expect(found[500]).toBeGreaterThan(0);
});

it.each(['cbor', 'smile', 'yaml'])('an answer in %s, of which many lists are made', async (format) => {
  const source = `{"a":[${'[],'.repeat(150_000)}1]}`;
  for (let i = 0; i < 8; i++) expect(await status(`/l/t/${i}?refresh=true`, source)).toBeLessThan(300);
  expect(await status(`/l/_search?size=8&format=${format}`, '')).toBe(500);
  expect(await status(`/l/_search?size=8`, '')).toBe(200);
  expect(await status(`/l/_search?size=1&format=${format}`, '')).toBe(200);
});
