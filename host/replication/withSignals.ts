import { onAbort } from '../cluster/onAbort.js';
import type { Clock } from '../time/clock.js';

/**
 * Work under several signals, of which some outlive it by far. Not `AbortSignal.any`: what that makes of a signal that lives long, this keeps
 * for ever (Node 20).
 * @param begin is told what else may abort the work by; returns what ends that
 */
export async function withSignals<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
  begin: (either: AbortController) => () => void = () => () => {},
): Promise<T> {
  const either = new AbortController();
  const abort = () => either.abort(sources.find(({ aborted }) => aborted)?.reason);
  const ends = sources.map((source) => onAbort(source, abort));
  ends.push(begin(either));
  if (sources.some(({ aborted }) => aborted)) abort();
  try {
    return await work(either.signal);
  } finally {
    for (const end of ends) end();
  }
}

/** The same, for so many milliseconds at most. @param late makes what the work is aborted with then: only where it comes to that */
export function withDeadline<T>(
  clock: Clock,
  ms: number,
  late: () => Error,
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withSignals(sources, work, (either) => clock.after(ms, () => either.abort(late())));
}
