/** Results that are kept are those that a search would find: whatever happens to the shard in between. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Engine } from '../../host/engine/engine.js';
import { SearchMemory, searchMemoryOf } from '../../host/core/searchMemory.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { CachingShardHost } from '../../host/server/cachingShardHost.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { ShardHost } from '../../host/shard/shardHost.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { defaultTurn } from '../../host/turn.js';
import { WorkLimit } from '../../host/workLimit.js';
import { Random } from '../torture/random.js';
import { coreBytes } from '../support/core.js';

type Call = (method: string, uri: string, body?: unknown) => Promise<string>;

const engines: Engine[] = [];

async function open(module: WebAssembly.Module, host: ShardHost): Promise<Call> {
  const transport = new LocalTransport(module, defaultTurn(), host);
  const engine = await Engine.open({
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport,
    module,
    nodeId: 'node',
  });
  engines.push(engine);
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  return async (method, uri, body) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = new TextEncoder().encode(text);
    const { body: answer } = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    return new TextDecoder().decode(answer).replace(/"took":\d+/, '"took":0');
  };
}

let module: WebAssembly.Module;
let caching: CachingShardHost;
let plain: Call;
let cached: Call;

const hostOf = (bytes: number) =>
  new CachingShardHost(module, defaultTurn(), new SearchMemory(searchMemoryOf(1, false)), bytes);

beforeAll(async () => {
  module = await WebAssembly.compile(coreBytes());
  caching = hostOf(1024 * 1024);
  plain = await open(module, new ShardHost(module, defaultTurn()));
  cached = await open(module, caching);
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const SEARCHES = [
  { query: { match: { text: 'red fox' } } },
  { query: { match_phrase: { text: 'red fox' } }, size: 3 },
  { query: { range: { n: { gte: 10, lt: 60 } } }, sort: [{ n: 'desc' }] },
  { size: 0, aggs: { tags: { terms: { field: 'tag' } }, n: { stats: { field: 'n' } } } },
  { query: { filtered: { filter: { term: { tag: 'a' } } } }, from: 2, size: 5 },
  { query: { has_child: { type: 'child', query: { term: { word: 'small' } } } } },
  { query: { function_score: { random_score: { seed: 7 } } }, size: 4 },
];
const WORDS = ['red', 'fox', 'green', 'frog', 'the'];

describe('a host that keeps results', () => {
  it('answers as one that keeps none, whatever happens in between', async () => {
    const random = new Random(20_261_123);
    const both = async (...request: Parameters<Call>) => {
      const answers = [await plain(...request), await cached(...request)];
      return answers as [string, string];
    };
    const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
    const words = () => Array.from({ length: 4 }, () => pick(WORDS)).join(' ');
    await both('PUT', '/a', {
      settings: { number_of_shards: 2, refresh_interval: '-1' },
      mappings: { doc: {}, child: { _parent: { type: 'doc' } } },
    });
    const changes: (() => Parameters<Call>)[] = [
      () => [
        'PUT',
        `/a/doc/${random.below(80)}`,
        { text: words(), n: random.below(100), tag: pick(['a', 'b', 'c']) },
      ],
      () => [
        'PUT',
        `/a/child/${random.below(30)}?parent=${random.below(80)}`,
        { word: pick(['small', 'large']) },
      ],
      () => ['DELETE', `/a/doc/${random.below(80)}`],
      () => ['POST', '/a/_refresh'],
      () => ['POST', '/a/_optimize?max_num_segments=1'],
      () => ['POST', '/a/_cache/clear'],
      () => ['POST', '/a/_flush'],
      () => ['PUT', '/a/_mapping/doc', { properties: { [`more${random.below(9)}`]: { type: 'string' } } }],
    ];
    for (let step = 0; step < 150; step++) {
      for (let i = random.below(4); i >= 0; i--) await both(...pick(changes)());
      for (const search of SEARCHES) {
        const [first, second] = await both('POST', '/a/_search', search);
        expect(second, `step ${step}: ${JSON.stringify(search)}`).toBe(first);
      }
    }
    // All searches of a while in which nothing changes, but for the first two times.
    const before = caching.hits;
    for (let i = 0; i < 5; i++) for (const search of SEARCHES) await cached('POST', '/a/_search', search);
    expect(caching.hits - before).toBeGreaterThanOrEqual(3 * SEARCHES.length);
  });

  it('keeps none of a search that was stopped, and none that is long', async () => {
    const recorded: Uint8Array[] = [];
    const host = hostOf(1024 * 1024);
    const { search } = host;
    host.search = (shard, plan, interrupted) => {
      recorded.push(plan.slice());
      return search.call(host, shard, plan, interrupted);
    };
    const call = await open(module, host);
    const lines = Array.from({ length: 3000 }, (_, i) => `{"index":{}}\n{"text":"red fox ${i}","n":${i}}\n`);
    await call('PUT', '/b', { settings: { number_of_shards: 1 } });
    await call('POST', '/b/doc/_bulk?refresh=true', lines.join(''));
    for (let i = 0; i < 4; i++) await call('POST', '/b/_search', { size: 3000 });
    expect(host.hits).toBe(0);
    recorded.length = 0;
    await call('POST', '/b/_search', {
      timeout: '1h',
      query: { match: { text: 'red fox' } },
      aggs: { n: { stats: { field: 'n' } } },
    });
    const [plan] = recorded;
    host.questionEvery(64);
    const stopped = search.call(host, 1, plan!, () => true);
    for (let i = 0; i < 2; i++) expect(search.call(host, 1, plan!, () => true)).toEqual(stopped);
    expect(host.hits).toBe(0);
    const whole = search.call(host, 1, plan!);
    expect(whole).not.toEqual(stopped);
    // One that is kept is whole, and answers whoever would have stopped it.
    expect(search.call(host, 1, plan!, () => true)).toEqual(whole);
    expect(host.hits).toBe(1);
  });

  it('keeps no more than it may', async () => {
    const host = hostOf(20_000);
    const call = await open(module, host);
    await call('PUT', '/c/doc/1?refresh=true', { n: 1 });
    for (let round = 0; round < 3; round++)
      for (let n = 0; n < 100; n++) await call('POST', '/c/_search', { query: { term: { n } } });
    expect(host.hits).toBe(0);
    for (let i = 0; i < 5; i++) await call('POST', '/c/_search', { query: { term: { n: 1 } } });
    expect(host.hits).toBeGreaterThanOrEqual(3);
  });
});
