import { jetstream } from '@nats-io/jetstream';
import { nuid } from '@nats-io/transport-node';
import { ServicesClosed } from '../../cluster/errors.js';
import { checkedName } from '../../cluster/names.js';
import type { ClusterServices } from '../../cluster/services.js';
import { type Clock, wallClock } from '../../time/clock.js';
import { BytesInFlight } from './bytesInFlight.js';
import { connectToNats } from './natsConnection.js';
import { NatsLogs } from './natsLogs.js';
import { NatsMembers } from './natsMembers.js';
import { NatsNames, type NatsOptions } from './natsOptions.js';
import { NatsPeers } from './natsPeers.js';

/** Bytes of messages that may wait for their acknowledgement. */
const IN_FLIGHT_BYTES = 64 * 1024 * 1024;
const CLOCK: Clock = { ...wallClock, monotonic: () => performance.now() };
const MEMBER_TTL_MS = 10_000;
const CONFIRM_MS = 10_000;
/** Servers that logs are kept on where several form a cluster. */
const COPIES = 3;

/** What NATS gives a node. */
export interface NatsServices extends ClusterServices {
  /** What whoever runs the node should know of these servers, a sentence each. */
  readonly notices: readonly string[];
  /** Name and version of the server that this node is connected to. */
  readonly server: { readonly name: string; readonly version: string };
}

/**
 * Connects a node to the servers of NATS.
 * @throws NatsUnusable, InvalidNatsAddress: the message says what to do
 */
export async function openNatsServices(options: NatsOptions): Promise<NatsServices> {
  const names = new NatsNames(options.cluster);
  const node = checkedName('node', options.node);
  const { connection, manager, choice, notices } = await connectToNats(options);
  const closing = new AbortController();
  const copies = options.logCopies ?? (connection.info?.cluster === undefined ? 1 : COPIES);
  const process = nuid.next();
  const warn = options.warn ?? (() => {});
  const logs = new NatsLogs(
    {
      connection,
      manager,
      names,
      choice,
      inFlight: new BytesInFlight(IN_FLIGHT_BYTES),
      confirmMs: options.confirmMs ?? CONFIRM_MS,
      closing: closing.signal,
      newId: () => nuid.next(),
      warn,
    },
    copies,
  );
  const ttlMs = options.memberTtlMs ?? MEMBER_TTL_MS;
  const bucket = { bucket: names.membersBucket, copies, ttlMs, warn };
  const members = new NatsMembers(connection, jetstream(connection), choice, bucket, CLOCK);
  const peers = new NatsPeers(connection, names, node, process);
  return {
    logs,
    members,
    peers,
    clock: CLOCK,
    notices,
    get server() {
      const { server_name: name = '', version = '' } = connection.info ?? {};
      return { name, version };
    },
    async close() {
      closing.abort(new ServicesClosed());
      await members.close();
      await peers.close();
      await connection.close();
    },
  };
}
