import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { isPassing } from './passing.js';
import type { Asked, ServerChoice } from './serverChoice.js';
import { ClusterError, LogMissing, LogUnavailable, ServicesClosed } from '../../cluster/errors.js';
import { onAbort } from '../../cluster/onAbort.js';

/** Milliseconds after which a caller is told that nothing answers. */
export const DEADLINE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 100;

/** A node can't use the servers that it was given; the message says what to do. */
export class NatsUnusable extends ClusterError {
  override readonly name = 'NatsUnusable';

  constructor(reason: string, options?: ErrorOptions) {
    super(reason);
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}

/** The code of an error of JetStream; nothing for another error. */
export function apiCode(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

export function isStreamMissing(error: unknown): boolean {
  return apiCode(error) === JetStreamApiCodes.StreamNotFound;
}

export function isWrongLast(error: unknown): boolean {
  const code = apiCode(error);
  return (
    code === JetStreamApiCodes.StreamWrongLastSequence ||
    code === JetStreamApiCodes.StreamWrongLastSequenceUnknown
  );
}

/** Whether what sends messages to a reader is gone, or can't be made at the moment. */
export function isConsumerTrouble(error: unknown): boolean {
  return isStreamMissing(error) || apiCode(error) === JetStreamApiCodes.ConsumerNotFound;
}

export function isConnectionClosed(error: unknown): boolean {
  return error instanceof Error && /^(ClosedConnectionError|DrainingConnectionError)$/.test(error.name);
}

/** Resolves after that long, or rejects with the signal's reason. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal, ref: false } : { ref: false });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Rejects with the signal's reason as soon as it aborts; what was begun goes on unheard. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason);
    if (signal.aborted) aborted();
    const unlisten = onAbort(signal, aborted);
    work.then(resolve, reject).finally(unlisten);
  });
}

/**
 * Asks something of a log until there is an answer, for ten seconds.
 * @throws LogMissing, LogUnavailable, ServicesClosed, the signal's reason
 */
export async function retried<T>(
  choice: Pick<ServerChoice, 'watched'>,
  asked: Asked,
  log: string,
  ask: (attempt: number) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const started = performance.now();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await orAborted(choice.watched(asked, ask(attempt)), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (isStreamMissing(error)) throw new LogMissing(log);
      if (isConnectionClosed(error)) throw new ServicesClosed();
      if (!isPassing(error)) throw error;
      if (performance.now() - started > DEADLINE_MS) throw new LogUnavailable(log, String(error));
    }
    await pause(RETRY_MS, signal);
  }
}
