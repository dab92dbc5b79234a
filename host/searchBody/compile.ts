/** The body of a search request, compiled. */

import { type CompiledAggregations, compileAggregations } from '../aggregation/compile.js';
import { type Facet, readFacets, withFacets } from '../aggregation/facets.js';
import { hashOrder } from '../compat17/javaHash.js';
import {
  ElasticsearchError,
  illegalArgument,
  parseFailure,
  queryParsing,
  toElasticsearchError,
} from '../errors.js';
import { highlighting } from '../highlight/lateHighlighting.js';
import type { Highlight } from '../highlight/request.js';
import { booleanOf, isObject, type JsonObject, strictFloatOf, strictIntOf, textOf } from '../json/values.js';
import { dependsOnShard, type PlanNode } from '../plan/nodes.js';
import { EMPTY_SHARD, type Plan, type PlanShard, type Rescore } from '../plan/plan.js';
import { rewriteFilter } from '../plan/rewrite.js';
import { insideKeys, needsAllHits, type Sort, type SortKey } from '../plan/sortKeys.js';
import { compilePlan } from '../query/compileQuery.js';
import { Compiler, type Named } from '../query/compiler.js';
import { unwrapped } from '../query/compound/wrapped.js';
import { matchAll, show } from '../query/context.js';
import type { InnerDefinition, InnerScope } from '../query/joining/innerDefinition.js';
import { readInnerHits } from '../query/joining/innerHits.js';
import { goBack, type Progress, type SearchContext, stateOf } from '../query/searchContext.js';
import { printSort } from '../query/sort/printSort.js';
import { compileSort } from '../query/sort/sort.js';
import { everything, withFilters } from '../query/visible.js';
import type { Suggestion } from '../suggest/context.js';
import { suggesters } from '../suggest/lateSuggesters.js';
import { durationOf, pageOf } from './bodyValues.js';
import { encodePlan } from './encode.js';
import { timesBoost } from './indexBoost.js';
import { pastQuery, pastSort } from './readPast.js';
import { compileRescore } from './rescore.js';
import { readScriptFields, type ScriptField } from './scriptFields.js';
import {
  patterns,
  readFielddataFields,
  readPartialFields,
  readSource,
  type SourceFilter,
} from './sourceFilter.js';
import { type Part, takePart } from './unread.js';

/** A search, ready to run. */
export interface CompiledSearch {
  from: number;
  size: number;
  /** `from + size`: how many hits each shard gives. */
  k: number;
  source: SourceFilter;
  /** Fields that hits show; then they show no source unless that is asked for. */
  fields: readonly string[] | undefined;
  /** Fields of which hits show the values that are indexed. */
  fielddata: readonly string[];
  /** What scripts make of the hits. */
  scriptFields: readonly ScriptField[];
  /** Parts of the sources that hits show as fields of these names. */
  partialFields: ReadonlyMap<string, SourceFilter>;
  /** Whether hits show their versions. */
  version: boolean;
  /** How the hits are sorted, where it is not by their scores alone. */
  sort: Sort | undefined;
  /** Whether the plan differs from shard to shard, because documents are searched by id. */
  perShard: boolean;
  /** The names of the queries and filters that hits are asked for, in the order of the plan's. */
  names: string[];
  /** What of the hits is highlighted. */
  highlight: Highlight | undefined;
  /** Whether hits are explained. */
  explain: boolean;
  /** What scores the first hits again, and stands in the explanations of all, even of sorted ones. */
  rescore: readonly Rescore[];
  /** What the matches are aggregated to. */
  aggregations: CompiledAggregations | undefined;
  /** What aggregations are shown as facets. */
  facets: readonly Facet[];
  /** What is suggested besides, by name; undefined where nothing is asked. */
  suggest: ReadonlyMap<string, Suggestion> | undefined;
  /** What is shown of each hit's parts and relatives, in 1.7's order. */
  inner: readonly InnerSearch[];
  /** What 1.7 says of a search that it carries out; its query with what is put around it, or as it was asked. */
  state(bare?: boolean): string;
  /** The plan as a tree. */
  tree: Plan;
  /** The plan as bytes, for a shard. */
  plan(shard?: PlanShard): Uint8Array;
  /** How many bytes that takes for a shard without documents. */
  planBytes: number;
}

/** What is shown of the parts or relatives of a hit. */
export interface InnerSearch {
  name: string;
  scope: InnerScope;
  /** What is asked of them, and how they are shown; whose they are is said when a hit is known. */
  search: CompiledSearch;
}

const NO_PARTS: ReadonlyMap<string, SourceFilter> = new Map();
const NONE_NAMED: readonly Named[] = [];

/** Keys that change nothing here. */
const WITHOUT_EFFECT = new Set(['stats', 'query_cache']);

/** The query of a search. What the parser of JSON says of it is told by who reads queries. */
function readQuery(value: unknown, compiler: Compiler): PlanNode {
  try {
    return compiler.query(value);
  } catch (thrown) {
    const cause = toElasticsearchError(thrown);
    if (cause.exception !== 'JsonParseException') throw thrown;
    throw queryParsing(compiler.index, 'Failed to parse', cause);
  }
}

/**
 * Compiles a search body; `undefined` is a search without one. Errors are those of the query; an error of the
 * exception `SearchParseException` holds only the inner text that belongs behind `Parse Failure`.
 * @param asked the query, where the body has none of its own
 */
export function compileSearch(body: unknown, context: SearchContext, asked?: PlanNode): CompiledSearch {
  if (body !== undefined && !isObject(body)) throw parseFailure('Failed to derive xcontent');
  const compiler = new Compiler(context);
  const progress = context.progress ?? {};
  let query: PlanNode = asked ?? matchAll();
  let postFilter: PlanNode | undefined;
  let from = 0;
  let size = 10;
  let source: SourceFilter | undefined;
  let fields: string[] | undefined;
  let fielddata: string[] = [];
  let scriptFields: ScriptField[] = [];
  let partialFields = NO_PARTS;
  let version = false;
  let keys: SortKey<PlanNode>[] | undefined;
  let trackScores = false;
  let minScore: number | undefined;
  let indexBoost = 1;
  let rescore: Rescore[] | undefined;
  let terminateAfter = 0;
  let timeout: number | undefined;
  let explain = false;
  let aggregations: CompiledAggregations | undefined;
  let suggest: ReadonlyMap<string, Suggestion> | undefined;
  let highlighted: Highlight['fields'] | undefined;
  let beside: readonly InnerDefinition[] = [];
  const facets = readFacets(body?.facets, context.model);
  let parts: readonly Part[] = Object.entries(
    facets.length === 0 || body === undefined ? (body ?? {}) : withFacets(body, facets),
  );
  while (parts.length > 0) {
    const [key] = parts[0]!;
    const { value, next, after } = takePart(parts[0]!, parts.slice(1));
    parts = next;
    if (value === undefined) continue;
    progress.part = key;
    switch (key) {
      case 'query': {
        pastQuery(value, next[0], compiler, progress);
        const node = compiler.naming('query', () => readQuery(value, compiler));
        query = node;
        progress.query = () => show(compiler, node);
        break;
      }
      case 'query_binary':
      case 'queryBinary': {
        const node = compiler.naming('query', () => compiler.query(unwrapped(textOf(value) ?? '', compiler)));
        query = node;
        progress.query = () => show(compiler, node);
        break;
      }
      case 'filter_binary':
      case 'filterBinary':
      case 'post_filter_binary':
      case 'postFilterBinary':
        postFilter = compiler.naming('filter', () =>
          compiler.filter(unwrapped(textOf(value) ?? '', compiler)),
        );
        break;
      case 'post_filter':
      case 'postFilter':
      case 'filter':
        if (Array.isArray(value)) {
          throw queryParsing(context.index, '[_na] filter malformed, must start with start_object');
        }
        postFilter = compiler.naming('filter', () => compiler.filter(value));
        break;
      case 'highlight':
        highlighted = highlighting.loaded.readHighlight(value, (each) => compiler.query(each));
        break;
      case 'from':
        from = pageOf(key, value);
        progress.from = from;
        break;
      case 'size':
        size = pageOf(key, value);
        progress.size = size;
        break;
      case 'timeout':
        timeout = durationOf(value);
        break;
      case '_source':
        source = readSource(key, value);
        break;
      case 'fielddata_fields':
      case 'fielddataFields':
        fielddata = readFielddataFields(key, value);
        break;
      case 'script_fields':
      case 'scriptFields':
        scriptFields = readScriptFields(value as JsonObject, compiler);
        break;
      case 'partial_fields':
      case 'partialFields':
        partialFields = readPartialFields(value as JsonObject);
        break;
      case 'fields':
        // Whatever else is read over, as in 1.7.
        if (typeof value === 'string' || Array.isArray(value)) fields = patterns(key, value);
        break;
      case 'version':
        version = booleanOf(value);
        break;
      case 'sort':
        keys = compileSort(value, compiler);
        progress.sort = keys && (() => printSort(value, keys!));
        pastSort(value, next[0], compiler);
        break;
      case 'explain':
        explain = booleanOf(value);
        break;
      case 'min_score':
      case 'minScore':
        minScore = strictFloatOf(value);
        break;
      case 'rescore':
        rescore = compileRescore(value, compiler);
        break;
      case 'terminate_after':
        terminateAfter = strictIntOf(value);
        if (terminateAfter <= 0) throw illegalArgument('terminateAfter must be > 0');
        break;
      case 'indices_boost':
      case 'indicesBoost':
        if (isObject(value) && Object.hasOwn(value, context.index))
          indexBoost = strictFloatOf(value[context.index]);
        break;
      case 'aggs':
      case 'aggregations':
        aggregations = compileAggregations(value, compiler, {
          shards: context.shards ?? 1,
          everything: () => everything(context, compiler),
          hits: (hits) => compileHits({ ...hits, ...sharedWithHits(body) }, context),
        });
        break;
      case 'inner_hits': {
        const own = readInnerHits(value, compiler);
        // They take the place of those that queries before them asked for.
        if (own !== undefined) compiler.inner = new Map(own.map((each) => [each.name, each]));
        beside = own ?? [];
        break;
      }
      case 'suggest':
        suggest = suggesters.loaded.compileSuggest(value, context);
        break;
      case 'facets':
        readFacets(value, context.model);
        break;
      case 'track_scores':
      case 'trackScores':
        trackScores = booleanOf(value);
        break;
      default:
        if (!WITHOUT_EFFECT.has(key)) {
          throw new ElasticsearchError('SearchParseException', `No parser for element [${key}]`);
        }
    }
    if (after !== undefined) throw after;
  }
  query = timesBoost(query, indexBoost);
  const stated = { from, size, sort: progress.sort };
  from = context.from ?? from;
  size = context.size ?? size;
  const tree = compilePlan(query, postFilter, from + size, context, compiler, explain);
  if (compiler.refusal !== undefined)
    throw notRun(
      compiler,
      stateOf({ ...stated, query: () => show(compiler, withFilters(query, context, compiler, true)) }),
    );
  const sort = keys === undefined || tree.k === 0 ? undefined : { keys, trackScores };
  if (sort !== undefined) {
    tree.sort = sort;
    if (needsAllHits(sort)) tree.k = 0xffff_ffff;
  }
  if (aggregations !== undefined && (aggregations.list.length > 0 || aggregations.failure !== undefined)) {
    const filters = aggregations.filters.map((filter) => rewriteFilter(filter));
    aggregations = { ...aggregations, filters };
    tree.aggregations = aggregations;
  } else {
    aggregations = undefined;
  }
  tree.partial = true;
  if (timeout !== undefined && timeout >= 0) tree.timeout = Math.max(1, Math.ceil(timeout));
  if (minScore !== undefined) tree.minScore = minScore;
  if (rescore !== undefined && sort === undefined && tree.k > 0) tree.rescore = rescore;
  if (terminateAfter > 0) tree.terminateAfter = terminateAfter;
  const named = tree.k === 0 || !compiler.hasNamed ? NONE_NAMED : compiler.named();
  if (named.length > 0) tree.named = named.map(({ node }) => rewriteFilter(node));
  const perShard =
    dependsOnShard(tree.root) ||
    (tree.postFilter !== undefined && dependsOnShard(tree.postFilter)) ||
    (tree.named ?? []).some(dependsOnShard) ||
    (rescore ?? []).some(({ node }) => dependsOnShard(node)) ||
    (tree.aggregations?.filters ?? []).some(dependsOnShard) ||
    insideKeys(tree.sort).some(({ inside }) => dependsOnShard(inside));
  let shared: Uint8Array | undefined;
  const plan = (shard?: PlanShard) => {
    if (perShard) return encodePlan(tree, shard);
    shared ??= encodePlan(tree);
    return shared;
  };
  // What the core would refuse is refused before any shard is asked.
  const planBytes = plan(EMPTY_SHARD).length;
  const enabled =
    fields === undefined ? scriptFields.length === 0 && partialFields.size === 0 : fields.includes('_source');
  source ??= { enabled, includes: [], excludes: [] };
  const names = named.map(({ name }) => name);
  return {
    from,
    size,
    k: tree.k,
    source,
    fields,
    fielddata,
    scriptFields,
    partialFields,
    version,
    sort,
    perShard,
    names,
    // With the filters around it, as highlighters see it.
    highlight:
      highlighted === undefined
        ? undefined
        : { query: withFilters(query, context, compiler, true), fields: highlighted },
    explain,
    rescore: rescore ?? [],
    aggregations,
    facets,
    inner: innerHitsOf(compiler, beside, body ?? {}, context),
    state: (bare = false) => {
      const whole = () => show(compiler, bare ? query : withFilters(query, context, compiler, true));
      return stateOf({ ...stated, query: bare && progress.query === undefined ? undefined : whole });
    },
    suggest,
    tree,
    plan,
    planBytes,
  };
}

/** What a search says of the hits of its aggregations too. */
function sharedWithHits(body: JsonObject | undefined): JsonObject {
  const shared = ['query', 'partial_fields', 'partialFields'];
  return Object.fromEntries(Object.entries(body ?? {}).filter(([key]) => shared.includes(key)));
}

/** The inner hits of a search; errors tell what was read of the body before these. */
function innerHitsOf(
  { inner, index }: Compiler,
  beside: readonly InnerDefinition[],
  body: JsonObject,
  context: SearchContext,
): InnerSearch[] {
  if (inner.size === 0) return [];
  const definitions = [...inner.values()];
  const inQuery = definitions.some((each) => !beside.includes(each));
  try {
    return innerSearches(definitions, context);
  } catch (thrown) {
    if (context.progress !== undefined) goBack(context.progress, body, inQuery ? 'query' : 'inner_hits');
    if (!inQuery) throw thrown;
    throw queryParsing(index, 'Failed to parse [_inner_hits]', toElasticsearchError(thrown));
  }
}

/** Inner hits as searches of their own; as in 1.7 three hits are enough. */
function innerSearches(definitions: readonly InnerDefinition[], context: SearchContext): InnerSearch[] {
  const byName = new Map(definitions.map((each) => [each.name, each]));
  return hashOrder([...byName.keys()]).map((name) => {
    const { scope, options, query, inner } = byName.get(name)!;
    const search = compileHits({ size: 3, ...options }, context, query);
    return { name, scope, search: { ...search, inner: innerSearches(inner, context) } };
  });
}

/**
 * Hits inside of others: the hits of aggregations are those of the documents that come to them, and what the URL says is not about
 * them.
 */
function compileHits(body: JsonObject, context: SearchContext, asked?: PlanNode): CompiledSearch {
  const { from: _from, size: _size, types: _types, filter: _filter, progress, ...rest } = context;
  const inside: Progress = { query: progress?.query, from: 0, size: 3 };
  if (progress !== undefined) progress.inside = inside;
  const search = compileSearch(body, { ...rest, progress: inside, sortsOwnValues: true }, asked);
  if (progress !== undefined) progress.inside = undefined;
  return search;
}

/** 500: a query that is understood and can't be run; the shard stands before the text. */
function notRun(compiler: Compiler, state: string): ElasticsearchError {
  const detail = `${state}: Query Failed [Failed to execute main query]`;
  const nested = compiler.refusal;
  return new ElasticsearchError('QueryPhaseExecutionException', detail, { status: 500, nested });
}
