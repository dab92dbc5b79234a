/** Why patterns are refused is remembered, and nothing of what was made of them before. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { regexpMatcher } from '../../host/query/term/termMatchers.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it('patterns of too many states leave nothing behind', () => {
  const refuse = (i: number) => expect(() => regexpMatcher(`(a{300}){300}${i}`)).toThrow('would result in');
  refuse(0);
  const before = heap();
  for (let i = 1; i <= 12; i++) refuse(i);
  expect(heap() - before).toBeLessThan(10_000_000);
});
