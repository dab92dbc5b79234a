import { JetStreamApiError } from '@nats-io/jetstream';

/** Whether asking again later may help: servers that are away, leaders that aren't elected yet. */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status >= 500;
  const name = error instanceof Error ? error.name : '';
  return /^(TimeoutError|NoResponders|NoRespondersError|RequestError|JetStreamNotEnabled|JetStreamError|JetStreamStatusError|DisconnectedError)$/.test(
    name,
  );
}

/** Whether nobody took a message: no server leads what it is for, or there is no such thing. */
export function isNotTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(NoResponders|NoRespondersError|RequestError|JetStreamNotEnabled)$/.test(error.name)
  );
}
