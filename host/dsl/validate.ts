/** A query body checked and printed, as `_validate/query` answers it. */

import { type ElasticsearchError, queryParsing, toElasticsearchError } from '../errors.js';
import { isObject } from '../mapping/values.js';
import { Compiler } from './compiler.js';
import { matchAll, show } from './context.js';
import { type PlanNode, Rewrite } from './plan.js';
import { rewrite } from './rewrite.js';
import { type SearchContext, withFilters } from './search.js';

/** Whether a query is one, and how it prints or what is wrong with it. */
export type Validation = { valid: true; explanation: string | undefined } | { valid: false; error: string };

/** A request body; undefined is one that is empty. */
export function validateQuery(body: unknown, context: SearchContext, rewritten = false): Validation {
  try {
    const compiler = new Compiler(context);
    const query = withFilters(readQuery(body, compiler, context.index), context, compiler, true);
    const node = rewritten ? constants(rewrite(query)) : query;
    return { valid: true, explanation: node.kind === 'fuzzyLikeThis' ? undefined : show(compiler, node) };
  } catch (thrown) {
    return { valid: false, error: errorText(toElasticsearchError(thrown), context.index) };
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

/** Multi-term queries that score a constant stand in one after the rewriting. */
function constants(node: PlanNode): PlanNode {
  switch (node.kind) {
    case 'multiTerm': {
      const constant = node.rewrite === Rewrite.constantAuto || node.rewrite === Rewrite.constantFilter;
      return constant ? { kind: 'constant', boost: node.boost, node: { ...node, boost: 1 } } : node;
    }
    case 'boolean':
      return {
        ...node,
        clauses: node.clauses.map((clause) => ({ ...clause, node: constants(clause.node) })),
      };
    case 'disMax':
      return { ...node, nodes: node.nodes.map(constants) };
    case 'filtered':
      return { ...node, query: constants(node.query) };
    default:
      return node;
  }
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
