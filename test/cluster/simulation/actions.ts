/** Kinds of requests that clients of a simulated cluster make, and how often. */

import type { World } from './world.js';

const WEIGHTS = {
  write: 30,
  create: 8,
  versioned: 8,
  delete: 14,
  update: 10,
  /** Updates of one document at all nodes at once. */
  add: 6,
  bulk: 10,
  read: 18,
  /** A write, whose document is read and found at other nodes as soon as it is acknowledged. */
  elsewhere: 14,
  /** A search after a refresh. */
  refreshed: 8,
  metadata: 10,
  /** How many copies there are, and on which nodes. */
  placement: 5,
  optimize: 2,
  /** An index is closed for a while. */
  close: 3,
  /** Logs lose all that living nodes have. */
  trim: 4,
} as const;

export type ActionName = keyof typeof WEIGHTS;

export const ACTIONS = Object.keys(WEIGHTS) as readonly ActionName[];

/** One of some kinds, by their weights. @param chance in [0, 1) */
export function actionOf(actions: readonly ActionName[], chance: number): ActionName {
  const all = actions.reduce((sum, name) => sum + WEIGHTS[name], 0);
  let left = chance * all;
  for (const name of actions) {
    left -= WEIGHTS[name];
    if (left < 0) return name;
  }
  return actions.at(-1)!;
}

/** A change of metadata, among others' writes: method, path and body. @param below a number in [0, n) @param indices all of them */
export function metadataChange(
  below: (n: number) => number,
  indices: readonly string[],
): readonly [string, string, unknown] {
  const number = below(4);
  const index = indices[below(indices.length)]!;
  const changes: (readonly [string, string, unknown])[] = [
    ['PUT', `/_template/t${number}`, { template: `x${number}*`, order: below(9) }],
    ['PUT', '/_cluster/settings', { transient: { 'indices.ttl.interval': `${30 + number}s` } }],
    [
      'POST',
      '/_aliases',
      {
        actions: [{ remove: { index: '*', alias: 'current' } }, { add: { index, alias: 'current' } }],
      },
    ],
    ['PUT', '/books/_mapping/doc', { doc: { properties: { [`mapped${number}`]: { type: 'string' } } } }],
    ['PUT', `/scrap${number}`, { settings: { number_of_shards: 1 } }],
    ['PUT', `/scrap${number}/doc/1`, { n: number }],
    ['DELETE', `/scrap${number}`, undefined],
    ['POST', `/scrap${number}/_close`, undefined],
    ['POST', `/scrap${number}/_open`, undefined],
    ['PUT', `/${index}/_settings`, { index: { refresh_interval: `${1 + number}s` } }],
  ];
  return changes[below(changes.length)]!;
}

/** Has nodes keep no copies; none of them where it is the empty text. */
export function excluding(names: string): readonly [string, string, unknown] {
  const transient = { 'cluster.routing.allocation.exclude._name': names };
  return ['PUT', '/_cluster/settings', { transient }];
}

/** A change of how many copies there are, or of where they may be. */
export function placementChange(
  below: (n: number) => number,
  { nodes, indices }: Pick<World, 'nodes' | 'indices'>,
): readonly [string, string, unknown] {
  const kind = below(5);
  const index = indices[below(indices.length)]!;
  const node = () => nodes[below(nodes.length)]!;
  if (kind === 0) return excluding('');
  if (kind === 1) return excluding(node());
  if (kind === 2) return replicasOf(index, below(3));
  const shard = below(3);
  const commands = [
    { move: { index, shard, from_node: node(), to_node: node() } },
    { cancel: { index, shard, node: node(), allow_primary: true } },
    { allocate: { index, shard, node: node(), allow_primary: true } },
  ];
  // What can't be done now is said, and no error.
  const some = kind === 3 ? [commands[0]] : [commands[below(commands.length)]];
  return ['POST', '/_cluster/reroute?explain&metric=none', { commands: some }];
}

/** Changes how many copies an index has besides the first. */
export function replicasOf(index: string, replicas: number): readonly [string, string, unknown] {
  return ['PUT', `/${index}/_settings`, { index: { number_of_replicas: replicas } }];
}
