/**
 * What do thousands of small shards cost? Indices of one shard with ten documents each: how fast they are made, what each takes in
 * memory, and how long one search across all of them takes. Not measured: a start with all of them on disk.
 *
 *     npm run bench:server -- manyShards [--shards 2000]
 */
import { loadavg } from 'node:os';
import { ServerProcess } from './process.js';
import { median, option } from './options.js';

const DOCUMENTS = 10;
const SEARCHES = 15;
const SETTLE_MS = 3000;

export async function manyShards(args: readonly string[]): Promise<void> {
  const shards = option(args, 'shards', 2000);
  const server = await ServerProcess.start();
  try {
    await server.json('PUT', '/warm', { settings: { number_of_shards: 1 } });
    await server.json('POST', '/warm/t/_bulk?refresh=true', lines());
    const before = server.resident();
    const create = { settings: { number_of_shards: 1, number_of_replicas: 0 } };
    let started = performance.now();
    for (let i = 0; i < shards; i++) await server.json('PUT', `/small-${i}`, create);
    const created = shards / ((performance.now() - started) / 1000);
    started = performance.now();
    for (let i = 0; i < shards; i++) await server.json('POST', `/small-${i}/t/_bulk`, lines());
    const written = shards / ((performance.now() - started) / 1000);
    await server.json('POST', '/_refresh');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const each = (server.resident() - before) / shards / 1024;
    const times: number[] = [];
    let total = 0;
    for (let i = 0; i < SEARCHES; i++) {
      started = performance.now();
      const found = await server.json('POST', '/small-*/_search', { query: { match: { s: 'fox' } } });
      times.push(performance.now() - started);
      total = (found.hits as { total: number }).total;
    }
    console.log(
      `${shards} indices of one shard with ${DOCUMENTS} documents: ${created.toFixed(0)} made a second,` +
        ` ${written.toFixed(0)} filled a second, ${each.toFixed(0)} KB each\n` +
        `one search across all: median ${median(times).toFixed(0)} ms, least ${Math.min(...times).toFixed(0)} ms, ${total} hits; load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    await server.stop();
  }
}

function lines(): string {
  let out = '';
  for (let i = 0; i < DOCUMENTS; i++) out += `{"index":{"_id":"${i}"}}\n{"s":"red fox ${i}","n":${i}}\n`;
  return out;
}
