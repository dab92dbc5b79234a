import { onAbort } from '../cluster/onAbort.js';

/**
 * Work under several signals, of which some outlive it by far. Not `AbortSignal.any`: what that makes of a signal that lives long, this keeps
 * for ever (Node 20).
 */
export async function withSignals<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const abort = () => either.abort(sources.find(({ aborted }) => aborted)?.reason);
  const ends = sources.map((source) => onAbort(source, abort));
  if (sources.some(({ aborted }) => aborted)) abort();
  try {
    return await work(either.signal);
  } finally {
    for (const end of ends) end();
  }
}
