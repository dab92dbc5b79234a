/** Random requests to an index in any layout. */
import { aggregations } from './aggregations.js';
import { Chance } from './chance.js';
import { facet } from './facets.js';
import { type Scope, SCOPES } from './fields.js';
import { highlight } from './highlights.js';
import type { Json, JsonObject } from './json.js';
import { ALIAS, INDEX } from './layouts.js';
import { percolate, percolations } from './percolations.js';
import { constantQuery, filter, query } from './queries.js';
import { reading, uriSearch } from './reading.js';
import type { Request } from './request.js';
import { sort, sourceFilter } from './sorts.js';
import { suggestions } from './suggestions.js';

const ROOT = SCOPES.item!;

/** Where a search goes, and the fields that it can name. */
function target(c: Chance): { path: string; scope: Scope } {
  const types = c.of(['item', 'item', 'item', 'item,child', 'child', 'grand', '', 'item,child,grand']);
  const scope = types === 'child' || types === 'grand' ? SCOPES[types]! : ROOT;
  const name = c.chance(0.08) ? ALIAS : INDEX;
  return { path: types === '' ? `/${name}` : `/${name}/${types}`, scope };
}

function anyQuery(c: Chance, scope: Scope, depth = 3): JsonObject {
  return c.chance(0.5) ? constantQuery(c, scope, depth - 1) : query(c, scope, depth);
}

const SHOWN = ['_source', '_parent', '_routing', '_timestamp', '_type', '_uid'];

/** What is shown of hits. */
function shown(c: Chance, scope: Scope): JsonObject {
  return {
    ...c.maybe(0.25, '_source', () => sourceFilter(c)),
    ...c.maybe(0.2, 'fields', () =>
      c.many(1, 3, () => c.of([...scope.text, ...scope.number, ...scope.word, ...SHOWN])),
    ),
    ...c.maybe(0.15, 'fielddata_fields', () =>
      c.many(1, 3, () => c.of([...scope.number, ...scope.word, ...scope.geo, ...scope.date])),
    ),
    ...c.maybe(0.12, 'script_fields', () => ({
      s: {
        script: c.of(['doc["n"].value * 3', 'doc["seq"].value + doc["n"].value', '_score']),
        lang: 'expression',
      },
    })),
    ...c.maybe(0.15, 'highlight', () => highlight(c, scope)),
    ...c.maybe(0.08, 'explain', () => true),
    ...c.maybe(0.05, 'partial_fields', () => ({
      p: { include: 't*', exclude: c.of<Json>(['title', ['tag', 'n']]) },
    })),
    ...c.maybe(0.05, 'version', () => true),
  };
}

function searchBody(c: Chance, scope: Scope): JsonObject {
  const aggregated = c.chance(0.55);
  return {
    ...c.maybe(0.85, 'query', () => anyQuery(c, scope)),
    ...c.maybe(aggregated ? 0.5 : 0.4, 'size', () => c.of([0, 0, 1, 3, 100])),
    ...c.maybe(0.1, 'from', () => c.between(1, 5)),
    ...c.maybe(0.45, 'sort', () => sort(c, scope)),
    ...c.maybe(0.1, 'track_scores', () => true),
    ...c.maybe(0.15, c.of(['post_filter', 'post_filter', 'filter']), () => filter(c, scope, 2)),
    ...c.maybe(0.04, 'terminate_after', () => c.of([1, 4, 1000])),
    ...c.maybe(0.04, 'indices_boost', () => ({ [INDEX]: 2 })),
    ...c.maybe(0.03, 'stats', () => ['group']),
    ...c.maybe(0.03, 'timeout', () => '60s'),
    ...c.maybe(0.06, 'min_score', () => c.of([0.1, 0.5, 1])),
    ...c.maybe(0.08, 'rescore', () => ({
      window_size: c.between(1, 20),
      query: {
        rescore_query: query(c, scope, 1),
        ...c.maybe(0.5, 'query_weight', () => 0.7),
        ...c.maybe(0.5, 'score_mode', () => c.of(['total', 'multiply', 'avg', 'max', 'min'])),
      },
    })),
    ...shown(c, scope),
    ...(aggregated ? { aggs: aggregations(c, scope, scope, 3, true) } : {}),
    ...(scope === ROOT ? c.maybe(0.08, 'facets', () => ({ f: facet(c, scope), g: facet(c, scope) })) : {}),
    ...(scope === ROOT ? c.maybe(0.05, 'suggest', () => suggestions(c, scope)) : {}),
    ...c.maybe(0.08, 'inner_hits', () => innerHitsOf(c, scope)),
  };
}

function innerHitsOf(c: Chance, scope: Scope): JsonObject {
  const paths = Object.entries(scope.nested);
  if (paths.length > 0 && c.chance(0.7)) {
    const [path, inner] = c.of(paths);
    return { h: { path: { [path]: { query: query(c, inner, 1) } } } };
  }
  const type = c.of([...scope.children, ...scope.parents]);
  return { h: { type: { [type]: { query: query(c, SCOPES[type]!, 1) } } } };
}

const search = (c: Chance): Request => {
  const { path, scope } = target(c);
  const kind = c.chance(0.08) ? `?search_type=${c.of(['count', 'count', 'query_and_fetch'])}` : '';
  return {
    method: 'POST',
    uri: `${path}/_search${kind}`,
    body: searchBody(c, scope),
    ...(c.chance(0.15) ? { twice: true } : {}),
  };
};

/** Scores by the statistics of all shards; in most, equal ones come in an order that doesn't go by shards. */
const dfs = (c: Chance): Request => {
  const { path, scope } = target(c);
  const { aggs, ...body } = searchBody(c, scope);
  const sort = c.chance(0.8) ? { sort: ['_score', { seq: 'asc' }] } : {};
  return {
    method: 'POST',
    uri: `${path}/_search?search_type=dfs_query_then_fetch`,
    body: { ...body, query: query(c, scope, 2), ...sort },
  };
};

const scroll = (c: Chance): Request => {
  const { path, scope } = target(c);
  const scan = c.chance(0.3) ? '&search_type=scan' : '';
  const { size: _, from: __, ...body } = searchBody(c, scope);
  return {
    method: 'POST',
    uri: `${path}/_search?scroll=1m${scan}`,
    body: { ...body, size: c.between(1, 30) },
  };
};

const ofQuery =
  (action: string): ((c: Chance) => Request) =>
  (c) => {
    const { path, scope } = target(c);
    return { method: 'POST', uri: `${path}/${action}`, body: { query: anyQuery(c, scope) } };
  };

const explain = (c: Chance): Request => ({
  method: 'POST',
  uri: `/${INDEX}/item/${c.below(40)}/_explain`,
  body: { query: anyQuery(c, ROOT) },
});

const multi = (c: Chance): Request => ({
  method: 'POST',
  uri: `/${INDEX}/_msearch`,
  lines: c.many(1, 3, () => [{}, searchBody(c, ROOT)]).flat(),
});

const template = (c: Chance): Request => ({
  method: 'POST',
  uri: `/${INDEX}/_search/template`,
  body: {
    template: { ...searchBody(c, ROOT), size: '{{#size}}{{size}}{{/size}}{{^size}}3{{/size}}' },
    params: c.maybe(0.5, 'size', () => c.between(1, 5)),
  },
});

const suggest = (c: Chance): Request => ({
  method: 'POST',
  uri: `/${INDEX}/_suggest`,
  body: suggestions(c, ROOT),
});

const KINDS: readonly (readonly [number, (c: Chance) => Request])[] = [
  [0.59, search],
  [0.06, dfs],
  [0.05, scroll],
  [0.05, ofQuery('_count')],
  [0.01, ofQuery('_search/exists')],
  [0.02, ofQuery('_validate/query?explain=true')],
  [0.01, ofQuery('_validate/query?rewrite=true')],
  [0.04, explain],
  [0.03, percolate],
  [0.01, percolations],
  [0.02, template],
  [0.02, uriSearch],
  [0.02, multi],
  [0.03, suggest],
  [0.04, reading],
];

/** The request of a seed. */
export function makeRequest(seed: number): Request {
  const c = new Chance(seed ^ 0x5bd1e995);
  let left = c.next();
  for (const [share, make] of KINDS) {
    left -= share;
    if (left < 0) return make(c);
  }
  return search(c);
}
