/** Stats of all copies of shards, wherever they are: each node tells of its own. */
import { STATISTICS_QUESTION } from './nodeQuestions.js';
import type { Engine } from '../../engine/engine.js';
import { type ShardStats, type Stats, statsOf, total } from '../../engine/stats.js';
import { readStatsMessage, statsMessage } from '../../engine/statsMessage.js';
import { isObject } from '../../json/values.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Shard } from '../../shard/shard.js';
import { decodeJson, encodeJson } from '../../storage/records.js';

/** The kind of question that asks for stats of copies. */

/** A copy of a shard. */
export interface CopyStats {
  /** The shard's number. */
  number: number;
  /** The id of the node that it is on. */
  node: string;
  isPrimary: boolean;
  isActive: boolean;
  syncId: string | undefined;
  /** When it was opened, in milliseconds. */
  opened: number;
  /** Undefined where it can't tell. */
  stats: Stats | undefined;
}

/** An index with all of its copies: primaries first, shard by shard. */
export interface IndexCopies {
  index: OpenIndex;
  copies: readonly CopyStats[];
  /** Of one copy of each shard. */
  primaries: Stats;
  /** Of all copies. */
  sum: Stats;
}

/** The copies of an index that this node has. */
export async function ownCopies(engine: Engine, index: OpenIndex): Promise<CopyStats[]> {
  return (await statsOf(index, engine)).map((each) => ownCopy(engine, index, each));
}

/** A copy on this node. */
export function ownCopy(engine: Engine, index: OpenIndex, { shard, stats }: ShardStats): CopyStats {
  const { number, active, syncId, recovery } = shard;
  return {
    number,
    node: engine.nodeId,
    isPrimary: isPrimary(engine, index, number, engine.nodeId),
    isActive: active,
    syncId,
    opened: recovery.started,
    stats,
  };
}

/** The copies of indices on all nodes that answer. */
export async function allCopies(engine: Engine, indices: readonly OpenIndex[]): Promise<IndexCopies[]> {
  const [own, others] = await Promise.all([
    Promise.all(indices.map((index) => ownCopies(engine, index))),
    copiesElsewhere(engine, indices),
  ]);
  return indices.map((index, i) => {
    const copies = [...own[i]!, ...(others.get(index.metadata.uuid) ?? [])].sort(
      (a, b) =>
        a.number - b.number || Number(b.isPrimary) - Number(a.isPrimary) || (a.node < b.node ? -1 : 1),
    );
    return {
      index,
      copies,
      primaries: total(copies.filter((copy) => copy.isPrimary).map(({ stats }) => stats)),
      sum: total(copies.map(({ stats }) => stats)),
    };
  });
}

/** By the indices' uuids. */
async function copiesElsewhere(
  engine: Engine,
  indices: readonly OpenIndex[],
): Promise<Map<string, CopyStats[]>> {
  const found = new Map<string, CopyStats[]>(indices.map(({ metadata }) => [metadata.uuid, []]));
  const { replication } = engine;
  if (replication === undefined || indices.length === 0) return found;
  const known = new Map(indices.map((index) => [index.metadata.uuid, index]));
  const answers = await replication.askOthers(STATISTICS_QUESTION, { indices: [...known.keys()] });
  for (const [node, bytes] of answers)
    for (const [uuid, index] of known)
      for (const copy of readCopies(decodeJson(bytes), uuid, index.shards, node))
        found.get(uuid)!.push({ ...copy, isPrimary: isPrimary(engine, index, copy.number, node) });
  return found;
}

/** What a node has sent of an index. */
function readCopies(
  answer: unknown,
  uuid: string,
  shards: readonly Shard[],
  node: string,
): Omit<CopyStats, 'isPrimary'>[] {
  const copies: unknown = isObject(answer) && Object.hasOwn(answer, uuid) ? answer[uuid] : [];
  if (!Array.isArray(copies) || copies.length > shards.length)
    throw new Error(`the node [${node}] has sent stats that are none`);
  return copies.map((copy: unknown) => {
    if (!isObject(copy) || shards[Number(copy.number)] === undefined)
      throw new Error(`the node [${node}] has sent stats of a shard that is none`);
    return {
      number: Number(copy.number),
      node,
      isActive: copy.isActive === true,
      syncId: typeof copy.syncId === 'string' ? copy.syncId : undefined,
      opened: typeof copy.opened === 'number' ? copy.opened : 0,
      stats: copy.stats === undefined ? undefined : readStatsMessage(copy.stats),
    };
  });
}

/** Answers another node with the copies that this one has of the indices that are asked for. */
export async function answerStatistics(engine: Engine, question: Uint8Array): Promise<Uint8Array> {
  const asked: unknown = decodeJson(question);
  const uuids = isObject(asked) && Array.isArray(asked.indices) ? new Set<unknown>(asked.indices) : undefined;
  if (uuids === undefined) throw new Error('a question for stats names no indices');
  const indices = engine.cluster.all().filter(({ closed, metadata }) => !closed && uuids.has(metadata.uuid));
  const each = indices.map(async (index) => {
    const copies = await ownCopies(engine, index);
    const sent = copies.map(({ stats, ...copy }) => ({
      ...copy,
      stats: stats === undefined ? undefined : statsMessage(stats),
    }));
    return [index.metadata.uuid, sent] as const;
  });
  return encodeJson(Object.fromEntries(await Promise.all(each)));
}

/** Whether the copy of a shard on a node is the one that is shown as the primary. */
export function isPrimary({ replication }: Engine, index: OpenIndex, shard: number, node: string): boolean {
  const first = replication?.searchableCopiesOf(index, shard)[0];
  return first === undefined || first.id === node;
}
