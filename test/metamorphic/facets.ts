/** Random facets, the aggregations of old. */
import type { Chance } from './chance.js';
import { place, type Scope, TAGS } from './fields.js';
import type { JsonObject } from './json.js';
import { filter, query } from './queries.js';

/** A facet. */
export function facet(c: Chance, scope: Scope): JsonObject {
  const [key, value] = [c.of(scope.word), c.of(scope.number)];
  const kind = c.of<() => JsonObject>([
    () => ({
      terms: {
        ...(c.chance(0.7) ? { field: key } : { fields: [key, c.of(scope.word)] }),
        ...c.maybe(0.5, 'size', () => c.of([1, 3, 100])),
        ...c.maybe(0.2, 'all_terms', () => true),
        ...c.maybe(0.4, 'order', () => c.of(['count', 'term', 'reverse_count', 'reverse_term'])),
        ...c.maybe(0.2, 'exclude', () => c.many(1, 2, () => c.of(TAGS))),
      },
    }),
    () => ({ terms: { field: value, size: 100 } }),
    () => ({ range: { field: value, ranges: [{ to: 2 }, { from: 2, to: 20 }, { from: 20 }] } }),
    () => ({ histogram: { field: value === 'huge' ? 'n' : value, interval: c.of([1, 10]) } }),
    () => ({ date_histogram: { field: c.of(scope.date), interval: 'month' } }),
    () => ({ statistical: { field: value } }),
    () => ({
      terms_stats: {
        key_field: key,
        value_field: value,
        size: c.of([0, 100]),
        order: c.of([
          'count',
          'term',
          'total',
          'max',
          'reverse_count',
          'reverse_term',
          'min',
          'mean',
          'reverse_mean',
        ]),
      },
    }),
    () => ({ filter: filter(c, scope, 1) }),
    () => ({ query: query(c, scope, 1) }),
    () => ({ geo_distance: { spot: place(c), ranges: [{ to: 1000 }, { from: 1000 }], unit: 'km' } }),
    () => ({
      geo_distance: {
        spot: place(c),
        ranges: [{ from: 10, to: 5000 }],
        value_field: value,
        distance_type: 'plane',
      },
    }),
    () => ({
      range: { key_field: c.of(scope.number), value_field: value, ranges: [{ to: 2 }, { from: 2 }] },
    }),
    () => ({ range: { [value]: [{ to: 5 }, { from: 5 }] } }),
    () => ({ range: { field: c.of(scope.date), ranges: [{ to: '2014-02-01' }, { from: '2014-02-01' }] } }),
    () => ({
      histogram: { key_field: value === 'huge' ? 'n' : value, value_field: c.of(scope.number), interval: 4 },
    }),
    () => ({ histogram: { field: c.of(scope.date), time_interval: '30d' } }),
    () => ({
      date_histogram: {
        ...(c.chance(0.5)
          ? { field: c.of(scope.date) }
          : { key_field: c.of(scope.date), value_field: value }),
        interval: c.of(['week', 'quarter', '36h']),
        ...c.maybe(0.4, c.of(['time_zone', 'pre_zone', 'post_zone']), () =>
          c.of(['+02:00', 'Europe/Berlin']),
        ),
        ...c.maybe(0.3, 'order', () => c.of(['time', 'count', 'reverse_time'])),
        ...c.maybe(0.2, 'pre_offset', () => '1d'),
      },
    }),
    () => ({ statistical: { fields: [value, c.of(scope.number)] } }),
    () => ({
      terms: {
        field: key,
        size: 100,
        regex: '[a-c].*',
        ...c.maybe(0.5, 'regex_flags', () => 'CASE_INSENSITIVE'),
      },
    }),
  ])();
  return {
    ...kind,
    ...c.maybe(0.2, 'facet_filter', () => filter(c, scope, 0)),
    ...c.maybe(0.1, 'global', () => true),
    ...c.maybe(0.1, 'nested', () => 'kids'),
  };
}
