/** Whether what was acknowledged is where it has to be by then: on the disks of a majority of the copies that can be reached. */
import { majority } from '../../../host/replication/nodes.js';
import type { Event } from './history.js';
import type { SimulatedNode } from './simulatedNode.js';

/**
 * What is wrong with the copies of a document when one of its changes has just been acknowledged; undefined where nothing is.
 * @param at the node that has acknowledged it
 * @param running the processes that can be looked into; the disks of others may have it
 * @param mayBeDeleted whether the document may have been deleted since
 */
export function tooFewHave(
  { id, kind, version }: Event,
  at: SimulatedNode,
  running: readonly SimulatedNode[],
  mayBeDeleted: boolean,
): string | undefined {
  const [, name, type, document] = id.split('/') as [string, string, string, string];
  const index = at.engine.cluster.find(name);
  // The process may have ended meanwhile, and so may its part in the cluster.
  if (index === undefined || !running.includes(at)) return undefined;
  const { number } = index.shardOf(type, document, undefined);
  const { replication } = at.engine;
  const all = replication!.searchableCopiesOf(index, number).map((node) => node.id);
  const copies = all.filter((node) => !replication!.nodes.isSilent(node));
  // A bulk is answered when all of its shards are: the copies that one of them had may all be gone by then.
  if (copies.length === 0) return undefined;
  const lacks = (node: SimulatedNode) => {
    const shard = node.engine.cluster.find(name)?.shards[number];
    if (shard?.isHeld !== true || !shard.active || shard.opening) return false;
    const found = shard.documents.committed(type, document);
    if (found === undefined) return kind === 'write' && !mayBeDeleted;
    return kind === 'write' ? found.version < version! : found.version <= version!;
  };
  const without = copies.filter((copy) => running.some((node) => node.id === copy && lacks(node)));
  if (copies.length - without.length >= majority(copies.length)) return undefined;
  return `${kind} ${id} v${version} was acknowledged by ${at.id} while ${without} of its copies ${copies} had not got it`;
}
