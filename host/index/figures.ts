/** The figures of shards: documents, bytes, segments, and what they have done. */
import { Counters } from './counters.js';
import { PERCOLATOR } from '../percolate/queries.js';
import type { OpenIndex } from './openIndex.js';
import type { Shard } from './shard.js';

/** A segment as it is told of. */
export interface SegmentFigures {
  id: number;
  documents: number;
  deleted: number;
  bytes: number;
}

/** What a shard, or several of them, come to. */
export interface Figures {
  shards: number;
  documents: number;
  deleted: number;
  bytes: number;
  segments: SegmentFigures[];
  counters: Counters;
  /** Queries that documents are percolated with. */
  registered: number;
  /** Operations that no checkpoint holds yet. */
  uncheckpointed: number;
}

/** A shard with its figures; undefined where it can't tell. */
export interface ShardFigures {
  shard: Shard;
  figures: Figures | undefined;
}

/** The figures of every shard of an index. */
export function figuresOf(index: OpenIndex): Promise<ShardFigures[]> {
  return Promise.all(index.shards.map(async (shard) => ({ shard, figures: await ofShard(index, shard) })));
}

async function ofShard(index: OpenIndex, shard: Shard): Promise<Figures | undefined> {
  if (shard.opening) return undefined;
  try {
    const { segments } = await shard.stats();
    const each = segments.map(({ id, documents, live, bytes }) => ({
      id,
      documents: live,
      deleted: documents - live,
      bytes,
    }));
    return {
      shards: 1,
      documents: each.reduce((sum, segment) => sum + segment.documents, 0),
      deleted: each.reduce((sum, segment) => sum + segment.deleted, 0),
      bytes: each.reduce((sum, segment) => sum + segment.bytes, 0),
      segments: each,
      counters: shard.counters,
      registered: index.model.hasType(PERCOLATOR) ? index.percolator.count(shard) : 0,
      uncheckpointed: shard.uncheckpointed,
    };
  } catch {
    return undefined;
  }
}

/** The sum of figures. */
export function total(all: Iterable<Figures | undefined>): Figures {
  const sum: Figures = {
    shards: 0,
    documents: 0,
    deleted: 0,
    bytes: 0,
    segments: [],
    counters: new Counters(),
    registered: 0,
    uncheckpointed: 0,
  };
  for (const each of all) {
    if (each === undefined) continue;
    sum.shards += each.shards;
    sum.documents += each.documents;
    sum.deleted += each.deleted;
    sum.bytes += each.bytes;
    sum.segments.push(...each.segments);
    sum.counters.add(each.counters);
    sum.registered += each.registered;
    sum.uncheckpointed += each.uncheckpointed;
  }
  return sum;
}
