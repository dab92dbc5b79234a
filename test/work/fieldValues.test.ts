/** A long source is read in turns, and comes to the same. */
import { expect, it } from 'vitest';
import { FieldValues } from '../../host/json/fieldValues.js';
import { inTurns, WorkLimit } from '../../host/workLimit.js';

/** A limit that lets others have a turn at every look at the clock, and how often it did. */
function counted() {
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
  const seen = { turns: 0 };
  Object.defineProperty(limit, 'due', { get: () => true });
  const yields = limit.yield.bind(limit);
  Object.assign(limit, {
    yield: () => {
      seen.turns++;
      return yields();
    },
  });
  return { limit, seen };
}

const sourceOf = (length: number) =>
  new TextEncoder().encode(JSON.stringify({ a: { b: ['x'.repeat(length), 1.0, null] } }));

it('has a turn behind the text, and behind its values', async () => {
  const source = sourceOf(200_000);
  const { limit, seen } = counted();
  const values = await inTurns(FieldValues.inTurns(source, limit), limit);
  expect(seen.turns).toBe(2);
  expect(values.leaves('a.b')).toEqual(new FieldValues(source).leaves('a.b'));
});

it('takes no turn where the source is short', async () => {
  const { limit, seen } = counted();
  const values = await inTurns(FieldValues.inTurns(sourceOf(1000), limit), limit);
  expect([seen.turns, values.leaves('a.b')[1]]).toEqual([0, '1']);
});
