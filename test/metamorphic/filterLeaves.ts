/** Random filters without others inside, over the fields of a scope. */
import type { Chance } from './chance.js';
import { place, TAGS, fieldValue, WORDS } from './fields.js';
import type { Json, JsonObject } from './json.js';
import { INDEX } from './layouts.js';
import { anyField, type Maker, rangeOf } from './leaves.js';
import { shape } from './world.js';

export const cached = (c: Chance): JsonObject => ({
  ...c.maybe(0.2, '_cache', () => c.chance(0.6)),
  ...c.maybe(0.1, '_name', () => `name${c.below(3)}`),
});

const term: Maker = (c, scope) => {
  const field = anyField(c, scope);
  return {
    term: { [field]: scope.text.includes(field) ? c.early(WORDS) : fieldValue(c, field), ...cached(c) },
  };
};

const terms: Maker = (c, scope) => {
  const field = anyField(c, scope);
  const value = () => (scope.text.includes(field) ? c.early(WORDS) : fieldValue(c, field));
  return {
    terms: {
      [field]: c.many(0, 4, value),
      ...c.maybe(0.3, 'execution', () => c.of(['plain', 'fielddata', 'bool', 'and', 'or'])),
      ...cached(c),
    },
  };
};

const range: Maker = (c, scope) => {
  const field = anyField(c, scope);
  return {
    range: {
      [field]: rangeOf(c, field),
      ...c.maybe(0.3, 'execution', () => c.of(['index', 'fielddata'])),
      ...cached(c),
    },
  };
};

const exists: Maker = (c, scope) => {
  const fields = [...Object.keys(scope.nested), 'obj', anyField(c, scope), anyField(c, scope), ...scope.geo];
  const field = c.of(fields);
  if (c.chance(0.5)) return { exists: { field } };
  return {
    missing: {
      field,
      ...c.maybe(0.3, 'null_value', () => true),
      ...c.maybe(0.3, 'existence', () => c.chance(0.7)),
    },
  };
};

export const geoFilter: Maker = (c, scope) => {
  const [field] = scope.geo as [string];
  const { lat, lon } = place(c);
  const optimize = () => c.maybe(0.4, 'optimize_bbox', () => c.of(['none', 'memory', 'indexed']));
  const how = () => ({
    ...c.maybe(0.3, 'distance_type', () => c.of(['arc', 'plane', 'sloppy_arc'])),
    ...optimize(),
  });
  return c.of<() => JsonObject>([
    () => ({
      geo_distance: { [field]: { lat, lon }, distance: c.of(['50km', '1000km', '6000km']), ...how() },
    }),
    () => ({
      geo_distance_range: { [field]: [lon, lat], from: '10km', to: c.of(['900km', '9000km']), ...how() },
    }),
    () => ({
      geo_bounding_box: {
        [field]: { top_left: { lat: lat + 5, lon: lon - 5 }, bottom_right: { lat: lat - 5, lon: lon + 5 } },
        ...c.maybe(0.3, 'type', () => c.of(['indexed', 'memory'])),
      },
    }),
    () => ({
      geo_polygon: {
        [field]: {
          points: [
            [lon - 9, lat - 9],
            [lon + 9, lat - 9],
            [lon, lat + 12],
          ],
        },
      },
    }),
    () => ({ geohash_cell: { [field]: { lat, lon }, precision: c.between(1, 4), neighbors: c.chance(0.5) } }),
    () => ({
      geo_shape: {
        area: {
          shape: {
            type: 'envelope',
            coordinates: [
              [lon - 20, lat + 15],
              [lon + 20, lat - 15],
            ],
          },
        },
      },
    }),
    () => ({
      geo_shape: { area: { shape: shape(c), relation: c.of(['intersects', 'disjoint', 'within']) } },
    }),
  ])();
};

/** Terms that a document has. */
const lookup: Maker = (c, scope) => {
  const [field, path] = c.of([
    ['tag', 'tag'],
    ['tag', 'kids.tag'],
    ['n', 'n'],
    ['code', 'tag'],
  ] as const);
  return {
    terms: {
      [scope.word.includes(field) || scope.number.includes(field) ? field : 'tag']: {
        index: INDEX,
        type: 'item',
        id: String(c.below(40)),
        path,
        ...c.maybe(0.3, 'cache', () => false),
      },
    },
  };
};

/** Fields that every document has. */
const metadata: Maker = (c) => {
  const type = c.of(['item', 'item', 'child', 'grand']);
  const id = () => String(c.below(60));
  return c.of<() => JsonObject>([
    () => ({ term: { _type: type } }),
    () => ({ prefix: { _type: type.slice(0, 2) } }),
    () => ({ term: { _uid: `${type}#${id()}` } }),
    () => ({ terms: { _uid: c.many<Json>(1, 4, () => `${type}#${id()}`) } }),
    () => ({ prefix: { _uid: `${type}#${c.below(6)}` } }),
    () => ({ range: { _uid: { gte: `${type}#${id()}` } } }),
    () => ({ term: { _id: id() } }),
    () => ({ terms: { _id: c.many<Json>(1, 4, id) } }),
    () => ({ prefix: { _id: String(c.below(6)) } }),
    () => ({ term: { _parent: `item#${id()}` } }),
    () => ({ terms: { _parent: c.many<Json>(1, 4, id) } }),
    () => ({ exists: { field: c.of(['_parent', '_timestamp', '_type']) } }),
    () => ({ term: { _routing: id() } }),
    () => ({ term: { _field_names: c.of(['title', 'tag', 'kids', 'scarce']) } }),
    () => ({ range: { _timestamp: { gte: c.of<Json>([1_300_000_000_000, 1_500_000_000_000]) } } }),
  ])();
};

/** All kinds but those of places. */
export const FILTERS: readonly Maker[] = [
  term,
  term,
  terms,
  range,
  range,
  exists,
  (c, scope) => ({ prefix: { [scope.word[0] ?? 'tag']: c.of(TAGS).slice(0, 1), ...cached(c) } }),
  (c, scope) => ({ regexp: { [c.of([...scope.word, ...scope.text])]: c.of(['d.*', 'r.*', '[a-c]']) } }),
  (c) => ({ ids: { values: c.many(1, 6, () => String(c.below(40))) } }),
  (c) => ({ type: { value: c.of(['item', 'child', 'grand']) } }),
  () => ({ match_all: {} }),
  lookup,
  metadata,
];
