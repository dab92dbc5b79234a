import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { resolveNames } from '../../host/metadata/names.js';
import { wildcard } from '../../host/text/wildcard.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { shardOf } from '../../host/shard/routing.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Puts } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';
import { WorkLimit } from '../../host/workLimit.js';

const module = await WebAssembly.compile(coreBytes());
const source = (text: string) => new TextEncoder().encode(text);
const open = (storage = new MemoryStorage(), maxPendingBytes = 1 << 20) =>
  Engine.open({
    storage,
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
    maxPendingBytes,
  });

describe('concurrent writes', () => {
  it('to one id take turns, and each gets a version of its own', async () => {
    const engine = await open();
    const one = () =>
      engine.write([{ index: 'a', kind: 'index', type: 't', id: '1', source: source('{"n":1}') }]);
    const outcomes = (await Promise.all(Array.from({ length: 20 }, one))).flat();
    const versions = outcomes.map(({ result }) =>
      result instanceof ElasticsearchError ? 0 : result.version,
    );
    expect(versions).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await engine.refresh(engine.resolve('a'));
    const { total } = await engine.search(engine.targets('a'), { body: {}, text: '', limit: WorkLimit.none });
    expect(total).toBe(1);
    await engine.close();
  });

  it('that come as the queue runs empty are not forgotten', async () => {
    const engine = await open();
    await engine.cluster.create('a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
    let n = 0;
    const one = () =>
      engine.write([{ index: 'a', kind: 'index', type: 't', id: `${n++}`, source: source('{"n":1}') }]);
    // Some microtasks after an answer, whenever the queue may have been found empty.
    const writer = async (microtasks: number) => {
      for (let i = 0; i < 20; i++) {
        await one();
        for (let wait = 0; wait < microtasks; wait++) await undefined;
      }
    };
    for (let microtasks = 0; microtasks < 12; microtasks++) {
      await Promise.all([writer(microtasks), writer(0)]);
    }
    expect(n).toBe(12 * 40);
    await engine.close();
  });

  it('to an index that is closed or deleted as soon as it is made are written or refused', async () => {
    const engine = await open();
    const write = () =>
      engine.write([{ index: 'a', kind: 'index', type: 't', id: '1', source: source('{"n":1}') }]);
    const answers = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const [first, , second] = await Promise.all([
        write(),
        engine.cluster.closeIndices('a').catch(() => {}),
        write(),
        round % 2 === 0 ? engine.cluster.delete('a') : undefined,
      ]);
      for (const [{ result } = expect.fail()] of [first, second])
        answers.add(result instanceof ElasticsearchError ? result.exception : 'written');
      await engine.cluster.delete('a').catch(() => {});
    }
    for (const answer of answers)
      expect([
        'written',
        'IndexClosedException',
        'IndexMissingException',
        'EsRejectedExecutionException',
      ]).toContain(answer);
  });

  it('beyond the memory for them are refused', async () => {
    const engine = await open(new MemoryStorage(), 1000);
    const big = () =>
      engine.write([
        { index: 'a', kind: 'index', type: 't', id: '1', source: source(`{"n":"${'x'.repeat(900)}"}`) },
      ]);
    const results = await Promise.allSettled([big(), big()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({
      exception: 'EsRejectedExecutionException',
      status: 429,
    });
    await engine.close();
  });

  it('that the store refuses are not acknowledged, and leave no trace', async () => {
    class Full extends MemoryStorage {
      full = false;
      override async commit(puts: Puts, deletes: readonly Uint8Array[]): Promise<void> {
        if (this.full) throw new Error('no space left');
        return super.commit(puts, deletes);
      }
    }
    const storage = new Full();
    const engine = await open(storage);
    const write = async (id: string, field = 'n') => {
      const [outcome] = await engine.write([
        { index: 'a', kind: 'index', type: 't', id, source: source(`{"${field}":1}`) },
      ]);
      return outcome!.result instanceof ElasticsearchError ? outcome!.result.render() : outcome!.result;
    };
    expect(await write('1')).toEqual({ version: 1, fresh: true });
    storage.full = true;
    expect(await write('1', 'fresh')).toBe('WriteFailureException[no space left]');
    expect(await write('2')).toBe('WriteFailureException[no space left]');
    storage.full = false;
    expect(await write('1')).toEqual({ version: 2, fresh: false });
    await engine.refresh(engine.resolve('a'));
    expect(
      (await engine.search(engine.targets('a'), { body: {}, text: '', limit: WorkLimit.none })).total,
    ).toBe(1);
    // The field that came with the refused write is known; its metadata went with the next commit.
    const again = await open(storage);
    expect(JSON.stringify(again.index('a').model.toJSON())).toContain('fresh');
    await again.close();
    await engine.close();
  });
});

describe('names', () => {
  const all = ['a', 'log-1', 'log-2', 'z'];
  const table = {
    indices: new Map([...all.map((name) => [name, { closed: false }] as const), ['shut', { closed: true }]]),
    aliases: new Map([['both', ['log-1', 'log-2']]]),
  };

  it.each([
    [undefined, all],
    ['_all', all],
    ['log*', ['log-1', 'log-2']],
    ['z,a', ['a', 'z']],
    ['both', ['log-1', 'log-2']],
    ['bo*h', ['log-1', 'log-2']],
    ['shut', ['shut']],
    ['log*,-log-1', ['log-2']],
    ['-log*', ['a', 'z']],
    ['a,+z', ['a', 'z']],
    ['no*', []],
  ])('%s', (expression, expected) => {
    expect(resolveNames(table, expression)).toEqual(expected);
  });

  it('that are missing are an error, unless they may be', () => {
    expect(() => resolveNames(table, 'a,nope')).toThrow('[nope] missing');
    expect(() => resolveNames(table, '_all,-a')).toThrow('[_all] missing');
    expect(() => resolveNames(table, 'no*', { allowNoIndices: false })).toThrow('[no*] missing');
    expect(resolveNames(table, 'a,nope', { ignoreUnavailable: true })).toEqual(['a']);
  });

  it('of closed indices are refused where documents are wanted, and skipped behind wildcards', () => {
    const options = { forbidClosed: true };
    expect(() => resolveNames(table, 'a,shut', options)).toThrow('[shut] closed');
    expect(resolveNames(table, 'a,shut', { ...options, ignoreUnavailable: true })).toEqual(['a']);
    expect(resolveNames(table, 's*', options)).toEqual([]);
    expect(resolveNames(table, 's*', { expandClosed: true })).toEqual(['shut']);
  });

  it('wildcards agree with regular expressions', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (glob, text) => {
        expect(wildcard(glob)(text)).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(text));
      }),
    );
  });
});

describe('routing', () => {
  it('goes where 1.x goes', () => {
    // From the recordings: "which shard an id goes to".
    expect(
      ['1', '2', '3', 'ä', 'a long id with spaces'].map((id) => shardOf(id, 5)).every((n) => n >= 0 && n < 5),
    ).toBe(true);
    expect([shardOf('1', 5), shardOf('2', 5), shardOf('3', 5)]).toEqual([2, 3, 4]);
  });
});
