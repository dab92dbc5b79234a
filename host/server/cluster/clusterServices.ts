/** Loads what needs the packages of NATS, which a node without a cluster hasn't got. */
import { ClusterError } from '../../cluster/errors.js';
import type { NatsOptions } from './natsOptions.js';
import type { NatsServices } from './natsServices.js';

/** The packages; whoever has no cluster needn't have them. */
export const NATS_PACKAGES = ['@nats-io/jetstream', '@nats-io/kv', '@nats-io/transport-node'] as const;

/**
 * Connects a node to the servers of NATS.
 * @throws ClusterError that says what to do: packages that are missing, servers that don't answer, refuse this node or are too old
 */
export async function openClusterServices(options: NatsOptions): Promise<NatsServices> {
  const { openNatsServices } = await loaded();
  return openNatsServices(options);
}

async function loaded(): Promise<typeof import('./natsServices.js')> {
  try {
    return await import('./natsServices.js');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !NATS_PACKAGES.some((name) => message.includes(name))) throw cause;
    const names = NATS_PACKAGES.join(' ');
    const error = new ClusterError(`a node of a cluster needs the packages ${names}: npm install ${names}`);
    error.cause = cause;
    throw error;
  }
}
