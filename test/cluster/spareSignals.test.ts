import { expect, it } from 'vitest';
import { onAbort } from '../../host/cluster/onAbort.js';
import { SpareSignals } from '../../host/cluster/spareSignals.js';

it('a signal is used again when its work has ended, and tells only whoever waits by then', () => {
  const signals = new SpareSignals();
  const first = signals.take();
  const called: string[] = [];
  onAbort(first.signal, () => called.push('first'))();
  signals.giveBack(first);
  const second = signals.take();
  expect(second).toBe(first);
  expect(signals.take()).not.toBe(first);
  onAbort(second.signal, () => called.push('second'));
  second.abort();
  expect(called).toEqual(['second']);
});

it('a signal that has aborted, or that somebody waits for still, is not used again', () => {
  const signals = new SpareSignals();
  const aborted = signals.take();
  aborted.abort();
  signals.giveBack(aborted);
  const awaited = signals.take();
  expect(awaited).not.toBe(aborted);
  const unlisten = onAbort(awaited.signal, () => {});
  signals.giveBack(awaited);
  expect(signals.take()).not.toBe(awaited);
  unlisten();
  signals.giveBack(awaited);
  expect(signals.take()).toBe(awaited);
});
