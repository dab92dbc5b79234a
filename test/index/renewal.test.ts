/** Shards that are moved to another instance of the core answer as before, count on, and are persisted as before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Core } from '../../host/core/instance.js';
import { Engine } from '../../host/engine/engine.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { isWasteful } from '../../host/shard/renewal.js';
import { ShardHost } from '../../host/shard/shardHost.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { defaultTurn } from '../../host/turn.js';
import { WorkLimit } from '../../host/workLimit.js';
import { coreBytes } from '../support/core.js';
import { Random } from '../torture/random.js';

type Call = (method: string, uri: string, body?: unknown) => Promise<string>;

let module: WebAssembly.Module;
const always = () => true;

/** An engine, and the host of its shards. */
class Opened {
  readonly host = new ShardHost(module, defaultTurn());
  readonly storage: MemoryStorage;
  readonly blobs: MemoryBlobs;
  #engine!: Engine;
  call!: Call;

  constructor(storage = new MemoryStorage(), blobs = new MemoryBlobs()) {
    this.storage = storage;
    this.blobs = blobs;
  }

  async open(): Promise<this> {
    const transport = new LocalTransport(module, defaultTurn(), this.host);
    const { storage, blobs } = this;
    this.#engine = await Engine.open({ storage, blobs, clock: wallClock, transport, module, nodeId: 'node' });
    const router = createRouter(this.#engine, { node: 'n', cluster: 'c', version: '0' });
    this.call = async (method, uri, body) => {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const bytes = new TextEncoder().encode(text);
      const { body: answer } = await router.handle(
        method,
        uri,
        bytes,
        Principal.unrestricted,
        WorkLimit.none,
      );
      return new TextDecoder().decode(answer).replace(/"took":\d+/, '"took":0');
    };
    return this;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

const MAPPINGS = {
  doc: {
    properties: {
      text: { type: 'string', analyzer: 'own' },
      tag: { type: 'string', index: 'not_analyzed' },
      n: { type: 'long' },
      parts: { type: 'nested', properties: { word: { type: 'string' } } },
    },
  },
  child: { _parent: { type: 'doc' } },
};
const SETTINGS = {
  number_of_shards: 2,
  refresh_interval: -1,
  analysis: { analyzer: { own: { tokenizer: 'standard', filter: ['lowercase', 'stop'] } } },
};
const SEARCHES = [
  { query: { match: { text: 'Red fox' } }, explain: true, size: 3 },
  { query: { match_phrase: { text: 'red fox' } } },
  { query: { range: { n: { gte: '9007199254740993' } } }, sort: [{ n: 'desc' }, '_uid'] },
  { size: 0, aggs: { tags: { terms: { field: 'tag' } }, words: { terms: { field: 'text' } } } },
  { query: { filtered: { filter: { term: { tag: 'a' } } } }, sort: '_uid' },
  { query: { nested: { path: 'parts', query: { match: { 'parts.word': 'green' } } } } },
  { query: { has_child: { type: 'child', query: { term: { word: 'frog' } }, score_mode: 'sum' } } },
];
const WORDS = ['red', 'Fox', 'green', 'frog', 'the'];

function changes(random: Random): string {
  const word = () => WORDS[random.below(WORDS.length)]!;
  const lines: unknown[] = [];
  for (let i = 0; i < 60; i++) {
    const id = `${random.below(90)}`;
    if (random.below(5) === 0) lines.push({ delete: { _type: 'doc', _id: id } });
    else {
      lines.push({ index: { _type: 'doc', _id: id } });
      const text = Array.from({ length: 1 + random.below(6) }, word).join(' ');
      lines.push({
        text,
        tag: word().slice(0, 1),
        n: 2 ** 53 + 2 * random.below(9),
        parts: [{ word: word() }, { word: word() }],
      });
      lines.push({ index: { _type: 'child', _id: id, parent: id } }, { word: word() });
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function answers({ call }: Opened): Promise<string[]> {
  const found: string[] = [];
  for (const search of SEARCHES) found.push(await call('POST', '/a/_search', search));
  found.push(await call('GET', '/a/_stats/docs,merge,segments'), await call('GET', '/a/_segments'));
  // How much memory segments take besides is the instance's own.
  return found.map((text) =>
    text.replace(/"(total_time|memory|[a-z_]*memory)(_in_millis|_in_bytes)":\d+/g, ''),
  );
}

describe('shards that are moved', () => {
  let plain: Opened;
  let moved: Opened;

  beforeAll(async () => {
    module = await WebAssembly.compile(coreBytes());
    plain = await new Opened().open();
    moved = await new Opened().open();
    for (const { call } of [plain, moved])
      await call('PUT', '/a', { settings: SETTINGS, mappings: MAPPINGS });
  });
  afterAll(() => Promise.all([plain.close(), moved.close()]));

  it('answer and count as before, whatever is changed in between', async () => {
    const random = new Random(5);
    for (let step = 0; step < 15; step++) {
      const bulk = changes(random);
      for (const { call } of [plain, moved]) {
        expect(await call('POST', '/a/_bulk', bulk)).toContain('"errors":false');
        await call('POST', '/a/_refresh');
        // Merges that go on by themselves end first.
        await call('POST', `/a/_optimize?max_num_segments=${step % 5 === 4 ? 1 : 20}`);
      }
      expect(await moved.host.renew(always)).toBe(true);
      expect(await answers(moved)).toEqual(await answers(plain));
      if (step % 3 === 2) for (const { call } of [plain, moved]) await call('POST', '/a/_flush');
    }
  });

  it('are found again after a restart', async () => {
    const before = await answers(moved);
    await moved.close();
    moved = await new Opened(moved.storage, moved.blobs).open();
    await moved.call('GET', '/_cluster/health?wait_for_status=yellow');
    const after = await answers(moved);
    expect(after.slice(0, SEARCHES.length)).toEqual(before.slice(0, SEARCHES.length));
  });

  it('stay where they are while something is on its way', async () => {
    await moved.call('PUT', '/a/doc/new', { text: 'red' });
    // Not refreshed yet: it is in no segment.
    expect(await moved.host.renew(always)).toBe(false);
    await moved.call('POST', '/a/_refresh');
    const renewing = moved.host.renew(always);
    const writing = moved.call('PUT', '/a/doc/newer?refresh=true', { text: 'red' });
    expect(await renewing).toBe(false);
    await writing;
    expect(await moved.call('GET', '/a/_count?q=_id:newer')).toContain('"count":1');
  });

  it('are moved where much memory is of no use', async () => {
    const core = new Core(module);
    expect(isWasteful(core)).toBe(false);
    const shard = core.createShard();
    core.defineField(shard, { field: 0, flags: 7, analyzer: 1, boost: 1, positionGap: 0 });
    expect(await moved.host.renew()).toBe(false);
    // As a merge does: memory that is taken and given back.
    expect(() => core.loadSegment(shard, new Uint8Array(200 * 1024 * 1024))).toThrow();
    expect(core.memoryBytes).toBeGreaterThan(200 * 1024 * 1024);
    expect(isWasteful(core)).toBe(true);
  });
});
