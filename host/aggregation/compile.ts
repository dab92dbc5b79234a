/** The aggregations of a search: parsed, written for the core, and reduced to what is shown. */

import type { Dsl } from '../query/context.js';
import { tokenOf } from '../json/jsonTokens.js';
import type { PlanNode } from '../plan/nodes.js';
import { ElasticsearchError, illegalArgument, toElasticsearchError } from '../errors.js';
import { repeatedKey } from '../json/repeatedKeys.js';
import { isObject, type JsonObject } from '../json/values.js';
import type { Turns } from '../workLimit.js';
import type { Aggregation } from './aggregation.js';
import { type AggregationContext, malformed } from './body.js';
import { partialsOf, type ShardDocuments } from './reader.js';
import { type Reduction, ReductionOver } from './reduction.js';
import { aggregationKinds } from './lateKinds.js';
import type { Rendered } from './rendered.js';

/** Deeper trees are refused. */
const MAX_DEPTH = 60;
const NAME = /^[^[\]>]+$/;

/** The aggregations of one index. */
export interface CompiledAggregations {
  readonly list: readonly Aggregation[];
  readonly filters: readonly PlanNode[];
  /** Why the search fails when it begins. */
  readonly failure: ElasticsearchError | undefined;
}

/** Compiles the aggregations of a search. */
export function compileAggregations(
  json: unknown,
  dsl: Dsl,
  search: Pick<AggregationContext, 'shards' | 'hits' | 'everything'>,
): CompiledAggregations {
  const context: AggregationContext = {
    dsl,
    ...search,
    filters: [],
    extras: [],
    failure: undefined,
    inside: undefined,
    nested: false,
    depth: 0,
    parent: undefined,
    above: undefined,
    own: undefined,
  };
  const list = readLevel(json, context, 1);
  // What can't be searched is not written either.
  if (context.failure !== undefined) return { list: [], filters: [], failure: context.failure };
  // What others need comes first.
  return { list: [...context.extras, ...list], filters: context.filters, failure: undefined };
}

function readLevel(json: unknown, context: AggregationContext, level: number): Aggregation[] {
  if (level > MAX_DEPTH) throw malformed(`more than ${MAX_DEPTH} levels of aggregations`);
  if (!isObject(json)) return [];
  const list = Object.entries(json).map(([name, definition]) => readOne(name, definition, context, level));
  const twice = repeatedKey(json);
  if (twice !== undefined)
    throw illegalArgument(`Two sibling aggregations cannot have the same name: [${twice}]`);
  return list;
}

function readOne(name: string, definition: unknown, context: AggregationContext, level: number): Aggregation {
  if (!NAME.test(name)) {
    throw malformed(
      `Invalid aggregation name [${name}]. Aggregation names must be alpha-numeric and can only contain '_' and '-'`,
    );
  }
  if (!isObject(definition)) {
    throw malformed(
      `Aggregation definition for [${name} starts with a [${tokenOf(definition)}], expected a [START_OBJECT].`,
    );
  }
  let kind: string | undefined;
  let made: Aggregation | undefined;
  let below: JsonObject | undefined;
  let children: Aggregation[] = [];
  const { above } = context;
  context.own = undefined;
  for (const [key, value] of Object.entries(definition)) {
    if (!isObject(value))
      throw malformed(`Expected [START_OBJECT] under [${key}], but got a [${tokenOf(value)}] in [${name}]`);
    if (key === 'aggs' || key === 'aggregations') {
      if (below !== undefined) throw malformed(`Found two sub aggregation definitions under [${name}]`);
      below = value;
      // Those before the aggregation itself are read when it is known.
      if (made !== undefined) children = readBelow(below, made, context, level);
      continue;
    }
    if (kind !== undefined)
      throw malformed(`Found two aggregation type definitions in [${name}]: [${kind}] and [${key}]`);
    kind = key;
    const { read, reach } = aggregationKinds.loaded.kindOf(key, name);
    made = context.dsl.reaching(key, reach, () => read(name, value, context));
    context.above = context.own ?? above;
    if (below !== undefined) children = readBelow(below, made, context, level);
  }
  context.above = above;
  const twice = repeatedKey(definition);
  if (twice === 'aggs' || twice === 'aggregations')
    throw malformed(`Found two sub aggregation definitions under [${name}]`);
  if (twice !== undefined)
    throw malformed(`Found two aggregation type definitions in [${name}]: [${twice}] and [${twice}]`);
  if (made === undefined || kind === undefined)
    throw malformed(`Missing definition for aggregation [${name}]`);
  return withChildren(name, made, kind, children, context);
}

/** Reads the aggregations below one. */
function readBelow(
  below: JsonObject,
  made: Aggregation,
  context: AggregationContext,
  level: number,
): Aggregation[] {
  const { inside, nested, failure, parent, depth } = context;
  context.depth = depth + (made.isOpen ? 1 : 0);
  context.inside = made.inside === undefined ? inside : made.inside.path;
  context.nested = made.inside?.nested ?? nested;
  context.parent = made.name;
  const children = readLevel(below, context, level + 1);
  // Nobody finds out what is wrong with what is left out.
  if (made.leavesOutBelow) context.failure = failure;
  context.depth = depth;
  context.inside = inside;
  context.nested = nested;
  context.parent = parent;
  return children;
}

function withChildren(
  name: string,
  made: Aggregation,
  kind: string,
  children: Aggregation[],
  context: AggregationContext,
): Aggregation {
  if (children.length > 0 && made.shape === 'metric')
    throw new ElasticsearchError(
      'AggregationInitializationException',
      `Aggregator [${name}] of type [${kind}] cannot accept sub-aggregations`,
      { status: 400 },
    );
  made.children = children;
  try {
    made.check();
  } catch (thrown) {
    context.failure ??= toElasticsearchError(thrown);
  }
  return made;
}

/** One shard's share: its index's aggregations, and what lies behind the hits of its result. */
export interface AggregatedPart {
  aggregations: CompiledAggregations;
  rest: Uint8Array;
  /** Bytes behind the partials. */
  behind: number;
  /** The shard's documents, where hits are to be shown. */
  shard?: ShardDocuments;
}

/** What a shard has found, to be reduced; throws a `ShardRefusal` where the shard fails over it. */
export function* readAggregations(
  { aggregations, rest, behind, shard }: AggregatedPart,
  work: Reduction,
): Turns<unknown[]> {
  const reader = partialsOf(rest, behind, shard);
  const partials: unknown[] = [];
  for (const each of aggregations.list) partials.push(yield* each.read(reader, work));
  return partials;
}

/**
 * Reduces what the shards have found to what is shown; undefined without aggregations. Aggregations that there is no time for are left
 * out.
 */
export function* reduceAggregations(
  aggregations: CompiledAggregations | undefined,
  partials: readonly (readonly unknown[])[],
  work: Reduction,
): Turns<Rendered | undefined> {
  if (aggregations === undefined || aggregations.list.length === 0) return undefined;
  const shown: [string, Rendered][] = [];
  try {
    yield* reduce(aggregations, partials, work, shown);
  } catch (e) {
    if (!(e instanceof ReductionOver)) throw e;
  }
  return Object.fromEntries(shown);
}

function* reduce(
  { list }: CompiledAggregations,
  partials: readonly (readonly unknown[])[],
  work: Reduction,
  shown: [string, Rendered][],
): Turns<void> {
  if (work.isLate) return;
  for (const [i, each] of list.entries()) {
    const merged = yield* each.merge(
      partials.map((own) => own[i]),
      work,
    );
    if (each.isShown) shown.push([each.name, yield* each.render(merged, work)]);
  }
}
