/** The stats of shards: documents, bytes, segments, and what they have done. */

import { CompletionField } from '../mapping/completion.js';
import type { MappingModel } from '../mapping/model.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { PERCOLATOR } from '../percolate/queries.js';
import type { ScrollInterface } from '../search/scroll.js';
import { Counters } from '../shard/counters.js';
import type { Shard } from '../shard/shard.js';

/** A segment as it is told of. */
export interface SegmentStats {
  id: number;
  documents: number;
  deleted: number;
  bytes: number;
}

/** What a shard, or several of them, come to. */
export interface Stats {
  shards: number;
  documents: number;
  deleted: number;
  /** Of the segments. */
  bytes: number;
  /** Of the segments or their files, of which there may be more for a while, and of the store for documents. */
  storeBytes: number;
  segments: SegmentStats[];
  counters: Counters;
  /** Queries that documents are percolated with. */
  registered: number;
  /** Scrolls that are open over the shard. */
  contexts: number;
  /** Operations that no checkpoint holds yet, and bytes of their sources. */
  uncheckpointed: number;
  uncheckpointedBytes: number;
  /** Merges that are going on, the documents and bytes that they read. */
  merging: { count: number; documents: number; bytes: number };
  /** Cached filters. */
  filters: { bytes: number; evictions: number };
  /** Bytes by field that searches have needed for sorting, aggregations, scripts and joins. */
  fielddata: Map<string, number>;
  /** Bytes by field of completions. */
  completions: Map<string, number>;
  /** Bytes of documents that are in no segment yet. */
  bufferBytes: number;
  versionMapBytes: number;
  /** Bytes of the sets that tell documents from their nested ones. */
  hidingBytes: number;
}

/** A shard with its stats; undefined where it can't tell. */
export interface ShardStats {
  shard: Shard;
  stats: Stats | undefined;
}

/** Where stats come from. */
export interface StatsSources {
  scrolls: ScrollInterface;
  /** Bytes of the store by shard; undefined where that isn't known, or isn't asked for. */
  rowSizes?(): Promise<ReadonlyMap<Shard, number>> | undefined;
}

/** The stats of every shard of an index that this node has a copy of. */
export async function statsOf(index: OpenIndex, sources: StatsSources): Promise<ShardStats[]> {
  // Its shards rest where they are there at all.
  if (index.closed) return [];
  const { scrolls } = sources;
  const rows = await sources.rowSizes?.();
  const held = index.shards.filter(({ isHeld }) => isHeld);
  return Promise.all(
    held.map(async (shard) => {
      const stats = await ofShard(index, shard, scrolls);
      if (stats !== undefined)
        stats.storeBytes = Math.max(stats.bytes, shard.fileBytes) + (rows?.get(shard) ?? 0);
      return { shard, stats };
    }),
  );
}

/** Stats of what has no documents and has done nothing. */
export function nothing(): Stats {
  return {
    shards: 0,
    documents: 0,
    deleted: 0,
    bytes: 0,
    storeBytes: 0,
    segments: [],
    counters: new Counters(),
    registered: 0,
    contexts: 0,
    uncheckpointed: 0,
    uncheckpointedBytes: 0,
    merging: { count: 0, documents: 0, bytes: 0 },
    filters: { bytes: 0, evictions: 0 },
    fielddata: new Map(),
    completions: new Map(),
    bufferBytes: 0,
    versionMapBytes: 0,
    hidingBytes: 0,
  };
}

async function ofShard(index: OpenIndex, shard: Shard, scrolls: ScrollInterface): Promise<Stats | undefined> {
  if (shard.opening) return undefined;
  const { model } = index;
  const completions = completionFields(model);
  try {
    const { segments, stats, fielddata, fields } = await shard.stats(completions.map(({ number }) => number));
    const each = segments.map(({ id, documents, live, bytes }) => ({
      id,
      documents: live,
      deleted: documents - live,
      bytes,
    }));
    const { merges, filters, bufferBytes, hidingBytes } = stats;
    const own: Stats = {
      ...nothing(),
      shards: 1,
      documents: each.reduce((sum, segment) => sum + segment.documents, 0),
      deleted: each.reduce((sum, segment) => sum + segment.deleted, 0),
      bytes: each.reduce((sum, segment) => sum + segment.bytes, 0),
      segments: each,
      counters: shard.counters,
      registered: model.hasType(PERCOLATOR) ? index.percolator.count(shard) : 0,
      contexts: scrolls.over(shard),
      uncheckpointed: shard.uncheckpointed,
      uncheckpointedBytes: shard.uncheckpointedBytes,
      merging: { count: merges.current, documents: merges.currentDocs, bytes: merges.currentBytes },
      filters,
      bufferBytes,
      versionMapBytes: shard.versionMapBytes,
      hidingBytes,
    };
    for (const { kind, field, bytes } of fielddata)
      addTo(own.fielddata, kind === 'family' ? '_parent' : model.fieldName(field), bytes);
    completions.forEach(({ name }, i) => {
      addTo(own.completions, name, fields[i]!);
    });
    return own;
  } catch {
    return undefined;
  }
}

/** The completion fields of all types, each once. */
function completionFields(model: MappingModel): { name: string; number: number }[] {
  const found = new Map<number, string>();
  for (const name of model.typeNames())
    for (const field of model.type(name)?.fields() ?? [])
      if (field instanceof CompletionField && field.entries.number >= 0)
        found.set(field.entries.number, field.fullName);
  return [...found].map(([number, name]) => ({ name, number }));
}

function addTo(sums: Map<string, number>, name: string, bytes: number): void {
  sums.set(name, (sums.get(name) ?? 0) + bytes);
}

/** The sum of stats. */
export function total(all: Iterable<Stats | undefined>): Stats {
  const sum = nothing();
  for (const each of all) {
    if (each === undefined) continue;
    sum.shards += each.shards;
    sum.documents += each.documents;
    sum.deleted += each.deleted;
    sum.bytes += each.bytes;
    sum.storeBytes += each.storeBytes;
    sum.segments.push(...each.segments);
    sum.counters.add(each.counters);
    sum.registered += each.registered;
    sum.contexts += each.contexts;
    sum.uncheckpointed += each.uncheckpointed;
    sum.uncheckpointedBytes += each.uncheckpointedBytes;
    sum.merging.count += each.merging.count;
    sum.merging.documents += each.merging.documents;
    sum.merging.bytes += each.merging.bytes;
    sum.filters.bytes += each.filters.bytes;
    sum.filters.evictions += each.filters.evictions;
    for (const [name, bytes] of each.fielddata) addTo(sum.fielddata, name, bytes);
    for (const [name, bytes] of each.completions) addTo(sum.completions, name, bytes);
    sum.bufferBytes += each.bufferBytes;
    sum.versionMapBytes += each.versionMapBytes;
    sum.hidingBytes += each.hidingBytes;
  }
  return sum;
}
