/**
 * Queries and filters across documents: `has_child`, `has_parent`, `top_children`. Mappings have no parents, and so these say what
 * 1.7 says where there are none.
 */

import { type ElasticsearchError, notOffered, queryParsing } from '../errors.js';
import { isObject, type JsonObject, textOf } from '../mapping/values.js';
import type { Dsl, FilterCompiler, QueryCompiler } from './context.js';

type Kind = 'query' | 'filter';

const has = (body: JsonObject, ...names: string[]) => names.some((name) => isObject(body[name]));

/** A type with parents, or what is wrong with it. */
function childType(what: string, type: string, dsl: Dsl): ElasticsearchError {
  const mapping = dsl.model.type(type);
  if (mapping === undefined) {
    return queryParsing(dsl.index, `[${what}] No mapping for for type [${type}]`);
  }
  if (mapping.toJSON()._parent !== undefined) return notOffered(`a ${what} query`);
  return queryParsing(dsl.index, `[${what}]  Type [${type}] does not have parent mapping`);
}

function hasChild(body: JsonObject, dsl: Dsl, kind: Kind): ElasticsearchError {
  const fail = (detail: string) =>
    queryParsing(dsl.index, `[has_child] ${kind === 'filter' ? 'filter ' : ''}${detail}`);
  if (kind === 'query' && !has(body, 'query')) return fail("requires 'query' field");
  if (kind === 'filter' && !has(body, 'query', 'filter')) return fail("requires 'query' or 'filter' field");
  const type = textOf(body.type ?? body.child_type ?? body.childType);
  return type === undefined ? fail("requires 'type' field") : childType('has_child', type, dsl);
}

function topChildren(body: JsonObject, dsl: Dsl): ElasticsearchError {
  if (!has(body, 'query')) return queryParsing(dsl.index, "[top_children] requires 'query' field");
  const type = textOf(body.type);
  if (type === undefined) return queryParsing(dsl.index, "[top_children] requires 'type' field");
  return childType('top_children', type, dsl);
}

function hasParent(body: JsonObject, dsl: Dsl, kind: Kind): ElasticsearchError {
  const fail = (detail: string) => queryParsing(dsl.index, `[has_parent] ${detail}`);
  if (kind === 'query' && !has(body, 'query')) return fail("query requires 'query' field");
  if (kind === 'filter' && !has(body, 'query', 'filter')) {
    return fail("filter requires 'query' or 'filter' field");
  }
  const type = textOf(body.parent_type ?? body.parentType ?? body.type);
  if (type === undefined) return fail(`${kind} requires 'parent_type' field`);
  const { model } = dsl;
  if (!model.hasType(type)) return fail(`${kind} configured 'parent_type' [${type}] is not a valid type`);
  if (model.typeNames().some((name) => model.type(name)!.toJSON()._parent !== undefined)) {
    return notOffered('a has_parent query');
  }
  return fail('no _parent field configured');
}

const parts = {
  has_child: hasChild,
  hasChild,
  has_parent: hasParent,
  hasParent,
  top_children: topChildren,
};

function compilers<T extends QueryCompiler | FilterCompiler>(kind: Kind): Record<string, T> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, why]) => {
      const compile = (body: unknown, dsl: Dsl): never => {
        throw why(isObject(body) ? body : {}, dsl, kind);
      };
      return [name, compile as unknown as T];
    }),
  );
}

/** The queries by name. */
export const joinQueries: Record<string, QueryCompiler> = compilers('query');
/** The filters by name. */
export const joinFilters: Record<string, FilterCompiler> = compilers('filter');
