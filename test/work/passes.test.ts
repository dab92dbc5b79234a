/** Work in passes comes to what it comes to in one go, and does no long part twice. */
import { describe, expect, it } from 'vitest';
import { toElasticsearchError } from '../../host/errors.js';
import { longPart, Passes, stage } from '../../host/passes.js';
import { atOnce, WorkLimit, WorkOver } from '../../host/workLimit.js';

/** A limit of whose turns each is over at once. */
function hasty(isGone = () => false): WorkLimit {
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY, {
    isHurried: false,
    get isGone() {
      return isGone();
    },
  });
  Object.defineProperties(limit, {
    due: { get: () => true },
    elapsed: { get: () => Number.POSITIVE_INFINITY },
  });
  return limit;
}

/** Work of so many parts with three steps each, and what was done for it. */
function work(parts: number) {
  const done = { steps: 0, passes: 0 };
  const one = (i: number) =>
    longPart(work, `${i}`, function* (isDue) {
      for (let step = 0; step < 3; step++) {
        done.steps++;
        if (isDue(1024)) yield;
      }
      return i;
    });
  const whole = () => {
    done.passes++;
    return Array.from({ length: parts }, (_, i) => one(i));
  };
  return { whole, done };
}

it('is carried out at once where there are no passes', () => {
  const { whole, done } = work(3);
  expect(whole()).toEqual([0, 1, 2]);
  expect(done).toEqual({ steps: 9, passes: 1 });
});

it('is one pass where that is short', () => {
  const { whole, done } = work(3);
  expect(new Passes(WorkLimit.none).run(whole)).toEqual([0, 1, 2]);
  expect(done).toEqual({ steps: 9, passes: 1 });
});

it('goes on where the last pass ended', async () => {
  const { whole, done } = work(3);
  const passes = new Passes(hasty());
  expect(await passes.run(whole)).toEqual([0, 1, 2]);
  // Each part has three steps and an end.
  expect(done).toEqual({ steps: 9, passes: 12 });
  expect(passes.run(whole)).toEqual([0, 1, 2]);
  expect(done).toEqual({ steps: 9, passes: 13 });
});

it('ends with its client', async () => {
  const { whole, done } = work(3);
  await expect(new Passes(hasty(() => done.passes === 4)).run(whole)).rejects.toThrow(WorkOver);
  expect(done.passes).toBe(4);
});

it('fails as its parts do, each time', async () => {
  const failing = () =>
    longPart(failing, '', function* () {
      yield;
      throw new TypeError('no such part');
    });
  const passes = new Passes(hasty());
  await expect(passes.run(failing)).rejects.toThrow(TypeError);
  expect(() => passes.run(failing)).toThrow(TypeError);
});

it('is not stopped by what makes errors of the interface', async () => {
  const { whole } = work(2);
  const caught = () => {
    try {
      return whole();
    } catch (e) {
      throw toElasticsearchError(e);
    }
  };
  expect(await new Passes(hasty()).run(caught)).toEqual([0, 1]);
});

it('comes to an end where a part has another owner in each pass', async () => {
  let passes = 0;
  const changing = () => {
    passes++;
    return longPart({}, '', function* (isDue) {
      for (let step = 0; step < 5; step++) if (isDue(1024)) yield;
      return 'there';
    });
  };
  expect(await new Passes(hasty()).run(changing)).toBe('there');
  expect(passes).toBe(2);
});

it('takes no turn for new in which other work has begun', () => {
  const limit = hasty();
  let resumed = 0;
  Object.defineProperty(limit, 'resume', { value: () => resumed++ });
  const { whole, done } = work(2);
  const turns = new Passes(limit).inTurns(whole);
  expect(turns.next().done).toBe(false);
  expect(resumed).toBe(0);
  expect(atOnce(turns)).toEqual([0, 1]);
  // Once for each pass but the first.
  expect(resumed).toBe(done.passes - 1);
  for (let piece = 0; piece < 10; piece++) atOnce(new Passes(limit).inTurns(() => piece));
  expect(resumed).toBe(done.passes - 1);
});

describe('stages', () => {
  const owner = {};
  const staged = (count: number, nameOf = (i: number) => `${i}`) => {
    const done = { stages: 0, passes: 0 };
    const whole = () => {
      done.passes++;
      return Array.from({ length: count }, (_, i) =>
        stage(owner, nameOf(i), () => {
          done.stages++;
          return i;
        }),
      );
    };
    return { whole, done };
  };

  it('are made at once where there are no passes', () => {
    const { whole, done } = staged(3);
    expect(whole()).toEqual([0, 1, 2]);
    expect(done).toEqual({ stages: 3, passes: 1 });
  });

  it('let others have a turn before each of them, and are made once', async () => {
    const { whole, done } = staged(4);
    const passes = new Passes(hasty());
    expect(await passes.run(whole)).toEqual([0, 1, 2, 3]);
    expect(done).toEqual({ stages: 4, passes: 4 });
  });

  it('are forgotten with their work', async () => {
    const { whole, done } = staged(2);
    const passes = new Passes(hasty());
    await passes.run(whole);
    await passes.run(whole);
    expect(done).toEqual({ stages: 4, passes: 4 });
    const short = new Passes(WorkLimit.none);
    expect([short.run(whole), short.run(whole)]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(done).toEqual({ stages: 8, passes: 6 });
  });

  it('may have long parts', async () => {
    const { whole: parts, done } = work(2);
    const whole = () => stage(owner, 'all', () => parts());
    expect(await new Passes(hasty()).run(whole)).toEqual([0, 1]);
    expect(done).toMatchObject({ steps: 6 });
  });

  it('are made in one pass where they change their names', async () => {
    let names = 0;
    const { whole, done } = staged(3, () => `${names++}`);
    expect(await new Passes(hasty()).run(whole)).toEqual([0, 1, 2]);
    // The first pass ended at the second one.
    expect(done).toEqual({ stages: 4, passes: 2 });
  });

  it('end with the limit', async () => {
    let isGone = false;
    const { whole } = staged(3);
    const found = new Passes(hasty(() => isGone)).run(whole);
    isGone = true;
    await expect(found).rejects.toThrow(WorkOver);
  });
});
