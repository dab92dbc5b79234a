/** A search over several indices: one plan per index, all shards at once, the best hits of all, their documents. */
import { compileSearch } from '../dsl/search.js';
import type { SearchResult } from '../core/result.js';
import {
  ElasticsearchError,
  searchParse,
  type ShardFailure,
  searchPhaseFailed,
  toElasticsearchError,
} from '../errors.js';
import type { MappingModel } from '../mapping/model.js';
import type { StoredDocument } from '../storage/records.js';
import type { OpenIndex } from './openIndex.js';
import { shardOf } from './routing.js';
import type { Shard } from './shard.js';
import type { SearchTarget } from './targets.js';

type Compiled = ReturnType<typeof compileSearch>;

/** What is searched. */
export interface SearchRequest {
  /** The parsed body; undefined matches everything. */
  body: unknown;
  /** The body as text, for the texts of errors. */
  text: string;
  /** Why the body can't be read; every shard then says so. */
  unreadable?: ElasticsearchError;
  types?: string[] | undefined;
  /** Only the shards of these numbers. */
  onlyShards?: ReadonlySet<number> | undefined;
}

/** A document that was found. */
export interface Hit {
  index: string;
  model: MappingModel;
  score: number;
  document: StoredDocument;
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
  /** Fields that hits show. */
  fields: readonly string[] | undefined;
}

/** What a search needs of the engine. */
export interface SearchServices {
  node: string;
  now(): number;
}

/** One shard that takes part. */
interface Part {
  index: OpenIndex;
  shard: Shard;
  plan: (() => Uint8Array) | undefined;
  result: SearchResult | undefined;
  error: ElasticsearchError | undefined;
}

const MAX_WINDOW = 2_147_483_647;
const STATE = 'from[-1],size[-1]';
/** An error shows this much of a body, once per shard. */
const MAX_SHOWN = 10_000;
/** Where in a plan the number of wanted hits stands. */
const PLAN_K = 8;

/** Runs it; fails if every shard does. */
export async function search(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
): Promise<SearchResponse> {
  const parts: Part[] = [];
  let compiled: Compiled | undefined;
  for (const { index, filter, routing } of targets) {
    const shards = chosenShards(index, routing, request.onlyShards);
    try {
      if (request.unreadable !== undefined) throw request.unreadable;
      const plan = compileSearch(request.body, {
        index: index.name,
        model: index.model,
        registry: index.registry,
        now: services.now,
        ...(request.types === undefined ? {} : { types: request.types }),
        ...(filter === undefined ? {} : { filter }),
      });
      compiled ??= plan;
      const once = plan.perShard ? undefined : plan.plan();
      for (const shard of shards) {
        const bytes = () => bounded(once ?? plan.plan((uid) => shard.visibleKey(uid)), shard.documentBound);
        parts.push({ index, shard, plan: bytes, result: undefined, error: windowError(index, shard, plan) });
      }
    } catch (e) {
      for (const shard of shards)
        parts.push({
          index,
          shard,
          plan: undefined,
          result: undefined,
          error: parseError(e, index, shard, request.text),
        });
    }
  }
  const holds = parts.map(({ shard }) => shard.hold());
  try {
    await Promise.all(parts.map(run));
    return collect(parts, compiled, services.node);
  } finally {
    for (const release of holds) release();
  }
}

/** The shards of routing values; all without one. */
export function chosenShards(
  index: OpenIndex,
  routing: readonly string[] | undefined,
  only?: ReadonlySet<number>,
): readonly Shard[] {
  let { shards } = index;
  if (only !== undefined) shards = shards.filter(({ number }) => only.has(number));
  if (routing === undefined) return shards;
  const numbers = new Set(routing.map((value) => shardOf(value, index.shards.length)));
  return shards.filter(({ number }) => numbers.has(number));
}

async function run(part: Part): Promise<void> {
  if (part.error !== undefined || part.plan === undefined) return;
  try {
    part.result = await part.shard.query(part.plan);
  } catch (e) {
    part.error = toElasticsearchError(e);
  }
}

/** No shard can have more hits than it has had documents: an enormous size costs nothing. */
function bounded(plan: Uint8Array, documents: number): Uint8Array {
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  const k = view.getUint32(PLAN_K, true);
  if (k <= documents) return plan;
  const copy = plan.slice();
  // Zero would mean the total alone, without a maximum score.
  new DataView(copy.buffer).setUint32(PLAN_K, Math.max(1, documents), true);
  return copy;
}

function windowError(
  index: OpenIndex,
  shard: Shard,
  { from, size }: Compiled,
): ElasticsearchError | undefined {
  if (from + size <= MAX_WINDOW) return undefined;
  return new ElasticsearchError(
    'QueryPhaseExecutionException',
    `[${index.name}][${shard.number}]: from[${from}],size[${size}]: Result window is too large, from + size must be less than or equal to: [${MAX_WINDOW}] but was [${from + size}]`,
  );
}

/** What a shard says of a body that it can't read: its own text, then the cause. */
function parseError(thrown: unknown, index: OpenIndex, shard: Shard, text: string): ElasticsearchError {
  let cause = toElasticsearchError(thrown);
  if (cause.exception === 'SearchParseException')
    cause = searchParse(index.name, shard.number, STATE, cause.detail ?? '');
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
  const outer = searchParse(index.name, shard.number, STATE, `Failed to parse source [${shown}]`, cause);
  return new ElasticsearchError(outer.exception, outer.detail, { status: outer.status, nested: cause });
}

function collect(parts: readonly Part[], compiled: Compiled | undefined, node: string): SearchResponse {
  const failures: ShardFailure[] = parts.flatMap(({ index, shard, error }) =>
    error === undefined ? [] : [{ node, index: index.name, shard: shard.number, error }],
  );
  if (parts.length > 0 && failures.length === parts.length) {
    throw searchPhaseFailed(parts.length === 1 ? 'query_fetch' : 'query', firstOfEach(failures));
  }
  const { from = 0, size = 10, source, version = false } = compiled ?? {};
  const answered = parts.filter((part) => part.result !== undefined);
  const total = answered.reduce((sum, { result }) => sum + result!.total, 0);
  let maxScore: number | null = parts.length === 0 || size === 0 ? 0 : null;
  if (size > 0) {
    for (const { result } of answered) {
      if (!Number.isNaN(result!.maxScore) && result!.total > 0)
        maxScore = Math.max(maxScore ?? Number.NEGATIVE_INFINITY, result!.maxScore);
    }
  }
  return {
    shards: { total: parts.length, failed: failures.length, failures: firstOfEach(failures) },
    total,
    maxScore,
    hits: size === 0 ? [] : best(answered, from, size),
    source: source ?? { enabled: true, includes: [], excludes: [] },
    version,
    fields: compiled?.fields,
  };
}

/** Failures as 1.7 groups them: of each index the first of each kind. */
function firstOfEach(failures: readonly ShardFailure[]): ShardFailure[] {
  const seen = new Set<string>();
  return failures.filter(({ index, error }) => {
    const key = `${index} ${error.exception} ${error.nested?.render()}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Score descending, then shard, then document order. */
function best(parts: readonly Part[], from: number, size: number): Hit[] {
  const at = new Array<number>(parts.length).fill(0);
  const hits: Hit[] = [];
  for (let rank = 0; rank - from < size; rank++) {
    let winner = -1;
    let score = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < parts.length; p++) {
      const { scores } = parts[p]!.result!;
      if (at[p]! >= scores.length) continue;
      if (winner < 0 || scores[at[p]!]! > score) {
        winner = p;
        score = scores[at[p]!]!;
      }
    }
    if (winner < 0) break;
    const { result, shard, index } = parts[winner]!;
    const key = result!.keys[at[winner]!++]!;
    if (rank < from) continue;
    const document = shard.document(key);
    if (document === undefined)
      throw new Error(`[${index.name}][${shard.number}] document ${key} is missing from the store`);
    hits.push({ index: index.name, model: index.model, score, document });
  }
  return hits;
}
