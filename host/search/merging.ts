/** What shards have found, brought together: the best hits of all with their documents, aggregations, suggestions, failures. */
import { type CompiledAggregations, readAggregations, reduceAggregations } from '../aggregation/compile.js';
import { splitFacets } from '../aggregation/facets.js';
import type { ShardDocuments } from '../aggregation/reader.js';
import { Reduction, ReductionOver } from '../aggregation/reduction.js';
import { endedEarly, type SearchResult } from '../core/result.js';
import {
  reductionFailed,
  type ShardFailure,
  ShardRefusal,
  searchPhaseFailed,
  toElasticsearchError,
} from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { coreKeys, type Sort } from '../plan/sortKeys.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import type { SourceFilter } from '../searchBody/sourceFilter.js';
import { CopyGone } from '../shard/copyReads.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import { documentOf, hitOf } from './hitOf.js';
import type { Part } from './part.js';
import { type Hit, HIT_BYTES as SHOWN_HIT_BYTES, Ranking, type ShardHits } from './ranking.js';
import { unshownError } from './searchFailures.js';
import { groupsOf, type SearchRequest } from './searchRequest.js';
import type { SearchResponse } from './searchResponse.js';
import { reduceSuggestions, type Suggestions } from './suggesting.js';

/** What is kept of a hit of a shard, and of one with the values it is sorted by. */
const HIT_BYTES = 16;
const SORTED_HIT_BYTES = 120;
/** A value that a hit is sorted by: a whole number, or a view of the bytes of a text. */
const SORT_VALUE_BYTES = 120;
/** Milliseconds that bringing aggregations together may take in any case. */
const REDUCED_MS = 40;
/** How much larger buckets are as values, and as parts of the answer, than as the bytes that a shard sends. */
const BUCKET_FACTOR = 32;

/** What aggregations show of hits, which shards are asked about once more. */
export interface Later {
  explained: Hit[];
  valued: Valued[];
}

/** Hits with fields whose values are shown. */
export interface Valued {
  hits: readonly Hit[];
  names: readonly string[];
}

/** What bringing together needs besides the parts. */
export interface Merging {
  request: SearchRequest;
  /** The body as it was compiled for the first index; undefined where it could be for none. */
  compiled: CompiledSearch | undefined;
  /** Who answers. */
  node: string;
  /** Told what is made takes, in bytes; throws when that is too much. */
  weigh(bytes: number): void;
  later: Later;
  /** Counts the steps. */
  work: WorkLimit;
  /** When its time is over, the hits that are there are the answer. */
  until: WorkLimit;
}

/** What the parts come to. */
export interface Merged {
  response: SearchResponse;
  /** What is to be read after the hits of the response. */
  hits: readonly ShardHits[];
  ranking: Ranking;
  /** How many hits a page has. */
  size: number;
}

const EVERYTHING: SourceFilter = { enabled: true, includes: [], excludes: [] };
const NO_PARTIAL_FIELDS: CompiledSearch['partialFields'] = new Map();

/** Brings together what the shards have found, and reads the documents of the first page; fails if every shard has. */
export function* merge(parts: readonly Part[], merging: Merging): Turns<Merged> {
  const { request, compiled, node, weigh, later, work, until } = merging;
  const { phase, pagePerShard = false } = request;
  for (const part of parts) weigh(weightOf(part));
  // What was found in time is brought together, unless that takes long by itself.
  const reduction = parts.some(aggregates)
    ? new Reduction(work, weigh, until.atLeast(REDUCED_MS))
    : undefined;
  const partials = reduction === undefined ? [] : yield* readParts(parts, later, weigh, reduction, work);
  const failures = failuresOf(parts, node);
  if (parts.length > 0 && failures.length === parts.length) {
    const name = phase ?? (parts.length === 1 ? 'query_fetch' : 'query');
    throw searchPhaseFailed(name, failures);
  }
  const from = compiled?.from ?? 0;
  const wanted = compiled?.size ?? 10;
  const size = pagePerShard ? Math.max(1, parts.length) * wanted : wanted;
  const hits = hitsOf(parts, groupsOf(request.body));
  let total = 0;
  for (const { result } of hits) total += result.total;
  const ranking = new Ranking(hits);
  const maxScore = parts.length === 0 || from + size === 0 || phase === 'init_scan' ? 0 : ranking.maxScore;
  if (from > 0) yield* ranking.skip(from, work);
  const found = phase === 'init_scan' || size === 0 ? [] : yield* ranking.next(size, weigh, work, until);
  if (ranking.failures.size + ranking.unread.size > 0) {
    for (const [{ index, shard }, error] of ranking.failures)
      failures.push({ node, index: index.name, shard: shard.number, error });
    // Shards that hand over their hits at once have then failed altogether.
    const isOnePhase = parts.length === 1 || pagePerShard;
    if (ranking.failures.size > 0 && failures.length === parts.length && isOnePhase)
      throw searchPhaseFailed('query_fetch', failures);
    for (const [part, error] of ranking.unread)
      if (!ranking.failures.has(part))
        failures.push({ node, index: part.index.name, shard: part.shard.number, error });
  }
  const rendered =
    reduction === undefined
      ? undefined
      : yield* reduceAggregations(aggregationsOf(parts), partials, reduction);
  const { aggregations, facets } = splitFacets(rendered, compiled?.facets ?? []);
  const response: SearchResponse = {
    shards: { total: parts.length, failed: failures.length, failures },
    total,
    maxScore,
    hits: found,
    source: compiled?.source ?? EVERYTHING,
    version: compiled?.version ?? false,
    sortKeys: compiled?.sort?.keys,
    fields: compiled?.fields,
    fielddata: compiled?.fielddata ?? [],
    scriptFields: compiled?.scriptFields ?? [],
    partialFields: compiled?.partialFields ?? NO_PARTIAL_FIELDS,
    node,
    timedOut: ranking.isLate || reduction?.isLate === true || parts.some(isTimedOut),
    until,
    terminatedEarly: terminatedEarly(parts),
    aggregations,
    facets,
    suggestions:
      compiled?.suggest === undefined ? undefined : yield* suggestionsOf(parts, phase ?? 'merge', work),
  };
  return { response, hits, ranking, size };
}

function aggregates({ search }: Part): boolean {
  return search?.aggregations !== undefined;
}

function isTimedOut({ timedOut }: Part): boolean {
  return timedOut;
}

function failuresOf(parts: readonly Part[], node: string): ShardFailure[] {
  const failures: ShardFailure[] = [];
  for (const { index, shard, error } of parts)
    if (error !== undefined) failures.push({ node, index: index.name, shard: shard.number, error });
  return failures;
}

/** The hits of the shards that have answered. */
function hitsOf(parts: readonly Part[], groups: readonly string[]): ShardHits[] {
  const hits: ShardHits[] = [];
  for (const { index, shard, search, terminates, result } of parts) {
    if (result === undefined || search === undefined) continue;
    const { sort, names, highlight, inner, state } = search;
    const unshown = unshownError(index, search);
    hits.push({ index, shard, sort, names, terminates, result, groups, highlight, unshown, inner, state });
  }
  return hits;
}

/** The aggregations of the first shard that has answered. */
function aggregationsOf(parts: readonly Part[]): CompiledAggregations | undefined {
  for (const { search, result } of parts) if (result !== undefined) return search?.aggregations;
  return undefined;
}

/** Whether a shard had more documents than it was to count; undefined where none was told how many to count. */
function terminatedEarly(parts: readonly Part[]): boolean | undefined {
  let ended: boolean | undefined;
  for (const { terminates, result } of parts)
    if (terminates && result !== undefined) ended = endedEarly(result) || ended === true;
  return ended;
}

/** 503: what shards suggest that can't be one answer. */
function* suggestionsOf(parts: readonly Part[], phase: string, work: WorkLimit): Turns<Suggestions> {
  try {
    const all = parts.flatMap(({ suggestions }) => suggestions ?? []);
    return yield* reduceSuggestions(all, work);
  } catch (e) {
    throw reductionFailed(phase, toElasticsearchError(e));
  }
}

/** What the hits of a shard take for as long as they can be read, about. */
export function hitBytes({ keys, sortValues }: SearchResult, sort: Sort | undefined): number {
  if (sort === undefined) return keys.length * HIT_BYTES;
  const perHit = SORTED_HIT_BYTES + SORT_VALUE_BYTES * coreKeys(sort).length;
  return keys.length * perHit + sortValues.length;
}

/** What the results of a shard take until they are brought together, about. */
function weightOf({ result, search }: Part): number {
  if (result === undefined) return 0;
  const buckets = (search?.aggregations?.list.length ?? 0) > 0;
  return hitBytes(result, search?.sort) + (buckets ? result.sortValues.length * BUCKET_FACTOR : 0);
}

/** Has other threads read the documents of the first page into memory; undefined where there is nothing to wait for. */
export function prefetchPage(
  parts: readonly Part[],
  { request, compiled }: Pick<Merging, 'request' | 'compiled'>,
): Promise<unknown> | undefined {
  if (request.phase !== undefined || !parts.some(({ shard }) => shard.documents.areCold)) return undefined;
  const { from = 0, size = 10 } = compiled ?? {};
  const all = request.pagePerShard === true ? Math.max(1, parts.length) * size : size;
  return all === 0 ? undefined : new Ranking(hitsOf(parts, [])).prefetch(from, all, request.limit);
}

/** What the shards have found for aggregations; a shard that can't stand by what it has found has failed. */
function* readParts(
  parts: readonly Part[],
  later: Later,
  weigh: (bytes: number) => void,
  reduction: Reduction,
  work: WorkLimit,
): Turns<unknown[][]> {
  const read: unknown[][] = [];
  for (const part of parts) {
    const { index, shard, result } = part;
    const aggregations = part.search?.aggregations;
    if (aggregations === undefined || result === undefined) continue;
    const behind = part.terminates ? 4 : 0;
    const documents = documentsOf(index, shard, later, weigh, work);
    try {
      read.push(
        yield* readAggregations(
          { aggregations, rest: result.sortValues, behind, shard: documents },
          reduction,
        ),
      );
    } catch (thrown) {
      if (thrown instanceof ReductionOver) return read;
      if (!(thrown instanceof ShardRefusal || thrown instanceof CopyGone)) throw thrown;
      part.error = thrown;
      part.result = undefined;
    }
  }
  return read;
}

/** The hits that aggregations show; those that something is left to be asked of are noted. */
function documentsOf(
  index: OpenIndex,
  shard: SearchedShard,
  { explained, valued }: Later,
  weigh: (bytes: number) => void,
  work: WorkLimit,
): ShardDocuments {
  return {
    document: (key) => shard.documents.byKey(key),
    uid: (key) => {
      const found = shard.documents.byKey(key);
      return found === undefined ? undefined : `${found.type}#${found.id}`;
    },
    scripted: (key) => {
      const found = documentOf({ index, shard }, key);
      return found && { model: index.model, ...found };
    },
    *shown({ key, score, values }, view) {
      const search = view as CompiledSearch;
      const hit = yield* hitOf({ index, shard }, { key, score, values }, search, work);
      if (hit !== undefined) weigh(SHOWN_HIT_BYTES + hit.document.source.length);
      if (hit !== undefined && search.explain) explained.push(hit);
      if (hit !== undefined && search.fielddata.length > 0)
        valued.push({ hits: [hit], names: search.fielddata });
      return hit;
    },
  };
}
