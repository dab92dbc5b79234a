/** Stats of all copies of shards, wherever they are: each node tells of its own. */
import { STATISTICS_QUESTION } from './nodeQuestions.js';
import type { Engine } from '../../engine/engine.js';
import { nothing, type ShardStats, type Stats, statsOf, total } from '../../engine/stats.js';
import { readStatsMessage, statsMessage } from '../../engine/statsMessage.js';
import { isObject } from '../../json/values.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { Shard } from '../../shard/shard.js';
import { decodeJson, encodeJson } from '../../storage/records.js';

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

/** What a node has counted of a shard that other nodes have, such as documents that it fetched of hits: a copy's work in 1.7. */
interface DistantWork {
  number: number;
  stats: Stats;
}

/** What this node has counted of an index's shards that it has no copies of. */
export function ownDistantWork({ scrolls }: Engine, { shards, closed }: OpenIndex): DistantWork[] {
  if (closed) return [];
  return shards.flatMap((shard) => {
    if (shard.isHeld) return [];
    const { number, counters } = shard;
    return [{ number, stats: { ...nothing(), counters, contexts: scrolls.over(shard) } }];
  });
}

/** Copies with the work that nodes without one have done for them: it counts as the first copy's. */
function withDistantWork(copies: readonly CopyStats[], work: readonly DistantWork[]): CopyStats[] {
  const left = new Map<number, Stats[]>();
  for (const { number, stats } of work) left.set(number, [...(left.get(number) ?? []), stats]);
  return copies.map((copy) => {
    const { number, stats } = copy;
    const more = left.get(number);
    if (more === undefined || stats === undefined) return copy;
    left.delete(number);
    return { ...copy, stats: total([stats, ...more]) };
  });
}

/** The copies of indices on all nodes that answer. */
export async function allCopies(engine: Engine, indices: readonly OpenIndex[]): Promise<IndexCopies[]> {
  const [own, others] = await Promise.all([
    Promise.all(indices.map((index) => ownCopies(engine, index))),
    copiesElsewhere(engine, indices),
  ]);
  return indices.map((index, i) => {
    const elsewhere = others.get(index.metadata.uuid);
    const sorted = [...own[i]!, ...(elsewhere?.copies ?? [])].sort(
      (a, b) =>
        a.number - b.number || Number(b.isPrimary) - Number(a.isPrimary) || (a.node < b.node ? -1 : 1),
    );
    const work = [...ownDistantWork(engine, index), ...(elsewhere?.work ?? [])];
    const copies = withDistantWork(sorted, work);
    return {
      index,
      copies,
      primaries: total(copies.filter((copy) => copy.isPrimary).map(({ stats }) => stats)),
      sum: total(copies.map(({ stats }) => stats)),
    };
  });
}

/** What other nodes tell of an index. */
interface Elsewhere {
  copies: CopyStats[];
  work: DistantWork[];
}

/** By the indices' uuids. */
async function copiesElsewhere(
  engine: Engine,
  indices: readonly OpenIndex[],
): Promise<Map<string, Elsewhere>> {
  const found = new Map(
    indices.map(({ metadata }): [string, Elsewhere] => [metadata.uuid, { copies: [], work: [] }]),
  );
  const { replication } = engine;
  if (replication === undefined || indices.length === 0) return found;
  const known = new Map(indices.map((index) => [index.metadata.uuid, index]));
  const answers = await replication.askOthers(STATISTICS_QUESTION, { indices: [...known.keys()] });
  for (const [node, bytes] of answers) {
    const answer: unknown = decodeJson(bytes);
    for (const [uuid, index] of known) {
      const { copies, work } = found.get(uuid)!;
      for (const copy of readCopies(answer, uuid, index.shards, node))
        copies.push({ ...copy, isPrimary: isPrimary(engine, index, copy.number, node) });
      for (const { number, stats } of readCopies(answer, workOf(uuid), index.shards, node))
        if (stats !== undefined) work.push({ number, stats });
    }
  }
  return found;
}

/** What a node's work for copies of others stands under. */
const workOf = (uuid: string) => `${uuid}/work`;

/** What a node has sent of an index. */
function readCopies(
  answer: unknown,
  name: string,
  shards: readonly Shard[],
  node: string,
): Omit<CopyStats, 'isPrimary'>[] {
  const copies: unknown = isObject(answer) && Object.hasOwn(answer, name) ? answer[name] : [];
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
    const work = ownDistantWork(engine, index).map(({ number, stats }) => ({
      number,
      stats: statsMessage(stats),
    }));
    const { uuid } = index.metadata;
    return [
      [uuid, sent],
      [workOf(uuid), work],
    ] as const;
  });
  return encodeJson(Object.fromEntries((await Promise.all(each)).flat()));
}

/** Whether the copy of a shard on a node is the one that is shown as the primary. */
export function isPrimary({ replication }: Engine, index: OpenIndex, shard: number, node: string): boolean {
  const first = replication?.searchableCopiesOf(index, shard)[0];
  return first === undefined || first.id === node;
}
