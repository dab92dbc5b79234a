/** A query body checked and printed, as `_validate/query` answers it. */

import { type ElasticsearchError, isRefusedMemory, queryParsing, toElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import type { PlanNode } from '../plan/nodes.js';
import { rewrite } from '../plan/rewrite.js';
import { Compiler } from './compiler.js';
import { matchAll, show } from './context.js';
import type { SearchContext } from './searchContext.js';
import { withFilters } from './visible.js';

/** Whether a query is one, and how it prints or what is wrong with it. */
export type Validation =
  | { valid: true; explanation: string | undefined; query: PlanNode }
  | { valid: false; error: string };

/** A request body; undefined is one that is empty. `query` is what shards rewrite. */
export function validateQuery(body: unknown, context: SearchContext): Validation {
  try {
    const compiler = new Compiler(context);
    const query = withFilters(readQuery(body, compiler, context.index), context, compiler, true);
    // One kind has no text in Lucene.
    const explanation = query.kind === 'fuzzyLikeThis' ? undefined : show(compiler, query);
    return { valid: true, explanation, query: rewrite(query) };
  } catch (thrown) {
    const error = toElasticsearchError(thrown);
    // Whether the query is one isn't known.
    if (isRefusedMemory(error)) throw error;
    return { valid: false, error: errorText(error, context.index) };
  }
}

/** The error of a body that is no JSON. */
export function unreadableText(thrown: unknown, index: string): string {
  return errorText(toElasticsearchError(thrown), index);
}

function readQuery(body: unknown, compiler: Compiler, index: string): PlanNode {
  if (body === undefined) return matchAll();
  if (!isObject(body)) throw queryParsing(index, 'Failed to parse');
  let query: PlanNode | undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'query') throw queryParsing(index, `request does not support [${key}]`);
    query = compiler.query(value);
  }
  if (query === undefined) throw queryParsing(index, 'Required query is missing');
  return query;
}

const PACKAGES: Readonly<Record<string, string>> = {
  QueryParsingException: 'org.elasticsearch.index.query',
  ElasticsearchParseException: 'org.elasticsearch',
  ElasticsearchIllegalArgumentException: 'org.elasticsearch',
  ElasticsearchIllegalStateException: 'org.elasticsearch',
  ParseException: 'org.apache.lucene.queryparser.classic',
  JsonParseException: 'com.fasterxml.jackson.core',
  TooManyClauses: 'org.apache.lucene.search.BooleanQuery$',
};

/** A chain of exceptions with their packages; what is no complaint of the parser's own is wrapped in one. */
function errorText(error: ElasticsearchError, index: string): string {
  const whole =
    error.exception === 'QueryParsingException' ? error : queryParsing(index, 'Failed to parse', error);
  const parts: string[] = [];
  let last: string | null = null;
  for (let each: ElasticsearchError | undefined = whole; each !== undefined; each = each.nested) {
    // A cause whose text the one before repeats is left out.
    if (each !== whole && each.detail !== null && last?.endsWith(`: ${each.detail}`) === true) break;
    last = each.detail;
    const name = `${PACKAGES[each.exception] ?? 'java.lang'}.${each.exception}`.replace('$.', '$');
    parts.push(each.detail === null ? name : `${name}: ${each.detail}`);
  }
  return parts.join('; ');
}
