/** Percolation: which of the registered queries match a document. */
import { QueriesElsewhere } from '../percolate/queriesElsewhere.js';
import type { Rendered } from '../aggregation/rendered.js';
import { BatchWriter } from '../core/batch.js';
import type { SearchContext } from '../query/searchContext.js';
import { ElasticsearchError, illegalArgument, parseFailure, toElasticsearchError } from '../errors.js';
import { highlighting } from '../highlight/lateHighlighting.js';
import { jsonText } from '../json/jsonText.js';
import { jsonBytesInTurns } from '../json/longJsonText.js';
import type { JsonObject } from '../json/values.js';
import { OneDocument } from '../percolate/oneDocument.js';
import { PERCOLATOR, type Registered } from '../percolate/queries.js';
import { problemOf, type Percolation, readPercolation } from '../percolate/request.js';
import { type CopyChoice, chosenShards } from './chosenShards.js';
import type { QueryFailure } from './queryFailure.js';
import type { SearchRequest } from './searchRequest.js';
import type { SearchResponse } from './searchResponse.js';
import type { Shard } from '../shard/shard.js';
import type { ShardTransport } from '../shard/shardClient.js';
import type { SearchTarget } from '../metadata/targets.js';
import type { EncodedDocument } from '../shard/shardIndex.js';
import type { Encoded } from '../mapping/documents.js';
import { inTurns, type Turns, type WorkLimit, WorkOver } from '../workLimit.js';

/** What is percolated. */
export interface PercolateRequest {
  type: string;
  body: unknown;
  /** Why the body can't be read. */
  unreadable?: ElasticsearchError | undefined;
  /** A document that is there, in place of one in the body. */
  source?: JsonObject | undefined;
  onlyShards?: ReadonlySet<number> | undefined;
  copies?: CopyChoice | undefined;
  limit: WorkLimit;
}

/** A query that matches. */
export interface Match {
  index: string;
  id: string;
  /** 32 bits; undefined where scores are not wanted. */
  score?: number | undefined;
  highlight?: Record<string, string[]> | undefined;
}

/** What was found. */
export interface Percolated {
  total: number;
  matches: Match[];
  shards: number;
  failures: QueryFailure[];
  aggregations: Rendered | undefined;
  facets: Rendered | undefined;
}

/** What it needs of the engine. */
export interface PercolateServices {
  transport: ShardTransport;
  context(target: SearchTarget): SearchContext;
  search(targets: readonly SearchTarget[], request: SearchRequest): Promise<SearchResponse>;
}

/** Notes what shards say of a request that they can't do. */
type Failed = (shards: readonly Shard[], thrown: unknown) => undefined;

/** An index with the queries of its shards that match. */
interface Part {
  type: string;
  target: SearchTarget;
  asked: Percolation;
  document: JsonObject | undefined;
  found: Registered[];
}

const utf8 = new TextEncoder();

export async function percolate(
  targets: readonly SearchTarget[],
  request: PercolateRequest,
  services: PercolateServices,
): Promise<Percolated> {
  const failures: QueryFailure[] = [];
  let shardCount = 0;
  const tried = await Promise.all(
    targets.map(async (target): Promise<Part | undefined> => {
      const shards = chosenShards(target.index, target.routing, request.onlyShards);
      shardCount += shards.length;
      const failed: Failed = (some, thrown) => {
        const nested = toElasticsearchError(thrown);
        const error = new ElasticsearchError('PercolateException', 'failed to percolate', {
          status: nested.status,
          nested,
        });
        for (const { number } of some) failures.push({ index: target.index.name, shard: number, error });
        return undefined;
      };
      return percolateIndex(target, shards, request, services, failed);
    }),
  );
  const parts = tried.filter((part) => part !== undefined);
  const found = await answer(parts, services, request.limit);
  return { ...found, shards: shardCount, failures };
}

/** Counts a percolation with the shards that it is of. */
async function percolateIndex(
  target: SearchTarget,
  shards: readonly Shard[],
  request: PercolateRequest,
  services: PercolateServices,
  failed: Failed,
): Promise<Part | undefined> {
  const started = performance.now();
  for (const { counters } of shards) counters.percolationsNow++;
  try {
    return await matchesIn(target, shards, request, services, failed);
  } catch (e) {
    if (e instanceof WorkOver) throw e;
    return failed(shards, e);
  } finally {
    for (const { counters } of shards) {
      counters.percolationsNow--;
      counters.percolations++;
      counters.percolateTime += performance.now() - started;
    }
  }
}

/** The queries of an index that match; undefined where it has none. Shards without queries ask for no document. */
async function matchesIn(
  target: SearchTarget,
  shards: readonly Shard[],
  request: PercolateRequest,
  services: PercolateServices,
  failed: Failed,
): Promise<Part | undefined> {
  const { index } = target;
  const { type } = request;
  if (request.unreadable !== undefined) throw parseFailure('failed to parse request', request.unreadable);
  const context = { ...services.context(target), types: [PERCOLATOR] };
  const { limit } = request;
  let last: { document: JsonObject; source: Uint8Array } | undefined;
  /** A document to be encoded; its JSON is written once. */
  const written = function* (document: JsonObject): Turns<EncodedDocument> {
    if (last?.document !== document)
      last = { document, source: yield* jsonBytesInTurns(document, (steps) => limit.isDue(steps)) };
    return { type, id: '', source: last.source };
  };
  const encoded = function* (batch: BatchWriter, key: number, document: JsonObject): Turns<Encoded> {
    return yield* index.encodeGiven(batch, key, yield* written(document), limit);
  };
  // Whether the mapping can take the document; what it brings joins the mapping, as in 1.7.
  const tryDocument = (document: JsonObject) => encoded(new BatchWriter(1024), 1, document);
  const asked = await inTurns(readPercolation(request.body, context, tryDocument, limit), limit);
  const { percolator } = index;
  const elsewhere = QueriesElsewhere.of(percolator);
  const sets = await Promise.all(
    shards.map((shard) => {
      const searched = shard.searched(request.copies?.(index, shard.number));
      if (searched !== shard) return elsewhere.of(searched, limit);
      elsewhere.forget(shard.number);
      return percolator.of(shard);
    }),
  );
  const asking = shards.filter((_, i) => sets[i]!.size > 0);
  if (asking.length === 0) return undefined;
  const document = request.source ?? asked.document;
  if (document === undefined) return failed(asking, illegalArgument('Nothing to percolate'));
  const wrong = problemOf(asked);
  if (wrong !== undefined) return failed(asking, wrong);
  const one = await OneDocument.open(
    services.transport,
    () => index.fields(),
    async (batch, key) => (await inTurns(encoded(batch, key, document), limit)).key,
    limit,
  );
  try {
    const terms = await one.terms(request.limit);
    const candidates = sets.flatMap((set) => (terms === undefined ? set.all() : set.candidates(terms)));
    const found = await one.matching(candidates, limit, index.percolator.run);
    return { type, target, asked, document, found };
  } finally {
    await one.close();
  }
}

async function answer(
  parts: readonly Part[],
  services: PercolateServices,
  limit: WorkLimit,
): Promise<Omit<Percolated, 'shards' | 'failures'>> {
  const [first] = parts;
  if (first === undefined) return { total: 0, matches: [], aggregations: undefined, facets: undefined };
  const { query, size, sorted, trackScores, aggregations, facets } = first.asked;
  const byIndex = new Map(parts.map((part) => [part.target.index.name, part]));
  const filtered = parts.some(({ target }) => target.filter !== undefined);
  let matches: Match[];
  let total: number;
  let found: SearchResponse | undefined;
  const plain = aggregations === undefined && facets === undefined && !sorted && !trackScores;
  if (query === undefined && !filtered && plain) {
    matches = parts.flatMap(({ target, found: queries }) =>
      queries.map(({ id }) => ({ index: target.index.name, id })),
    );
    total = matches.length;
  } else {
    const count = parts.reduce((sum, part) => sum + part.found.length, 0);
    const body = {
      query: { filtered: { query: query ?? { match_all: {} }, filter: idsFilter(parts) } },
      size: sorted ? Math.min(size ?? 0, count) : count,
      _source: false,
      ...(aggregations === undefined ? {} : { aggs: aggregations }),
      ...(facets === undefined ? {} : { facets }),
    };
    found = await services.search(
      parts.map(({ target }) => target),
      { body, text: '', types: [PERCOLATOR], limit },
    );
    total = found.total;
    const scored = sorted || trackScores;
    matches = found.hits.map(({ index, document, score }) => ({
      index,
      id: document.id,
      score: scored ? (score ?? undefined) : undefined,
    }));
  }
  if (size !== undefined) matches = matches.slice(0, size);
  for (const match of matches) await highlight(match, byIndex.get(match.index)!, limit);
  return { total, matches, aggregations: found?.aggregations, facets: found?.facets };
}

/** The registered documents of the queries that match. */
function idsFilter(parts: readonly Part[]): unknown {
  const ids = ({ found }: Part) => ({ ids: { type: PERCOLATOR, values: found.map(({ id }) => id) } });
  if (parts.length === 1) return ids(parts[0]!);
  const should = parts.map((part) => ({
    indices: { indices: [part.target.index.name], filter: ids(part), no_match_filter: 'none' },
  }));
  return { bool: { should } };
}

async function highlight(
  match: Match,
  { type, target, asked, document, found }: Part,
  limit: WorkLimit,
): Promise<void> {
  if (asked.highlight === undefined || document === undefined) return;
  const query = found.find(({ id }) => id === match.id);
  if (query === undefined) return;
  const source = utf8.encode(jsonText(document));
  const shown = { type, id: '', version: 1, routing: undefined, parent: undefined, source };
  const { model } = target.index;
  const fields = asked.highlight;
  const plan = await target.index.percolator.run(() => query.plan(), limit);
  const highlights = highlighting.loaded.highlightsOf(
    { document: shown, model },
    { query: plan.root, fields },
    limit,
  );
  match.highlight = (await inTurns(highlights, limit)) ?? {};
}
