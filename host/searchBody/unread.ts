/**
 * Values of parts of a search body that 1.7's parser has no use for: it leaves their tokens where they are, and takes what follows for
 * parts of the body; or it looks for the parts of an object in what follows.
 */

import { malformed } from '../aggregation/body.js';
import { type ElasticsearchError, illegalArgument, parseFailure } from '../errors.js';
import { tokenOf } from '../json/jsonTokens.js';
import { isNumber, isObject, type JsonObject, textOf } from '../json/values.js';
import { unexpected } from '../query/compiler.js';

/** A part of a body. */
export type Part = readonly [name: string, value: unknown];

/** What becomes of a part. */
interface Taken {
  /** What the part is read from; undefined where it says nothing. */
  value: unknown;
  /** The parts that follow it. */
  next: readonly Part[];
  /** What 1.7 says when the part has been read. */
  after: ElasticsearchError | undefined;
}

/** Parts that are simple values, and those that may also be lists. */
const VALUES = new Set([
  'from',
  'size',
  'version',
  'explain',
  'track_scores',
  'trackScores',
  'min_score',
  'minScore',
]);
const LISTS = new Set(['fields', 'stats']);

/** Parts whose members are read up to the next closing bracket, whatever stands there. */
const MEMBERS = new Set([
  'aggs',
  'aggregations',
  'facets',
  'highlight',
  'indices_boost',
  'indicesBoost',
  'inner_hits',
  'partial_fields',
  'partialFields',
  'rescore',
  'script_fields',
  'scriptFields',
  'suggest',
]);

/** Parts that take the first object of a list for theirs. */
const QUERIES = new Set(['query', 'filter', 'post_filter', 'postFilter']);

/** How a part is read; `rest` are the parts behind it. */
export function takePart([name, value]: Part, rest: readonly Part[]): Taken {
  if (isObject(value)) {
    const isLeft = VALUES.has(name) || LISTS.has(name) || name === 'terminate_after';
    return isLeft ? { value: undefined, next: Object.entries(value), after: undefined } : taken(value, rest);
  }
  if (VALUES.has(name) || name === 'terminate_after') return simplePart(name, value, rest);
  if (QUERIES.has(name) && Array.isArray(value) && isObject(value[0]))
    return { value: value[0], next: [], after: behindBracket(name, value.slice(1)) };
  if (LISTS.has(name)) return taken(value === null ? undefined : value, rest);
  if (!MEMBERS.has(name) || (name === 'rescore' && Array.isArray(value))) return taken(value, rest);
  if (Array.isArray(value)) return membersOfList(name, value, rest);
  return { value: Object.fromEntries(rest), next: [], after: unfinished() };
}

function taken(value: unknown, next: readonly Part[]): Taken {
  return { value, next, after: undefined };
}

function simplePart(name: string, value: unknown, rest: readonly Part[]): Taken {
  if (Array.isArray(value)) throw behindBracket(name, value);
  const isRead = value !== null && (name !== 'terminate_after' || isNumber(value));
  return taken(isRead ? value : undefined, rest);
}

/** The first object of a list is read as the part, and what is behind it in the list is no name of a part. */
function membersOfList(name: string, list: readonly unknown[], rest: readonly Part[]): Taken {
  const first = list.length === 0 ? 'END_ARRAY' : tokenOf(list[0]);
  if (name === 'aggs' || name === 'aggregations')
    throw malformed(
      `Unexpected token ${first} in [aggs]: aggregations definitions must start with the name of the aggregation.`,
    );
  if (name === 'inner_hits')
    throw illegalArgument(
      `Unexpected token ${first} in [inner_hits]: inner_hit definitions must start with the name of the inner_hit.`,
    );
  if (name === 'suggest' && list.length > 0 && !['START_OBJECT', 'START_ARRAY', 'VALUE_NULL'].includes(first))
    throw illegalArgument('[suggest] does not support [null]');
  const at = list.findIndex(isObject);
  const isRead = name === 'highlight' || name.startsWith('indices');
  if (at < 0 || !isRead) return { value: Object.fromEntries(rest), next: [], after: unfinished() };
  return { value: list[at], next: [], after: behindBracket(name, list.slice(at + 1)) };
}

/** 400: what stands in a list, or its end, where the name of a part should. */
export function behindBracket(name: string, list: readonly unknown[]): ElasticsearchError {
  if (list.length > 0) return unexpected('null', list[0]);
  return parseFailure(`Expected field name but got END_ARRAY "${name}"`);
}

/** 400: the body ends where another of its parts should begin. */
export function unfinished(): ElasticsearchError {
  return parseFailure('End of query source reached but query is not complete.');
}

/**
 * The texts of a list as 1.7's parser reads them one token after the other: brackets are texts too, and the first closing one ends the
 * list.
 */
export function tokenTexts(name: string, list: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const [i, each] of list.entries()) {
    if (Array.isArray(each)) {
      texts.push('[', ...tokenTexts(name, each));
      throw behindBracket(name, list.slice(i + 1));
    }
    if (!isObject(each)) texts.push(textOf(each) ?? 'null');
    else texts.push('{', ...memberTexts(name, each), '}');
  }
  return texts;
}

function memberTexts(name: string, object: JsonObject): string[] {
  return Object.entries(object).flatMap(([key, value]) => [key, ...tokenTexts(name, [value])]);
}
