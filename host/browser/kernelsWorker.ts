/** Measures the kernels for the page of {@link kernelsPage.ts}, off its thread. */
import { clockStep } from '../kernels/clock.js';
import type { Measured, MeasureOptions } from '../kernels/measure.js';
import { bench } from './kernelsEntry.js';

/** What it says to the page. */
export type BenchMessage =
  | { kind: 'clock'; step: number }
  | { kind: 'result'; result: Measured }
  | { kind: 'end' }
  | { kind: 'error'; message: string };

/** The global of a dedicated worker, which the types of pages don't have. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<MeasureOptions>) => void) | null;
  postMessage(message: BenchMessage): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = async ({ data }) => {
  try {
    scope.postMessage({ kind: 'clock', step: clockStep() });
    for await (const result of bench(data)) scope.postMessage({ kind: 'result', result });
    scope.postMessage({ kind: 'end' });
  } catch (e) {
    scope.postMessage({ kind: 'error', message: e instanceof Error ? e.message : String(e) });
  }
};
