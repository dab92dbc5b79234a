/** What the body of a request puts into a new index. */
import { mapperParsing, toElasticsearchError } from '../errors.js';
import { booleanOf, isObject } from '../json/values.js';
import { asMap } from '../compat17/javaCasts.js';
import type { OpenIndex, Warmer } from './openIndex.js';

/** The mappings of a new index, `_default_` before the types that start from it. */
export function addMappings(index: OpenIndex, mappings: Record<string, unknown>): void {
  const types = Object.entries(mappings);
  types.sort(([a], [b]) => Number(b === '_default_') - Number(a === '_default_'));
  for (const [type, given] of types) {
    const mapping = asMap(given);
    try {
      if (Object.keys(mapping).length > 0) index.model.putMapping(type, mapping, {});
      else if (type !== '_default_') index.model.ensureType(type);
    } catch (e) {
      throw mapperParsing(`mapping [${type}]`, toElasticsearchError(e));
    }
  }
}

/** Warmers by name, from what a request says of them. */
export function readWarmers(warmers: Record<string, unknown>): Record<string, Warmer> {
  return Object.fromEntries(
    Object.entries(warmers).flatMap(([name, body]) => {
      if (!isObject(body)) return [];
      const { types, source, queryCache, query_cache: cache = queryCache } = body;
      const warmer = {
        types: Array.isArray(types) ? types.map(String) : [],
        ...(cache === undefined ? {} : { queryCache: booleanOf(cache) }),
        source: source ?? {},
      };
      return [[name, warmer]];
    }),
  );
}
