import { expect, it } from 'vitest';
import { hedged } from '../../host/server/cluster/hedged.js';

const timeout = () => Object.assign(new Error('timeout'), { name: 'TimeoutError' });

/** Tries that are answered by hand. */
function asked() {
  const tries: { resolve: (answer: string) => void; reject: (error: Error) => void }[] = [];
  let wake = () => {};
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      tries.push({ resolve, reject });
      wake();
    });
  const until = async (count: number) => {
    while (tries.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { tries, ask, until };
}

it('a question without an answer is asked again, and the first answer counts', async () => {
  const { tries, ask, until } = asked();
  const answer = hedged(ask, [1, 1]);
  await until(3);
  tries[1]!.resolve('the second');
  expect(await answer).toBe('the second');
});

it('an answer in time is the only one that is asked for', async () => {
  const { tries, ask } = asked();
  const answer = hedged(ask, [60_000]);
  tries[0]!.resolve('at once');
  expect(await answer).toBe('at once');
  expect(tries.length).toBe(1);
});

it('a try that had no answer in time does not end the others; all of them do', async () => {
  const { tries, ask, until } = asked();
  const answer = hedged(ask, [1]);
  await until(2);
  tries[0]!.reject(timeout());
  tries[1]!.resolve('late');
  expect(await answer).toBe('late');

  const second = asked();
  const none = hedged(second.ask, [1]);
  await second.until(2);
  for (const { reject } of second.tries) reject(timeout());
  await expect(none).rejects.toThrow('timeout');
});

it('an error that asking again does not help against counts at once', async () => {
  const { tries, ask } = asked();
  const answer = hedged(ask, [60_000]);
  tries[0]!.reject(new Error('refused'));
  await expect(answer).rejects.toThrow('refused');
});
