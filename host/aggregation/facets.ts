/**
 * Facets, which older programs ask for: each is read as an aggregation, and what that finds is shown as the facet.
 */

import type { MappingModel } from '../mapping/model.js';
import { isObject, type JsonObject, textOf } from '../json/values.js';
import { malformed } from './body.js';
import { aggregationKinds } from './lateKinds.js';
import type { Found, Shown } from './facetParts.js';
import type { Rendered } from './rendered.js';

/** One facet of a search. */
export interface Facet extends Shown {
  readonly name: string;
}

/** Names of aggregations that are facets begin so. */
const PREFIX = 'facet:';

/** The facets that a search asks for. */
export function readFacets(json: unknown, model: MappingModel): Facet[] {
  if (!isObject(json)) return [];
  // Whatever else is read over, as in 1.7.
  return Object.entries(json).flatMap(([name, definition]) =>
    isObject(definition) ? [readOne(name, definition, model)] : [],
  );
}

/** A search that asks for the facets' aggregations besides its own. */
export function withFacets(body: JsonObject, facets: readonly Facet[]): JsonObject {
  const { facets: _facets, aggs, aggregations = aggs, ...rest } = body;
  const own = isObject(aggregations) ? aggregations : {};
  const added = facets.map(({ name, aggregation }) => [PREFIX + name, aggregation] as const);
  return { ...rest, aggs: { ...own, ...Object.fromEntries(added) } };
}

/** What was found, with the facets apart from the aggregations that were asked for as such. */
export function splitFacets(
  found: Rendered | undefined,
  facets: readonly Facet[],
): { facets: Rendered | undefined; aggregations: Rendered | undefined } {
  if (facets.length === 0 || found === undefined) return { facets: undefined, aggregations: found };
  const all = found as Found;
  const shown = facets.flatMap((facet) => {
    const own = all[PREFIX + facet.name];
    return own === undefined ? [] : [[facet.name, facet.show(own as Found)] as const];
  });
  const taken = new Set(facets.map(({ name }) => PREFIX + name));
  const rest = Object.entries(all).filter(([name]) => !taken.has(name));
  return {
    facets: Object.fromEntries(shown),
    aggregations: rest.length === 0 ? undefined : Object.fromEntries(rest),
  };
}

function readOne(name: string, definition: JsonObject, model: MappingModel): Facet {
  let made: Shown | undefined;
  let filter: unknown;
  let nested: string | undefined;
  let global = false;
  for (const [key, value] of Object.entries(definition)) {
    if (isObject(value)) {
      if (key === 'facet_filter' || key === 'facetFilter') filter = value;
      else {
        const kind = Object.hasOwn(aggregationKinds.loaded.KINDS, key)
          ? aggregationKinds.loaded.KINDS[key]!
          : undefined;
        if (kind === undefined) throw malformed(`No facet type found for [${key}]`);
        made = kind(name, value, model);
      }
    } else if (key === 'global') global = value === true || value === 'true';
    else if (key === 'scope' || key === '_scope')
      throw malformed('the [scope] support in facets have been removed');
    else if (key === 'nested') nested = textOf(value);
  }
  if (made === undefined) throw malformed(`no facet type found for facet named [${name}]`);
  if (nested !== undefined) checkNested(nested, model);
  let { aggregation } = made;
  let wraps = 0;
  const wrap = (outer: JsonObject) => {
    aggregation = { ...outer, aggs: { inside: aggregation } };
    wraps++;
  };
  if (filter !== undefined) wrap({ filter });
  if (nested !== undefined) wrap({ nested: { path: nested } });
  if (global) wrap({ global: {} });
  const { show } = made;
  return {
    name,
    aggregation,
    show: (found) => {
      let inner = found;
      for (let i = 0; i < wraps; i++) inner = inner.inside as Found;
      return show(inner);
    },
  };
}

/** 400: a path without nested objects. */
function checkNested(path: string, model: MappingModel): void {
  const object = model.objectAt(path);
  if (object === undefined) throw malformed(`facet nested path [${path}] not found`);
  if (!object.nested) throw malformed(`facet nested path [${path}] is not nested`);
}
