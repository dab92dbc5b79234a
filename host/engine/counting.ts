/** Counting, and other questions that are a query and nothing else; a bad query is a failure of the shards. */

import { isRefusedMemory, queryParsing, toElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import type { SearchTarget } from '../metadata/targets.js';
import { Passes } from '../passes.js';
import { compileQuery } from '../query/compileQuery.js';
import type { SearchContext } from '../query/searchContext.js';
import { type CopyChoice, chosenShards } from '../search/chosenShards.js';
import type { QueryFailure } from '../search/queryFailure.js';
import type { SearchRequest } from '../search/searchRequest.js';
import { TurnOver } from '../turn.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import type { Engine } from './engine.js';

/** What was counted. */
export interface Count {
  count: number;
  total: number;
  failures: QueryFailure[];
  /** Whether a shard had more documents than it was to count; undefined where it could count all. */
  terminatedEarly: boolean | undefined;
}

/** A body that may only hold a query. */
export type QueryBody = Pick<SearchRequest, 'body' | 'unreadable'> & { text?: string };

/** The query of such a body, for an index; throws what 1.7 says of a bad one, part by part. */
export function queryOf(
  { body, unreadable }: QueryBody,
  index: string,
  check: (query: unknown) => void,
): unknown {
  if (unreadable !== undefined) throw queryParsing(index, 'Failed to parse', unreadable);
  let query: unknown;
  for (const [name, part] of Object.entries(isObject(body) ? body : {})) {
    if (name !== 'query') throw queryParsing(index, `request does not support [${name}]`);
    check(part);
    query = part;
  }
  return query;
}

/** Refuses a query that an index can't have. To be called in passes (passes.ts). */
function checkQuery(
  engine: Engine,
  { index, filter }: SearchTarget,
  query: unknown,
  types: readonly string[],
): void {
  const context = engine.context(index, {
    ...(types.length === 0 ? {} : { types: [...types] }),
    ...(filter === undefined ? {} : { filter }),
  }) as SearchContext;
  try {
    compileQuery(query, context);
  } catch (e) {
    if (e instanceof TurnOver) throw e;
    const error = toElasticsearchError(e);
    if (error.exception === 'QueryParsingException') throw error;
    throw queryParsing(index.name, 'Failed to parse', error);
  }
}

/** The query of a body that an index of the call can have, checked in turns; throws what 1.7 says of a bad one. */
export async function checkedQuery(
  engine: Engine,
  target: SearchTarget,
  body: QueryBody,
  types: readonly string[],
  passes: Passes,
): Promise<unknown> {
  const { name } = target.index;
  return passes.run(() => queryOf(body, name, (query) => checkQuery(engine, target, query, types)));
}

/** Counts the documents that a query finds. */
export async function countDocuments(
  engine: Engine,
  targets: readonly SearchTarget[],
  body: QueryBody,
  types: readonly string[],
  limit: WorkLimit,
  more: Record<string, unknown> = {},
  onlyShards?: ReadonlySet<number>,
  copies?: CopyChoice,
): Promise<Count> {
  const failures: QueryFailure[] = [];
  const good: SearchTarget[] = [];
  const passes = new Passes(limit);
  let total = 0;
  for (const target of targets) {
    const shards = chosenShards(target.index, target.routing, onlyShards);
    total += shards.length;
    try {
      const { name } = target.index;
      const asked = await checkedQuery(engine, target, body, types, passes);
      if (asked === undefined) {
        if ((body.text ?? '') !== '') throw queryParsing(name, 'Required query is missing');
        checkQuery(engine, target, asked, types);
      }
      good.push(target);
    } catch (e) {
      // What there is no memory or time for is not answered in part.
      if (e instanceof WorkOver || isRefusedMemory(e)) throw e;
      const error = toElasticsearchError(e);
      failures.push(...shards.map(({ number }) => ({ index: target.index.name, shard: number, error })));
    }
  }
  const query = isObject(body.body) ? body.body.query : undefined;
  const search = query === undefined ? { size: 0, ...more } : { query, size: 0, ...more };
  const found = await engine.search(good, {
    body: search,
    text: '',
    ...(types.length === 0 ? {} : { types: [...types] }),
    onlyShards,
    copies,
    limit,
  });
  failures.push(...found.shards.failures);
  return { count: found.total, total, failures, terminatedEarly: found.terminatedEarly };
}
