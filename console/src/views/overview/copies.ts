/** Where the copies of shards are, and how a node is drained of them. */
import type { Client, SendOptions } from '../../api/client';
import type { JsonObject } from '../../api/json';

/** A copy of a shard; the node is undefined where it is nowhere. */
export interface Copy {
  index: string;
  shard: number;
  isPrimary: boolean;
  /** Of 1.7: STARTED, INITIALIZING, RELOCATING or UNASSIGNED. */
  state: string;
  node: string | undefined;
}

type CatRow = Record<string, string | null>;

const LISTED = '/_cat/shards?format=json&h=index,shard,prirep,state,node';
const SETTINGS = '/_cluster/settings?flat_settings=true';
/** Names of nodes that shards leave. */
export const EXCLUDED = 'cluster.routing.allocation.exclude._name';

export interface Copies {
  copies: readonly Copy[];
  /** Names of nodes that are drained. */
  drained: readonly string[];
}

export async function askForCopies(client: Client, options: SendOptions): Promise<Copies> {
  const [rows, settings] = await Promise.all([
    client.get<CatRow[]>(LISTED, options),
    client.get<{ persistent?: JsonObject; transient?: JsonObject }>(SETTINGS, options),
  ]);
  const excluded = settings.transient?.[EXCLUDED] ?? settings.persistent?.[EXCLUDED];
  return { copies: readCopies(rows), drained: namesIn(typeof excluded === 'string' ? excluded : '') };
}

export function readCopies(rows: readonly CatRow[]): Copy[] {
  return rows.map(({ index, shard, prirep, state, node }) => ({
    index: index ?? '',
    shard: Number(shard),
    isPrimary: prirep === 'p',
    state: state ?? '',
    // A copy that moves is told as `one -> 127.0.0.1 two`.
    node: node?.split(' ', 1)[0] || undefined,
  }));
}

/** The copies of each index by the name of their node, `''` for those that are nowhere. */
export function gridOf(copies: readonly Copy[]): Map<string, Map<string, Copy[]>> {
  const grid = new Map<string, Map<string, Copy[]>>();
  for (const copy of copies) {
    const row = grid.get(copy.index) ?? new Map<string, Copy[]>();
    grid.set(copy.index, row);
    const { node = '' } = copy;
    row.set(node, [...(row.get(node) ?? []), copy]);
  }
  return new Map([...grid].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The body of `PUT /_cluster/settings` that has shards leave a node, or lets them come back. */
export function drainBody(drained: readonly string[], node: string, drain: boolean): JsonObject {
  const others = drained.filter((name) => name !== node);
  return { transient: { [EXCLUDED]: (drain ? [...others, node] : others).join(',') } };
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
