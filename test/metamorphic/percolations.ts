/** Random percolation: which registered queries match a document. */
import type { Chance } from './chance.js';
import type { JsonObject } from './json.js';
import { INDEX } from './layouts.js';
import type { Request } from './request.js';
import { itemSource } from './world.js';

function options(c: Chance): JsonObject {
  return {
    ...c.maybe(0.3, 'filter', () => ({ range: { rank: { gte: c.below(5) } } })),
    ...c.maybe(0.2, 'highlight', () => ({ fields: { title: {} } })),
    ...c.maybe(0.3, 'aggs', () => ({
      r: { terms: { field: 'rank' }, aggs: { s: { sum: { field: 'rank' } } } },
      m: { max: { field: 'rank' } },
    })),
    ...c.maybe(0.3, 'size', () => 2),
    ...c.maybe(0.2, 'sort', () => true),
    ...c.maybe(0.2, 'track_scores', () => true),
    ...c.maybe(0.2, 'query', () => ({
      function_score: { functions: [{ field_value_factor: { field: 'rank' } }] },
    })),
  };
}

export const percolate = (c: Chance): Request => {
  const action = c.of(['_percolate', '_percolate', '_percolate/count']);
  const body = options(c);
  if (c.chance(0.3)) return { method: 'POST', uri: `/${INDEX}/item/${c.below(30)}/${action}`, body };
  return {
    method: 'POST',
    uri: `/${INDEX}/item/${action}`,
    body: { doc: itemSource(c, new Map()), ...body },
  };
};

/** Several in one request. */
export const percolations = (c: Chance): Request => ({
  method: 'POST',
  uri: `/${INDEX}/item/_mpercolate`,
  lines: c
    .many(1, 3, (): JsonObject[] => {
      const action = c.of(['percolate', 'count']);
      if (c.chance(0.3)) return [{ [action]: { id: String(c.below(30)) } }, options(c)];
      return [{ [action]: {} }, { doc: itemSource(c, new Map()), ...options(c) }];
    })
    .flat(),
});
