import { describe, expect, test } from 'vitest';
import {
  DELAY_US,
  IN_A_ROW,
  LONGEST_US,
  PAUSE_US,
  SequentialRequests,
  BusyPolling,
} from '../../host/server/busyPolling.js';

/** A thread whose time passes only where a test says so. */
class Thread {
  time = 1000;
  #next: (() => void)[] = [];
  readonly polling = new BusyPolling({ now: () => this.time, next: (callback) => this.#next.push(callback) });

  get awake(): boolean {
    return this.#next.length > 0;
  }

  /** Turns of the event loop, a microsecond each unless it is said how long. */
  turn(count = 1, each = 1): void {
    for (let i = 0; i < count; i++) {
      this.time += each;
      for (const callback of this.#next.splice(0)) callback();
    }
  }

  /** A message comes after so long; asleep, unless polling keeps the thread awake. */
  wait(us: number): void {
    this.polling.begin();
    for (let waited = 0; waited < us; waited++) this.turn();
    this.polling.end();
    this.turn();
  }
}

describe('busy polling', () => {
  test('sleeps through the first wait and watches the next', () => {
    const thread = new Thread();
    thread.polling.begin();
    expect(thread.awake).toBe(false);
    thread.turn(100);
    thread.polling.end();
    thread.polling.begin();
    expect(thread.awake).toBe(true);
  });

  test('ends with the message', () => {
    const thread = new Thread();
    thread.wait(100);
    thread.polling.begin();
    thread.turn(100);
    expect(thread.awake).toBe(true);
    thread.polling.end();
    thread.turn();
    expect(thread.awake).toBe(false);
  });

  test('never lasts longer than it may', () => {
    const thread = new Thread();
    thread.wait(100);
    thread.polling.begin();
    thread.turn(LONGEST_US - 1);
    expect(thread.awake).toBe(true);
    thread.turn();
    expect(thread.awake).toBe(false);
    thread.turn(1_000_000);
    expect(thread.awake).toBe(false);
  });

  test('is not kept after a wait that was too long, until one is short', () => {
    const thread = new Thread();
    thread.wait(LONGEST_US + 1);
    thread.polling.begin();
    expect(thread.awake).toBe(false);
    thread.turn(LONGEST_US - 1);
    thread.polling.end();
    thread.polling.begin();
    expect(thread.awake).toBe(true);
  });

  test('is not kept for a while after one that was in vain', () => {
    const thread = new Thread();
    thread.wait(100);
    thread.wait(LONGEST_US + 1);
    thread.wait(100);
    thread.polling.begin();
    expect(thread.awake).toBe(false);
    thread.turn(100);
    thread.polling.end();
    thread.time += PAUSE_US;
    thread.polling.begin();
    expect(thread.awake).toBe(true);
  });

  test('goes on where one message follows another in the same turn', () => {
    const thread = new Thread();
    thread.wait(100);
    thread.polling.begin();
    thread.turn();
    thread.polling.end();
    thread.time += DELAY_US + 1;
    thread.polling.begin();
    thread.turn();
    expect(thread.awake).toBe(true);
  });

  test('leaves the processor to others that want it', () => {
    const thread = new Thread();
    thread.wait(100);
    thread.polling.begin();
    thread.turn(1, DELAY_US + 1);
    expect(thread.awake).toBe(false);
    thread.polling.end();
    thread.polling.begin();
    expect(thread.awake).toBe(false);
    thread.polling.end();
    thread.time += PAUSE_US;
    thread.wait(100);
    thread.polling.begin();
    expect(thread.awake).toBe(true);
  });

  test('takes messages that nobody waited for', () => {
    const thread = new Thread();
    thread.polling.end();
    thread.polling.begin();
    expect(thread.awake).toBe(false);
  });
});

describe('requests are single', () => {
  const inARow = (count: number): SequentialRequests => {
    const requests = new SequentialRequests({ leaveRoom: () => true });
    for (let i = 0; i < count; i++) {
      requests.enter();
      requests.leave();
    }
    return requests;
  };

  test('where enough have come one after the other', () => {
    const requests = inARow(IN_A_ROW);
    expect(requests.single).toBe(false);
    requests.enter();
    expect(requests.single).toBe(true);
    const few = inARow(IN_A_ROW - 1);
    few.enter();
    expect(few.single).toBe(false);
  });

  test('until two are under way', () => {
    const requests = inARow(IN_A_ROW);
    requests.enter();
    requests.enter();
    expect(requests.single).toBe(false);
    requests.leave();
    expect(requests.single).toBe(false);
    requests.leave();
    for (let i = 0; i < IN_A_ROW - 2; i++) {
      requests.enter();
      expect(requests.single).toBe(false);
      requests.leave();
    }
    requests.enter();
    expect(requests.single).toBe(true);
  });
});
