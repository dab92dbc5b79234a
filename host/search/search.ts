/** A search over several indices: one plan per index, all shards at once, the best hits of all, their documents. */
import { type CompiledAggregations, readAggregations, reduceAggregations } from '../aggregation/compile.js';
import { splitFacets } from '../aggregation/facets.js';
import type { ShardDocuments } from '../aggregation/reader.js';
import { Reduction, ReductionOver } from '../aggregation/reduction.js';
import type { Rendered } from '../aggregation/rendered.js';
import { endedEarly, type SearchResult, takeStopped } from '../core/result.js';
import type { QueryContext } from '../query/compiler.js';
import { encodePlan } from '../searchBody/encode.js';
import type { ScriptField } from '../searchBody/scriptFields.js';
import { compileSearch } from '../searchBody/compile.js';
import { timeoutOf } from '../searchBody/bodyValues.js';
import { type Progress, searchContext } from '../query/searchContext.js';
import { coreKeys, type Sort, type SortKey } from '../plan/sortKeys.js';
import type { Statistics } from '../plan/statistics.js';
import {
  type ElasticsearchError,
  reductionFailed,
  type ShardFailure,
  ShardRefusal,
  searchPhaseFailed,
  toElasticsearchError,
} from '../errors.js';
import { isObject } from '../json/values.js';
import { Passes } from '../passes.js';
import { inTurns, type Turns, type WorkLimit, WorkOver } from '../workLimit.js';
import type { Breakers, Held } from '../limits/breakers.js';
import { chosenShards } from './chosenShards.js';
import { explainKeys, gatherStatistics } from './explaining.js';
import { hitOf } from './hitOf.js';
import { findInner } from './innerHits.js';
import { readKept } from './keptValues.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { bounded } from './planBound.js';
import { type Hit, HIT_BYTES as SHOWN_HIT_BYTES, Ranking, type ShardHits } from './ranking.js';
import {
  aggregationError,
  brokenIn,
  objectField,
  parseError,
  queryError,
  unshownError,
  windowError,
} from './searchFailures.js';
import type { Shard } from '../shard/shard.js';
import { type SlowLog, slowLevel, slowSource } from '../settings/slowlog.js';
import { reduceSuggestions, type ShardSuggestions, type Suggestions, suggestIn } from './suggesting.js';
import type { SearchTarget } from '../metadata/targets.js';

type Compiled = ReturnType<typeof compileSearch>;

/** What is searched. */
export interface SearchRequest {
  /** The parsed body; undefined matches everything. */
  body: unknown;
  /** The body as text, for the texts of errors. */
  text: string;
  /** Why the body can't be read; every shard then says so. */
  unreadable?: ElasticsearchError | undefined;
  types?: string[] | undefined;
  /** Only the shards of these numbers. */
  onlyShards?: ReadonlySet<number> | undefined;
  /** What errors call the first phase; a scan has a name of its own. */
  phase?: 'init_scan' | 'query' | undefined;
  /** Whether all shards score by the statistics of all. */
  dfs?: boolean;
  /** Whether every shard answers with its own page: there are up to `size` hits of each. */
  pagePerShard?: boolean;
  /** What it may do; without one whatever it takes. */
  limit: WorkLimit;
}

/** What a search found. */
export interface SearchResponse {
  shards: { total: number; failures: ShardFailure[]; failed: number };
  total: number;
  /** null where nothing matched. */
  maxScore: number | null;
  hits: Hit[];
  /** How sources are to be shown, and whether versions are. */
  source: Compiled['source'];
  version: boolean;
  /** The keys of a sort. */
  sortKeys: readonly SortKey[] | undefined;
  /** Fields that hits show. */
  fields: readonly string[] | undefined;
  /** Fields of which hits show the values that are indexed. */
  fielddata: readonly string[];
  /** What scripts make of the hits. */
  scriptFields: readonly ScriptField[];
  /** Parts of their sources that hits show as fields. */
  partialFields: Compiled['partialFields'];
  /** Who answered. */
  node: string;
  /** Whether it was answered before all was found. */
  timedOut: boolean;
  /** Until when hits may be shown. */
  until: WorkLimit;
  /** Whether a shard had more documents than it was to count; undefined where it could count all. */
  terminatedEarly: boolean | undefined;
  /** What the aggregations have found; undefined without any. */
  aggregations: Rendered | undefined;
  /** What the facets have found; undefined without any. */
  facets: Rendered | undefined;
  /** What is suggested; undefined where nothing is asked. */
  suggestions: Suggestions | undefined;
}

/** What a search needs of the engine. */
export interface SearchServices {
  node: string;
  breakers: Breakers;
  /** Told of searches that took long. */
  slow: SlowLog;
  /** What a query is compiled with for an index. */
  context(target: SearchTarget): QueryContext;
}

/** One shard that takes part. */
interface Part {
  index: OpenIndex;
  shard: Shard;
  plan: (() => Uint8Array) | undefined;
  search: Compiled | undefined;
  statistics: Statistics | undefined;
  sort: Sort | undefined;
  names: readonly string[];
  terminates: boolean;
  aggregations: CompiledAggregations | undefined;
  result: SearchResult | undefined;
  /** It answered before it had found all. */
  timedOut: boolean;
  /** What the shard is asked to suggest, and does. */
  suggest: (() => Promise<ShardSuggestions>) | undefined;
  suggestions: ShardSuggestions | undefined;
  error: ElasticsearchError | undefined;
}

/** What the breakers call it. */
const LABEL = '<search>';
/** What is kept of a hit of a shard, and of one with the values it is sorted by. */
const HIT_BYTES = 16;
const SORTED_HIT_BYTES = 120;
/** A value that a hit is sorted by: a whole number, or a view of the bytes of a text. */
const SORT_VALUE_BYTES = 120;
/** Milliseconds that bringing aggregations together may take in any case. */
const REDUCED_MS = 40;
/** How much larger buckets are as values, and as parts of the answer, than as the bytes that a shard sends. */
const BUCKET_FACTOR = 32;

/** A search whose shards have answered. */
export interface Execution {
  response: SearchResponse;
  /** What is to be read after the hits of the response. */
  hits: readonly ShardHits[];
  ranking: Ranking;
  /** How many hits a page has. */
  size: number;
  /** The memory that the results take, as the breakers know it. */
  held: Held;
  /** Lets the shards go; the hits can't be read any more. */
  release(): void;
}

/** Runs a search; fails if every shard does. */
export function search(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
): Promise<SearchResponse> {
  return execute(targets, request, services).then(({ response, held, release }) => {
    held.release();
    release();
    return response;
  });
}

/**
 * Runs a search and keeps its shards until it is let go; fails if every shard does.
 * @param all every hit is found, not only those of the first page, which then begins at the first of them
 */
export async function execute(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
  all = false,
): Promise<Execution> {
  const parts: Part[] = [];
  const limit = request.limit;
  const until = limitOf(request.body, limit);
  const passes = new Passes(until);
  let compiled: Compiled | undefined;
  const shardCount = targets.reduce(
    (sum, { index, routing }) => sum + chosenShards(index, routing, request.onlyShards).length,
    0,
  );
  for (const target of targets) {
    const { index, filter, routing } = target;
    const shards = chosenShards(index, routing, request.onlyShards);
    const context = services.context(target);
    const progress: Progress = {};
    try {
      const asked = searchContext(context, {
        progress,
        shards: shardCount,
        from: all ? 0 : undefined,
        size: request.phase === 'query' ? 0 : undefined,
        types: request.types,
        filter,
      });
      const made = passes.run(() => compileSearch(request.body, asked));
      const plan = made instanceof Promise ? await made : made;
      // What can be read of a broken body is read, as 1.7 does before it comes to the end.
      if (request.unreadable !== undefined) throw brokenIn(request.unreadable, index.name);
      compiled ??= plan;
      const once = plan.perShard ? undefined : plan.plan();
      for (const shard of shards) {
        const bytes = () => bounded(once ?? plan.plan(shard), shard.documentBound, all && plan.size > 0);
        const { sort, names, aggregations, suggest } = plan;
        const { terminateAfter } = plan.tree;
        const search = plan;
        const statistics = undefined;
        const error =
          windowError(index, shard, plan) ??
          objectField(index, plan.fields, request.types) ??
          aggregationError(index, shard, plan);
        parts.push({
          index,
          shard,
          plan: bytes,
          search,
          statistics,
          sort,
          names,
          terminates: terminateAfter !== undefined,
          aggregations,
          result: undefined,
          timedOut: false,
          suggest:
            suggest === undefined ? undefined : () => suggestIn(shard, index.shards, suggest, context, until),
          suggestions: undefined,
          error,
        });
      }
    } catch (e) {
      // What is refused for one index is not answered of the others.
      if (target.confined && toElasticsearchError(e).exception === 'AuthorizationException') throw e;
      const timedOut = isLate(e, until);
      if (e instanceof WorkOver && !timedOut) throw e;
      for (const shard of shards)
        parts.push({
          index,
          shard,
          plan: undefined,
          search: undefined,
          statistics: undefined,
          sort: undefined,
          names: [],
          terminates: false,
          aggregations: undefined,
          result: undefined,
          timedOut,
          suggest: undefined,
          suggestions: undefined,
          error: timedOut ? undefined : parseError(e, index, shard, request.text, progress, shardCount),
        });
    }
  }
  // As 1.7 goes: the first shards of all indices, then the second ones.
  if (targets.length > 1) parts.sort(byNumber);
  const holds = parts.map(({ shard }) => shard.hold());
  const held = services.breakers.hold('request', 0, LABEL);
  const weigh = (bytes: number) => services.breakers.grow('request', held, bytes, LABEL);
  const release = () => {
    for (const each of holds.splice(0)) each();
  };
  try {
    if (request.dfs === true) await shareStatistics(parts, until);
    if (parts.length === 1) await run(parts[0]!, 1, until, request, services.slow);
    else await Promise.all(parts.map((part) => run(part, parts.length, until, request, services.slow)));
    const fetching = performance.now();
    const explained: Hit[] = [];
    const valued: Valued[] = [];
    const work = limit.untimed();
    const steps = collect(
      parts,
      compiled,
      services.node,
      request,
      weigh,
      { explained, valued },
      {
        work,
        until,
      },
    );
    const found = await inTurns(steps, work);
    tellOfFetch(parts, performance.now() - fetching, request, services.slow);
    // A page that is gone on with is read to its end.
    const reading = all ? work : until;
    if (found.response.hits.some(({ wanted }) => wanted !== undefined))
      leaveOut(found.response, await findInner(found.response.hits, weigh, reading));
    if (found.response.fielddata.length > 0)
      valued.push({ hits: found.response.hits, names: found.response.fielddata });
    for (const { hits, names } of valued) await readKept(hits, names, limit);
    if (compiled?.explain === true) explained.push(...found.response.hits);
    if (explained.length > 0) await explainHits(explained, parts, found.response, reading);
    const { response, hits, ranking, size } = found;
    return { response, hits, ranking, size, held, release };
  } catch (e) {
    held.release();
    release();
    throw e;
  }
}

function byNumber(a: Part, b: Part): number {
  return a.shard.number - b.shard.number || (a.index.name < b.index.name ? -1 : 1);
}

/** The limit of a search whose body may say how long it may take. */
function limitOf(body: unknown, limit: WorkLimit): WorkLimit {
  if (!isObject(body) || body.timeout === undefined) return limit;
  const timeout = timeoutOf(body.timeout);
  return timeout === undefined ? limit : limit.lasting(timeout);
}

/** Whether something ended because its time is over, and somebody still waits for the answer. */
function isLate(thrown: unknown, limit: WorkLimit): boolean {
  return thrown instanceof WorkOver && limit.late && !limit.cancelled;
}

/** What shards suggest; undefined where there is no time for it. */
function inTime<T>(suggest: () => Promise<T>, limit: WorkLimit): Promise<T | undefined> {
  return suggest().catch((e) => {
    if (isLate(e, limit)) return undefined;
    throw e;
  });
}

/** Gives every shard the statistics of all. */
async function shareStatistics(parts: readonly Part[], limit: WorkLimit): Promise<void> {
  const asked = parts.flatMap((part) =>
    part.search === undefined || part.error !== undefined ? [] : [{ part, search: part.search }],
  );
  const searches = asked.map(({ part: { index, shard }, search }) => ({ index, shard, search }));
  const all = await gatherStatistics(searches, limit).catch((e) => {
    if (isLate(e, limit)) return undefined;
    throw e;
  });
  if (all === undefined) {
    for (const { part } of asked) Object.assign(part, { plan: undefined, timedOut: true });
    return;
  }
  asked.forEach(({ part, search }, i) => {
    part.statistics = all[i];
    const tree = { ...search.tree, statistics: all[i] };
    const { shard } = part;
    part.plan = () => bounded(encodePlan(tree, shard), shard.documentBound, false);
  });
}

/** Hits of a shard that are explained together: as many as take few milliseconds. */
const EXPLAINED = { first: 8, most: 64, ms: 4 };

/** Explains the hits, shard by shard; hits of the response that there is no time for are left out of it. */
async function explainHits(
  hits: readonly Hit[],
  parts: readonly Part[],
  response: SearchResponse,
  limit: WorkLimit,
): Promise<void> {
  const work = limit.untimed();
  const reached = new Set<Hit>();
  for (const { index, shard, search, statistics } of parts) {
    const own = hits.filter((hit) => hit.shard === shard);
    if (search === undefined) continue;
    for (let at = 0, size = EXPLAINED.first; at < own.length && !limit.late; ) {
      const group = own.slice(at, at + size);
      const keys = group.map(({ key }) => key);
      const found = await explainKeys({ index, shard, search, statistics }, keys, work);
      at += group.length;
      size = work.elapsed > EXPLAINED.ms ? Math.max(1, size >> 1) : Math.min(EXPLAINED.most, size * 2);
      await work.yield();
      group.forEach((hit, i) => {
        hit.explanation = found[i];
        reached.add(hit);
      });
    }
  }
  if (reached.size === hits.length) return;
  const asked = new Set(hits);
  leaveOut(
    response,
    response.hits.filter((hit) => reached.has(hit) || !asked.has(hit)),
  );
}

/** Leaves all hits but these out of a response: there was no time for the others. */
function leaveOut(response: SearchResponse, reached: readonly Hit[]): void {
  if (reached.length === response.hits.length) return;
  response.hits = [...reached];
  response.timedOut = true;
}

/** Runs a search on a shard, and tells of it where that takes longer than its index's settings want to hear of. */
async function run(
  part: Part,
  totalShards: number,
  limit: WorkLimit,
  request: SearchRequest,
  slow: SlowLog,
): Promise<void> {
  const started = performance.now();
  const { shard, plan, suggest } = part;
  try {
    if (part.error === undefined && plan !== undefined) {
      const query = shard.searches.query(plan, limit, groupsOf(request.body));
      if (suggest === undefined) part.result = await query;
      else [part.result, part.suggestions] = await Promise.all([query, inTime(suggest, limit)]);
      part.timedOut = takeStopped(part.result) || (suggest !== undefined && part.suggestions === undefined);
    }
  } catch (e) {
    part.error = queryError(e, part);
  }
  tellIfSlow('query', part, performance.now() - started, totalShards, request, slow);
}

/** The same of reading the hits, which is done for all shards together: each index is told of it once. */
function tellOfFetch(parts: readonly Part[], took: number, request: SearchRequest, slow: SlowLog): void {
  const told = new Set<OpenIndex>();
  for (const part of parts) {
    if (told.has(part.index)) continue;
    told.add(part.index);
    tellIfSlow('fetch', part, took, parts.length, request, slow);
  }
}

function tellIfSlow(
  kind: 'query' | 'fetch',
  { index, shard, result }: Part,
  took: number,
  totalShards: number,
  request: SearchRequest,
  slow: SlowLog,
): void {
  const { settings } = index;
  const level = slowLevel(settings, kind, took);
  if (level === undefined) return;
  slow({
    kind,
    level,
    index: index.name,
    shard: shard.number,
    took,
    source: slowSource(settings, kind, request.text),
    types: request.types ?? [],
    groups: groupsOf(request.body),
    searchType: searchTypeOf(request, totalShards),
    total: result?.total ?? 0,
    totalShards,
  });
}

/** As 1.7 carries a search out: one of a single shard reads its hits at once. */
function searchTypeOf({ phase, dfs, pagePerShard }: SearchRequest, shards: number): string {
  if (phase === 'init_scan') return 'SCAN';
  if (shards === 1) return 'QUERY_AND_FETCH';
  return `${dfs ? 'DFS_' : ''}QUERY_${pagePerShard ? 'AND' : 'THEN'}_FETCH`;
}

/** What a search's body wants it to be counted under. */
function groupsOf(body: unknown): string[] {
  const groups = isObject(body) ? body.stats : undefined;
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
}

/** Hits with fields whose values are shown. */
interface Valued {
  hits: readonly Hit[];
  names: readonly string[];
}

/** Hits that shards are asked about once more. */
interface Later {
  explained: Hit[];
  valued: Valued[];
}

/** What fetching may take. */
interface Time {
  /** Counts its steps. */
  work: WorkLimit;
  /** When its time is over, the hits that are there are the answer. */
  until: WorkLimit;
}

function* collect(
  parts: readonly Part[],
  compiled: Compiled | undefined,
  node: string,
  { body, phase, pagePerShard = false }: SearchRequest,
  weigh: (bytes: number) => void,
  later: Later,
  { work, until }: Time,
): Turns<Omit<Execution, 'release' | 'held'>> {
  for (const part of parts) weigh(weightOf(part));
  // What was found in time is brought together, unless that takes long by itself.
  const reduction = new Reduction(work, weigh, until.atLeast(REDUCED_MS));
  const partials = yield* readParts(parts, later, weigh, reduction, work);
  const failures: ShardFailure[] = parts.flatMap(({ index, shard, error }) =>
    error === undefined ? [] : [{ node, index: index.name, shard: shard.number, error }],
  );
  if (parts.length > 0 && failures.length === parts.length) {
    const name = phase ?? (parts.length === 1 ? 'query_fetch' : 'query');
    throw searchPhaseFailed(name, failures);
  }
  const { from = 0, size: wanted = 10, source, version = false } = compiled ?? {};
  const size = pagePerShard ? Math.max(1, parts.length) * wanted : wanted;
  const groups = groupsOf(body);
  const hits = parts.flatMap(({ index, shard, search, sort, names, terminates, result }) =>
    result === undefined
      ? []
      : [
          {
            index,
            shard,
            sort,
            names,
            terminates,
            result,
            groups,
            highlight: search?.highlight,
            unshown: search === undefined ? undefined : unshownError(index, search),
            inner: search?.inner,
            state: search?.state,
          },
        ],
  );
  const ended = parts.flatMap(({ terminates, result }) =>
    terminates && result !== undefined ? [endedEarly(result)] : [],
  );
  const total = hits.reduce((sum, { result }) => sum + result.total, 0);
  const ranking = new Ranking(hits);
  const maxScore = parts.length === 0 || from + size === 0 || phase === 'init_scan' ? 0 : ranking.maxScore;
  yield* ranking.skip(from, work);
  const found = phase === 'init_scan' ? [] : yield* ranking.next(size, weigh, work, until);
  for (const [{ index, shard }, error] of ranking.failures)
    failures.push({ node, index: index.name, shard: shard.number, error });
  // Shards that hand over their hits at once have then failed altogether.
  if (ranking.failures.size > 0 && failures.length === parts.length && (parts.length === 1 || pagePerShard))
    throw searchPhaseFailed('query_fetch', failures);
  for (const [part, error] of ranking.unread)
    if (!ranking.failures.has(part))
      failures.push({ node, index: part.index.name, shard: part.shard.number, error });
  const aggregated = yield* reduceAggregations(
    parts.find(({ result }) => result !== undefined)?.aggregations,
    partials,
    reduction,
  );
  const response: SearchResponse = {
    shards: { total: parts.length, failed: failures.length, failures },
    total,
    maxScore,
    hits: found,
    source: source ?? { enabled: true, includes: [], excludes: [] },
    version,
    sortKeys: compiled?.sort?.keys,
    fields: compiled?.fields,
    fielddata: compiled?.fielddata ?? [],
    scriptFields: compiled?.scriptFields ?? [],
    partialFields: compiled?.partialFields ?? new Map(),
    node,
    timedOut: ranking.isLate || reduction.isLate || parts.some(({ timedOut }) => timedOut),
    until,
    terminatedEarly: ended.length === 0 ? undefined : ended.some(Boolean),
    ...splitFacets(aggregated, compiled?.facets ?? []),
    suggestions: compiled?.suggest === undefined ? undefined : suggestionsOf(parts, phase ?? 'merge'),
  };
  return { response, hits, ranking, size };
}

/** 503: what shards suggest that can't be one answer. */
function suggestionsOf(parts: readonly Part[], phase: string): Suggestions {
  try {
    return reduceSuggestions(parts.flatMap(({ suggestions }) => suggestions ?? []));
  } catch (e) {
    throw reductionFailed(phase, toElasticsearchError(e));
  }
}

/** What the hits of a shard take for as long as they can be read, about. */
export function hitBytes({ result, sort }: Pick<ShardHits, 'result' | 'sort'>): number {
  const { keys, sortValues } = result;
  if (sort === undefined) return keys.length * HIT_BYTES;
  const perHit = SORTED_HIT_BYTES + SORT_VALUE_BYTES * coreKeys(sort).length;
  return keys.length * perHit + sortValues.length;
}

/** What the results of a shard take until they are brought together, about. */
function weightOf({ result, sort, aggregations }: Part): number {
  if (result === undefined) return 0;
  const buckets = aggregations !== undefined && aggregations.list.length > 0;
  return hitBytes({ result, sort }) + (buckets ? result.sortValues.length * BUCKET_FACTOR : 0);
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
    const { index, shard, aggregations, result, terminates } = part;
    if (aggregations === undefined || result === undefined) continue;
    const behind = terminates ? 4 : 0;
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
      if (!(thrown instanceof ShardRefusal)) throw thrown;
      part.error = thrown;
      part.result = undefined;
    }
  }
  return read;
}

/** The hits that aggregations show; those that something is left to be asked of are noted. */
function documentsOf(
  index: OpenIndex,
  shard: Shard,
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
    *shown({ key, score, values }, view) {
      const search = view as Compiled;
      const hit = yield* hitOf({ index, shard }, { key, score, values }, search, work);
      if (hit !== undefined) weigh(SHOWN_HIT_BYTES + hit.document.source.length);
      if (hit !== undefined && search.explain) explained.push(hit);
      if (hit !== undefined && search.fielddata.length > 0)
        valued.push({ hits: [hit], names: search.fielddata });
      return hit;
    },
  };
}
