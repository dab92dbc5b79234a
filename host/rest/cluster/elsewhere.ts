/** What the other nodes of a cluster answer to a request that every node answers for itself. */
import type { Engine } from '../../engine/engine.js';
import type { RoutedRequest } from '../request.js';
import type { NodeNames } from './node.js';

const decoder = new TextDecoder();

/** Paths that nodes ask each other for: what they are, scrolls that began there, and the snapshot that one of them makes. */
const TOLD = /^\/(_nodes|_cat)(\/|\?|$)/;
const SCROLLS = /^\/_search\/scroll(\/|\?|$)/;
const SNAPSHOTS = /^\/_snapshot\/[^?]+/;
const ONE_SNAPSHOT = /^\/_snapshot\/[^/?]+\/[^/?]+\/?(\?|$)/;

/** A node as answers name it. */
export interface NamedNode {
  id: string;
  name: string;
  /** Host and port where it answers HTTP; empty where that isn't known. */
  http: string;
  /** Whether it may have copies of shards. */
  data: boolean;
}

/** All nodes of the cluster; the one that is asked where it is alone. */
export function nodesOf(engine: Engine, { node, platform }: NodeNames): NamedNode[] {
  const all = engine.replication?.nodes.all ?? [];
  return all.length > 0
    ? all
    : [{ id: engine.nodeId, name: node, http: platform?.httpAddress() ?? '', data: true }];
}

/** The attributes of a node, as 1.7 shows them. */
export function attributesOf(data: boolean): Record<string, string> {
  return data ? {} : { data: 'false', client: 'true' };
}

/** How many nodes may have copies of shards. */
export function dataNodeCount({ replication }: Engine): number {
  return replication?.nodes.data.length ?? 1;
}

/** How many nodes there are. */
export function nodeCount({ replication }: Engine): number {
  return replication?.nodes.ids.length ?? 1;
}

/** The node that is shown as the master: the same, whoever is asked. Nothing depends on it. */
export function masterOf(engine: Engine): string {
  return engine.replication?.nodes.ids[0] ?? engine.nodeId;
}

/**
 * The answers in JSON of all other nodes to a request; none where there are no others, or where another node asks.
 * @param more parameters that the others get besides
 */
export async function elsewhere(engine: Engine, request: RoutedRequest, more = ''): Promise<unknown[]> {
  const { replication } = engine;
  if (replication === undefined || request.node.isAsked === true) return [];
  const uri = more === '' ? request.uri : `${request.uri}${request.uri.includes('?') ? '&' : '?'}${more}`;
  return (await replication.elsewhere(uri)).map((bytes) => JSON.parse(decoder.decode(bytes)) as unknown);
}

/** Whether other nodes may send such a request. */
export function isAnswered(method: string, uri: string): boolean {
  if (method === 'GET') return SCROLLS.test(uri) || TOLD.test(uri) || SNAPSHOTS.test(uri);
  return SCROLLS.test(uri) || (method === 'DELETE' && ONE_SNAPSHOT.test(uri));
}
