import { expect, it, vi } from 'vitest';
import { inTurns, inTurnsIfLong, turnInLine, WorkLimit, WorkOver } from '../../host/workLimit.js';

const SOON = 1_000_000;
const MANY_STEPS = 1e9;

it('work whose time is over ends', () => {
  const limit = WorkLimit.of(0);
  expect([limit.late, limit.over]).toEqual([true, true]);
  expect(() => limit.spend(MANY_STEPS)).toThrow(WorkOver);
  expect(WorkLimit.of(SOON).within(0).late).toBe(true);
});

it('work that has time goes on, and so does what must be done in any case', () => {
  expect(() => WorkLimit.of(SOON).spend(MANY_STEPS)).not.toThrow();
  expect(WorkLimit.of(0).atLeast(SOON).late).toBe(false);
  expect(() => WorkLimit.of(0).untimed().spend(MANY_STEPS)).not.toThrow();
  expect(WorkLimit.none.within(SOON).late).toBe(false);
});

it('a time counts from when the request came; where there is no request, from now on', () => {
  const age = performance.now();
  const limit = WorkLimit.of(SOON);
  expect(limit.lasting(5).deadline).toBeLessThanOrEqual(performance.timeOrigin + performance.now() + 5);
  expect(limit.lasting(2 * SOON).deadline).toBe(limit.deadline);
  // The process is older than that.
  expect(age).toBeGreaterThan(0);
  const within = WorkLimit.none.lasting(1).deadline;
  expect(within).toBeGreaterThanOrEqual(performance.timeOrigin + age + 1);
});

it('of several that go on in one turn of the event loop, those behind a slice that has ended stop at once', () => {
  const clock = vi.spyOn(performance, 'now');
  try {
    clock.mockReturnValue(1000);
    const [first, second] = [WorkLimit.of(SOON), WorkLimit.of(SOON)];
    clock.mockReturnValue(1009);
    expect(first.isDue(MANY_STEPS)).toBe(true);
    clock.mockReturnValue(1009.1);
    second.resume();
    expect(second.isDue(MANY_STEPS)).toBe(true);
    // Others have had the event loop since.
    clock.mockReturnValue(1020);
    second.resume();
    expect(second.isDue(MANY_STEPS)).toBe(false);
  } finally {
    clock.mockRestore();
  }
});

it('a request that has had few turns goes before those that have had more', async () => {
  const [old, older, young] = [WorkLimit.of(SOON), WorkLimit.of(SOON), WorkLimit.of(SOON)];
  for (let turn = 0; turn < 5; turn++) {
    await old.yield();
    await older.yield();
  }
  const order: string[] = [];
  await Promise.all([
    old.yield().then(() => order.push('old')),
    older.yield().then(() => order.push('older')),
    young.yield().then(() => order.push('young')),
  ]);
  expect(order).toEqual(['young', 'old', 'older']);
});

it.each([inTurns, inTurnsIfLong])(
  '%o cleans up where nobody waits for work that has stopped',
  async (carryOut) => {
    const limit = WorkLimit.of(SOON);
    let isClean = false;
    function* work() {
      try {
        limit.cancel();
        yield;
      } finally {
        isClean = true;
      }
    }
    await expect(carryOut(work(), limit)).rejects.toThrow(WorkOver);
    expect(isClean).toBe(true);
  },
);

it('whoever waits in line has a turn of the event loop of their own', async () => {
  let turn = 0;
  const count = () => {
    turn++;
    if (turn < 10) setImmediate(count);
  };
  setImmediate(count);
  const waiting = Array.from({ length: 3 }, () => new Promise((resolve) => turnInLine(() => resolve(turn))));
  expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
});
