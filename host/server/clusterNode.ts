/** A server as a node of a cluster: its id, and the services that it shares with other nodes. Loaded by such servers alone. */
import type { ClusterServices } from '../cluster/services.js';
import { Replication } from '../replication/replication.js';
import { randomId } from '../shard/ids.js';
import { encodeText, decodeText, NODE_ID_KEY } from '../storage/records.js';
import type { DiskSpace } from '../replication/diskWatermarks.js';
import type { Storage } from '../storage/storage.js';
import { openClusterServices } from './cluster/clusterServices.js';
import { growHeapFurther } from './cluster/heapGrowth.js';
import type { ClusterOptions } from './options.js';

/** What a server has of its cluster. */
export interface ClusterNode {
  nodeId: string;
  replication: Replication;
  services: ClusterServices;
}

/**
 * Finds the cluster. Throws a `ClusterError` that says what to do where that can't be.
 * @param name the cluster's
 * @param disk the one that the data are on; undefined where that isn't known
 */
export async function openClusterNode(
  options: ClusterOptions,
  name: string,
  storage: Storage,
  disk: () => DiskSpace | undefined,
  warn: (message: string) => void,
): Promise<ClusterNode> {
  growHeapFurther();
  const nodeId = await idOf(storage);
  const services = await openClusterServices({ ...options, cluster: name, node: nodeId, warn });
  for (const notice of services.notices) warn(notice);
  try {
    const replication = await Replication.open({
      cluster: name,
      node: nodeId,
      incarnation: randomId(),
      data: options.data !== false,
      disk,
      ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
      ...(options.attributes === undefined ? {} : { attributes: options.attributes }),
      services,
    });
    return { nodeId, replication, services };
  } catch (e) {
    await services.close();
    throw e;
  }
}

/** The id that a node keeps in its data. */
async function idOf(storage: Storage): Promise<string> {
  const kept = storage.get(NODE_ID_KEY);
  if (kept !== undefined) return decodeText(kept);
  const id = randomId();
  await storage.commit([[NODE_ID_KEY, encodeText(id)]], []);
  return id;
}
