/** What a node finds gone when it is started again: the logs that it would have read, or all of its data. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import type { Fault } from './fault.js';
import { inTime } from './inTime.js';

/** How long the other nodes may take until they have all that a log is trimmed of. */
const PATIENCE_MS = 20_000;
/** The subjects of what has to stay the last of its kind. */
const META = 'message.meta.*';

/** A node is killed, and its disk replaced by an empty one. */
export async function diskLost(node: TestNode): Promise<Fault> {
  await node.end('SIGKILL');
  node.loseData();
  return { name: `lost its disk: node ${node.number}`, heal: () => node.startAgain() };
}

/** A node is killed, and started again when all logs begin behind what it has. */
export async function logsTrimmed(cluster: TestCluster, node: TestNode): Promise<Fault> {
  await node.end('SIGKILL');
  const fault = {
    name: `logs trimmed: node ${node.number} is killed`,
    heal: async () => {
      fault.name += await trimmed(cluster).then(
        (messages) => `, ${messages} messages go`,
        (error) => `, none (${error})`,
      );
      await node.startAgain();
    },
  };
  return fault;
}

/** Trims all logs up to what all nodes that run have, as nodes do it with what is old; returns how many messages have gone. */
async function trimmed({ nodes, nats }: TestCluster): Promise<number> {
  const connection = await connect({ servers: nats.urls[0]!.replace('nats://', ''), reconnect: false });
  try {
    const manager = await jetstreamManager(connection);
    const cuts = new Map<string, number>();
    for await (const { config, state } of manager.streams.list()) {
      const prefix = config.subjects?.find((subject) => subject.endsWith('.message.>'));
      if (prefix === undefined) continue;
      const query = { last_by_subj: prefix.replace('message.>', META) };
      const last = await manager.streams.getMessage(config.name, query);
      cuts.set(config.name, Math.min(state.last_seq + 1, last?.seq ?? Number.POSITIVE_INFINITY));
    }
    // Each of them carries out what was there before it answers.
    for (const each of nodes.filter(({ running }) => running)) {
      const { status } = await inTime(each.send('POST', '/_refresh'), PATIENCE_MS);
      if (status !== 200) throw new Error(`node ${each.number} is not as far`);
    }
    let messages = 0;
    for (const [name, seq] of cuts) messages += (await manager.streams.purge(name, { seq })).purged;
    return messages;
  } finally {
    await connection.close();
  }
}
