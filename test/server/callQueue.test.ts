/** The calls of a data worker: light ones don't wait for heavy ones, and changes keep their order. The clock is the test's. */
import { expect, it } from 'vitest';
import { NotNested } from '../../host/core/status.js';
import { CallQueue } from '../../host/server/callQueue.js';
import type { Call, Method } from '../../host/server/protocol.js';

/** Milliseconds that a call asks for the next time whether to go on. */
const STEP_MS = 1;

interface Planned {
  call: Call;
  /** Milliseconds that it takes. */
  takes: number;
}

/** A worker whose calls take the time that is planned. */
class Machine {
  time = 0;
  /** What has been done, in its order. */
  readonly log: string[] = [];
  /** What arrives, and when. */
  readonly arriving: (Planned & { at: number })[] = [];
  readonly over = new Set<number>();
  nests = true;
  readonly #takes = new Map<number, number>();
  #depth = 0;
  readonly queue = new CallQueue({
    carryOut: (call, stop, ended = () => false) => this.#carryOut(call, stop, ended),
    isOver: ({ id }) => this.over.has(id),
    receive: () => this.#receive(),
    send: () => {
      this.log.push('send');
    },
    now: () => this.time,
  });

  push({ call, takes }: Planned): void {
    this.#takes.set(call.id, takes);
    this.queue.push(call);
  }

  #receive(): void {
    for (const each of this.arriving.filter(({ at }) => at <= this.time)) {
      this.arriving.splice(this.arriving.indexOf(each), 1);
      this.push(each);
    }
  }

  #carryOut(call: Call, stop: () => boolean, ended: () => boolean): void {
    if (this.#depth > 0 && !this.nests) throw new NotNested();
    this.#depth++;
    let stopped = false;
    for (let left = this.#takes.get(call.id)!; left > 0 && !stopped; left -= STEP_MS) {
      this.time += STEP_MS;
      stopped = stop();
    }
    this.#depth--;
    if (ended()) this.log.push(`gave up ${call.id}`);
    else this.log.push(`${stopped ? 'stopped' : 'did'} ${call.id}`);
  }

  run(): string[] {
    while (this.queue.length > 0) this.queue.next();
    return this.log.filter((entry) => entry !== 'send');
  }
}

const planned = (id: number, takes: number, method = 'search', shard = 1, asker = id): Planned => ({
  call: { id, method: method as unknown as Method, args: [shard], deadline: Number.POSITIVE_INFINITY, asker },
  takes,
});

it('light searches that arrive while a heavy one is carried out are answered first', () => {
  const machine = new Machine();
  machine.push(planned(1, 1000));
  machine.arriving.push({ ...planned(2, 2), at: 5 }, { ...planned(3, 2), at: 300 });
  expect(machine.run()).toEqual(['did 2', 'did 3', 'did 1']);
  // They are sent at once.
  expect(machine.log[machine.log.indexOf('did 2') + 1]).toBe('send');
});

it('no light one waits for more than two slices and what another heavy one gets', () => {
  const machine = new Machine();
  for (let id = 1; id <= 4; id++) machine.push(planned(id, 4000));
  const answered = new Map<number, number>();
  for (let id = 10; id < 500; id++) machine.arriving.push({ ...planned(id, 1), at: id * 30 });
  const { log } = machine;
  const push = log.push.bind(log);
  log.push = (entry) => {
    const id = Number(entry.split(' ')[1]);
    if (entry.startsWith('did') && id >= 10) answered.set(id, machine.time - id * 30);
    return push(entry);
  };
  machine.run();
  expect(answered.size).toBe(490);
  expect(Math.max(...answered.values())).toBeLessThan(40);
  // What was given up in vain is little.
  expect(machine.time).toBeLessThan(4 * 4000 + 490 + 1000);
});

it('one that needs more time than there is for others is given up, and comes after the heavy one', () => {
  const machine = new Machine();
  machine.push(planned(1, 200));
  machine.push(planned(2, 500));
  machine.push(planned(3, 1));
  const done = machine.run();
  expect(done.filter((entry) => entry.startsWith('did'))).toEqual(['did 3', 'did 1', 'did 2']);
  expect(done).toContain('gave up 2');
});

it('one of some length gets its time when the heavy one has taken long', () => {
  const machine = new Machine();
  machine.push(planned(1, 2000));
  machine.push(planned(2, 30));
  expect(machine.run().slice(-2)).toEqual(['did 2', 'did 1']);
});

it('the heavy one has half of the time, however many light ones there are', () => {
  const machine = new Machine();
  machine.push(planned(1, 400));
  for (let id = 10; id < 2000; id++) machine.push(planned(id, 1));
  const before = machine.run().indexOf('did 1');
  expect(before).toBeLessThan(500);
});

it('what comes after a change of its shard waits for it, reads of other shards do not', () => {
  const machine = new Machine();
  machine.push(planned(1, 100));
  machine.push(planned(2, 1, 'apply'));
  machine.push(planned(3, 1));
  machine.push(planned(4, 1, 'search', 2));
  machine.push(planned(5, 1, 'matches', 2));
  machine.push(planned(6, 1, 'terms', 2));
  expect(machine.run()).toEqual(['did 4', 'did 6', 'did 1', 'did 2', 'did 3', 'did 5']);
});

it('one that nobody waits for is stopped, nested or not', () => {
  const machine = new Machine();
  machine.push(planned(1, 1000));
  machine.push(planned(2, 1000));
  machine.over.add(2);
  expect(machine.run()).toEqual(['stopped 2', 'did 1']);
  machine.log.length = 0;
  machine.push(planned(3, 1000));
  machine.over.add(3);
  expect(machine.run()).toEqual(['stopped 3']);
});

it('a core without room for another call carries them out one after the other', () => {
  const machine = new Machine();
  machine.nests = false;
  machine.push(planned(1, 100));
  machine.push(planned(2, 1));
  expect(machine.run()).toEqual(['did 1', 'did 2']);
});

it('a client with many calls has no more time than one with a few', () => {
  const machine = new Machine();
  machine.nests = false;
  for (let id = 1; id <= 6; id++) machine.push(planned(id, 100, 'search', 1, 70));
  machine.push(planned(7, 100, 'search', 1, 71));
  machine.push(planned(8, 30, 'search', 1, 71));
  expect(machine.run().map((entry) => Number(entry.split(' ')[1]))).toEqual([1, 7, 2, 8, 3, 4, 5, 6]);
  // Time in which it asked nothing is not given to it later.
  for (let id = 11; id <= 14; id++) machine.push(planned(id, 100, 'search', 1, 71));
  machine.push(planned(15, 100, 'search', 1, 72));
  machine.log.length = 0;
  expect(machine.run().map((entry) => Number(entry.split(' ')[1]))).toEqual([11, 15, 12, 13, 14]);
});

it('a light one does not wait for the many heavy ones of another client to be tried', () => {
  const machine = new Machine();
  for (let id = 1; id <= 60; id++) machine.push(planned(id, 500, 'search', 1, 70));
  machine.arriving.push({ ...planned(100, 1, 'search', 1, 71), at: 10 });
  let answered = 0;
  const push = machine.log.push.bind(machine.log);
  machine.log.push = (entry) => {
    if (entry === 'did 100') answered = machine.time;
    return push(entry);
  };
  machine.run();
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(25);
});

it('no client goes before a change that has waited for longer', () => {
  const machine = new Machine();
  machine.nests = false;
  machine.push(planned(1, 10, 'search', 1, 70));
  machine.push(planned(2, 10, 'search', 1, 70));
  machine.push(planned(3, 10, 'apply', 1, 70));
  machine.push(planned(4, 10, 'search', 2, 71));
  expect(machine.run()).toEqual(['did 1', 'did 2', 'did 3', 'did 4']);
});
