/** The body of a percolation. */

import { Compiler } from '../query/compiler.js';
import { highlighting } from '../highlight/lateHighlighting.js';
import type { Highlight } from '../highlight/request.js';
import { compileSearch } from '../searchBody/compile.js';
import type { SearchContext } from '../query/searchContext.js';
import { compileSort } from '../query/sort/sort.js';
import {
  type ElasticsearchError,
  illegalArgument,
  mapperParsing,
  parseFailure,
  toElasticsearchError,
} from '../errors.js';
import { Passes } from '../passes.js';
import { type Turns, type WorkLimit, WorkOver } from '../workLimit.js';
import { valuesUnder } from '../json/repeatedKeys.js';
import { booleanOf, isCompound, isObject, type JsonObject, strictIntOf } from '../json/values.js';

/** What is asked. */
export interface Percolation {
  /** The document; undefined where the body has none. */
  document: JsonObject | undefined;
  /** Which of the registered queries count: a query over their documents. */
  query: JsonObject | undefined;
  /** At most that many matches; undefined: all. */
  size: number | undefined;
  sorted: boolean;
  trackScores: boolean;
  highlight: Highlight['fields'] | undefined;
  aggregations: unknown;
  facets: unknown;
}

/** Reads a body for an index; `parse` tries the document with the mapping. */
export function* readPercolation(
  body: unknown,
  context: SearchContext,
  parse: (document: JsonObject) => Turns<unknown>,
  limit: WorkLimit,
): Turns<Percolation> {
  const passes = new Passes(limit);
  const asked: Percolation = {
    document: undefined,
    query: undefined,
    size: undefined,
    sorted: false,
    trackScores: false,
    highlight: undefined,
    aggregations: undefined,
    facets: undefined,
  };
  try {
    for (const [key, value] of partsOf(isObject(body) ? body : {}))
      yield* readPart(asked, key, value, context, parse, passes);
  } catch (e) {
    if (e instanceof WorkOver) throw e;
    throw parseFailure('failed to parse request', toElasticsearchError(e));
  }
  return asked;
}

/** Keys of objects that are read as a whole. */
const WHOLE = new Set(['query', 'filter', 'sort', 'highlight', 'aggs', 'aggregations', 'facets']);

/**
 * The parts of a body as 1.7 comes by them: what is in a list stands where the list does, and an object that it doesn't know is
 * walked into, after which it takes the body to be over.
 */
function* partsOf(body: JsonObject): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(body)) {
    for (const value of valuesUnder(body, key)) {
      if (isObject(value) && key !== 'doc' && !WHOLE.has(key)) {
        yield* partsOf(value);
        return;
      }
      if (Array.isArray(value) && key !== 'doc' && key !== 'sort')
        for (const each of value) yield [key, each];
      else yield [key, value];
    }
  }
}

function* readPart(
  asked: Percolation,
  key: string,
  value: unknown,
  context: SearchContext,
  parse: (document: JsonObject) => Turns<unknown>,
  passes: Passes,
): Turns<void> {
  switch (key) {
    case 'doc':
      if (asked.document !== undefined) throw parseFailure('Either specify doc or get, not both');
      if (!isObject(value)) throw mapperParsing('Malformed content, must start with an object');
      yield* parse(value);
      asked.document = value;
      break;
    case 'query':
    case 'filter':
      if (!isObject(value)) break;
      if (asked.query !== undefined) throw parseFailure('Either specify query or filter, not both');
      asked.query = key === 'query' ? value : { constant_score: { filter: value } };
      yield* passes.inTurns(() => compileSearch({ query: asked.query }, context));
      break;
    case 'size':
      if (value === null || isCompound(value)) break;
      asked.size = strictIntOf(value);
      if (asked.size < 0)
        throw parseFailure(`size is set to [${asked.size}] and is expected to be higher or equal to 0`);
      break;
    case 'sort':
      if (value === null) break;
      if (compileSort(value, new Compiler(context)) !== undefined)
        throw parseFailure('Only _score desc is supported');
      asked.sorted = true;
      break;
    case 'track_scores':
    case 'trackScores':
      if (value !== null && !isCompound(value)) asked.trackScores = booleanOf(value);
      break;
    case 'highlight': {
      const compiler = new Compiler(context);
      // There is nothing stored of the document.
      asked.highlight = highlighting.loaded
        .readHighlight(value, (query) => compiler.query(query))
        ?.map(({ pattern, options }) => ({ pattern, options: { ...options, forceSource: true } }));
      break;
    }
    case 'aggs':
    case 'aggregations':
      yield* passes.inTurns(() => compileSearch({ aggs: value }, context));
      asked.aggregations = value;
      break;
    case 'facets':
      yield* passes.inTurns(() => compileSearch({ facets: value }, context));
      asked.facets = value;
      break;
  }
}

/** Why its parts can't be asked for together; undefined where they can. */
export function problemOf({ size, sorted, highlight }: Percolation): ElasticsearchError | undefined {
  if (size !== undefined) return undefined;
  if (sorted) return illegalArgument("Can't sort if size isn't specified");
  return highlight === undefined ? undefined : illegalArgument("Can't highlight if size isn't specified");
}
