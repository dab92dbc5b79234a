import { JetStreamError, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

/** Servers of a stream hear of each other every two seconds, and elect another leader after four at the earliest. */
const HEARD_MS = 3000;

/**
 * Demands that a server which tells of a stream leads it, and has heard of a majority. Others answer too: one that is cut off with what it has got
 * itself, for as long as it takes itself for the leader (20 seconds) and when nobody is.
 * @throws JetStreamError
 */
export function demandMajority({ config, cluster }: StreamInfo): void {
  if (config.num_replicas === 1) return;
  const heard = cluster?.replicas?.filter(({ active }) => active < nanos(HEARD_MS)) ?? [];
  if (!cluster?.leader || 2 * (heard.length + 1) <= config.num_replicas)
    throw new JetStreamError('the server that answers is cut off from the others');
}
