import { afterEach, beforeEach, expect, it } from 'vitest';
import { WorkLimit } from '../../host/workLimit.js';
import { Principal } from '../../host/security/principal.js';
import type { Clock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { Router } from '../../host/rest/router.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { compileCore } from '../../host/server/wasm.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

/** A clock that the test turns. */
class TurnedClock implements Clock {
  #time = 1_000_000;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Turns it on in steps; what waits for a step goes on before the next. */
  async turn(ms: number): Promise<void> {
    for (const end = this.#time + ms; this.#time < end; ) {
      this.#time = Math.min(end, this.#time + 10);
      for (const timer of [...this.#timers])
        if (timer.at <= this.#time && this.#timers.delete(timer)) timer.callback();
      await new Promise((done) => setImmediate(done));
    }
  }
}

interface Health {
  status: string;
  timed_out: boolean;
  active_shards: number;
}

let clock: TurnedClock;
let engine: Engine;
let router: Router;
let hurry: boolean;
beforeEach(async () => {
  clock = new TurnedClock();
  hurry = false;
  const module = await compileCore();
  const transport = new LocalTransport(module);
  const storage = new MemoryStorage();
  engine = await Engine.open({ storage, blobs: new MemoryBlobs(), clock, transport, module });
  router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  await call('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
});
afterEach(() => engine.close());

const call = async (method: string, uri: string, body?: unknown) => {
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY, {
    isGone: false,
    get isHurried() {
      return hurry;
    },
  });
  const answer = await router.handle(method, uri, bytes, Principal.unrestricted, limit);
  return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) as never };
};

/** A question about health: whether it is answered yet, and by what. */
class Asked {
  answer: Health | undefined;

  constructor(query: string, index = '') {
    void call('GET', `/_cluster/health${index}?${query}`).then(({ status, body }) => {
      expect(status).toBe(200);
      this.answer = body;
    });
  }
}

const health = async (query: string, index = '') => {
  const asked = new Asked(query, index);
  await clock.turn(10);
  return asked.answer;
};

it('what is true already is answered at once', async () => {
  for (const query of [
    '',
    'wait_for_status=yellow',
    'wait_for_status=red',
    'wait_for_active_shards=2',
    'wait_for_relocating_shards=0',
    'wait_for_nodes=1',
    'wait_for_nodes=%3E%3D1',
    'wait_for_nodes=lt(2)',
    'wait_for_nodes=',
    'wait_for_events=languid&wait_for_status=yellow&wait_for_nodes=%3C3',
    'timeout=0',
    'timeout=-1',
  ])
    expect([query, await health(query, '/a')]).toMatchObject([query, { status: 'yellow', timed_out: false }]);
});

it('what is not is waited for until the time is over', async () => {
  for (const query of [
    'wait_for_status=green',
    'wait_for_active_shards=3',
    'wait_for_relocating_shards=-2',
    'wait_for_nodes=%3E%3D2',
    'wait_for_nodes=2',
    'wait_for_status=yellow&wait_for_nodes=gt(1)',
  ]) {
    const asked = new Asked(`${query}&timeout=200ms`);
    const long = new Asked(query);
    await clock.turn(190);
    expect([query, asked.answer]).toEqual([query, undefined]);
    await clock.turn(10);
    expect(asked.answer).toMatchObject({ timed_out: true, status: 'yellow' });
    await clock.turn(29_700);
    expect(long.answer).toBeUndefined();
    await clock.turn(100);
    expect(long.answer).toMatchObject({ timed_out: true });
  }
});

it('nothing is waited for without time', async () => {
  for (const time of ['0', '-1', '-5s'])
    expect(await health(`wait_for_status=green&timeout=${time}`)).toMatchObject({ timed_out: true });
});

it('what comes true meanwhile is answered then', async () => {
  const asked = new Asked('wait_for_status=green');
  await clock.turn(5000);
  expect(asked.answer).toBeUndefined();
  await call('PUT', '/a/_settings', { number_of_replicas: 0 });
  await clock.turn(100);
  expect(asked.answer).toMatchObject({ timed_out: false, status: 'green', active_shards: 2 });
});

it('an index that is missing is waited for, and those that are there are counted', async () => {
  const asked = new Asked('', '/b');
  const both = new Asked('', '/a,b');
  const late = new Asked('timeout=1s', '/a,b');
  await clock.turn(1000);
  expect(asked.answer).toBeUndefined();
  expect(late.answer).toMatchObject({ timed_out: true, status: 'red', active_shards: 2 });
  await call('PUT', '/b', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await clock.turn(100);
  expect(asked.answer).toMatchObject({ timed_out: false, status: 'green', active_shards: 1 });
  expect(both.answer).toMatchObject({ timed_out: false, status: 'yellow', active_shards: 3 });
});

it('a pattern that matches nothing, and a closed index, are there', async () => {
  await call('POST', '/a/_close');
  expect(await health('', '/x*')).toMatchObject({ timed_out: false, status: 'green' });
  expect(await health('', '/a')).toMatchObject({ timed_out: false, status: 'green', active_shards: 0 });
});

it('who wants the answer now gets it', async () => {
  const asked = new Asked('wait_for_status=green');
  await clock.turn(1000);
  expect(asked.answer).toBeUndefined();
  hurry = true;
  await clock.turn(100);
  expect(asked.answer).toMatchObject({ timed_out: true, status: 'yellow' });
});

it('what cannot be waited for is refused at once', async () => {
  const refused = async (query: string) => (await call('GET', `/_cluster/health?${query}`)).body;
  expect(await refused('wait_for_status=purple')).toMatchObject({ status: 500 });
  expect(await refused('wait_for_nodes=many')).toMatchObject({ status: 500 });
  expect(await refused('wait_for_events=soon')).toMatchObject({ status: 500 });
  expect(await refused('timeout=x')).toMatchObject({ status: 400 });
});
