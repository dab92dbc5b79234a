/** What the other nodes of a cluster answer to a request that every node answers for itself. */
import type { Engine } from '../../engine/engine.js';
import type { RoutedRequest } from '../request.js';
import type { NodeNames } from './node.js';

const decoder = new TextDecoder();

/** A node as answers name it. */
export interface NamedNode {
  id: string;
  name: string;
  /** Host and port where it answers HTTP; empty where that isn't known. */
  http: string;
  /** Whether it may have copies of shards. */
  data: boolean;
  /** What settings of allocation name besides. */
  attributes?: Readonly<Record<string, string>>;
}

/** All nodes of the cluster; the one that is asked where it is alone. */
export function nodesOf(engine: Engine, { node, platform }: NodeNames): NamedNode[] {
  const all = engine.replication?.nodes.all ?? [];
  return all.length > 0
    ? all
    : [{ id: engine.nodeId, name: node, http: platform?.httpAddress() ?? '', data: true }];
}

/** The attributes of a node, as 1.7 shows them. */
export function attributesOf({
  data,
  attributes = {},
}: Pick<NamedNode, 'data' | 'attributes'>): Record<string, string> {
  return data ? { ...attributes } : { ...attributes, data: 'false', client: 'true' };
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
 * @param path the path that the others are asked for, where it isn't that of the request
 */
export async function elsewhere(
  engine: Engine,
  request: RoutedRequest,
  path = request.uri.split('?', 1)[0]!,
): Promise<unknown[]> {
  const [, query = ''] = request.uri.split('?', 2);
  // Whatever form the request wants its answer in.
  const texts = await textsElsewhere(
    engine,
    request,
    `${path}?${query}${query === '' ? '' : '&'}format=json`,
  );
  return texts.map((text) => JSON.parse(text) as unknown);
}

/** The answers of all other nodes to a request; none where there are no others, or where another node asks. */
export async function textsElsewhere(
  engine: Engine,
  { node, uri }: RoutedRequest,
  asked = uri,
): Promise<string[]> {
  const { replication } = engine;
  if (replication === undefined || node.isAsked === true) return [];
  return (await replication.elsewhere(asked)).map((bytes) => decoder.decode(bytes));
}
