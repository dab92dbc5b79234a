/** Random queries and filters, in which there are others, over the fields of a scope. */
import type { Chance } from './chance.js';
import { type Scope, SCOPES } from './fields.js';
import { cached, FILTERS, geoFilter } from './filterLeaves.js';
import { innerHits } from './innerHits.js';
import type { Json, JsonObject } from './json.js';
import { boost, LEAVES, type Maker, minimum, range, term, terms } from './leaves.js';
import { RARE, RARE_FILTERS } from './rareLeaves.js';

const bool: Maker = (c, scope, depth) => {
  const list = (): Json => {
    const clauses = c.many(1, 3, () => query(c, scope, depth - 1));
    return clauses.length === 1 && c.chance(0.5) ? clauses[0]! : clauses;
  };
  return {
    bool: {
      ...c.maybe(0.5, 'must', list),
      ...c.maybe(0.6, 'should', list),
      ...c.maybe(0.3, 'must_not', list),
      ...minimum(c),
      ...boost(c),
      ...c.maybe(0.1, 'disable_coord', () => true),
    },
  };
};

const functions = (c: Chance, scope: Scope, depth: number): JsonObject => {
  const number = c.of(scope.number.length > 0 ? scope.number : ['n']);
  const decay = (): JsonObject => {
    const curve = c.of(['gauss', 'exp', 'linear']);
    if (scope.geo.length > 0 && c.chance(0.3))
      return { [curve]: { [scope.geo[0]!]: { origin: [13.4, 52.5], scale: '800km', decay: 0.4 } } };
    if (scope.date.length > 0 && c.chance(0.3))
      return { [curve]: { [c.of(scope.date)]: { origin: '2014-02-01', scale: '60d', offset: '1d' } } };
    return { [curve]: { [number]: { origin: 2, scale: 3 } } };
  };
  const one = c.of<() => JsonObject>([
    decay,
    () => ({
      field_value_factor: { field: number, factor: 1.2, modifier: c.of(['none', 'log1p', 'sqrt', 'square']) },
    }),
    () => ({
      script_score: {
        script: c.of(['doc["n"].value + 1', '_score * 2 + doc["small"].value']),
        lang: 'expression',
      },
    }),
    () => ({ random_score: { seed: c.below(5) } }),
    () => ({ boost_factor: 2 }),
    () => ({ weight: 3 }),
  ]);
  return {
    ...one(),
    ...c.maybe(0.4, 'filter', () => filter(c, scope, depth - 1)),
    ...c.maybe(0.2, 'weight', () => 1.5),
  };
};

const functionScore: Maker = (c, scope, depth) => ({
  function_score: {
    ...(c.chance(0.7) ? { query: query(c, scope, depth - 1) } : { filter: filter(c, scope, depth - 1) }),
    functions: c.many(1, 3, () => functions(c, scope, depth)),
    ...c.maybe(0.5, 'score_mode', () => c.of(['multiply', 'sum', 'avg', 'first', 'max', 'min'])),
    ...c.maybe(0.5, 'boost_mode', () => c.of(['multiply', 'replace', 'sum', 'avg', 'max', 'min'])),
    ...c.maybe(0.2, 'max_boost', () => 3),
    ...c.maybe(0.15, 'min_score', () => 0.5),
  },
});

const nested: Maker = (c, scope, depth) => {
  const [path, inner] = c.of(Object.entries(scope.nested));
  return {
    nested: {
      path,
      query: query(c, inner, depth - 1),
      ...c.maybe(0.5, 'score_mode', () => c.of(['avg', 'sum', 'max', 'none'])),
      ...c.maybe(0.25, 'inner_hits', () => innerHits(c, inner)),
    },
  };
};

const bounds = (c: Chance): JsonObject => ({
  ...c.maybe(0.2, 'min_children', () => c.between(0, 2)),
  ...c.maybe(0.15, 'max_children', () => c.between(1, 3)),
});

const hasChild: Maker = (c, scope, depth) => {
  const type = c.of(scope.children);
  return {
    has_child: {
      type,
      query: query(c, SCOPES[type]!, depth - 1),
      ...c.maybe(0.6, 'score_mode', () => c.of(['none', 'min', 'max', 'sum', 'avg'])),
      ...bounds(c),
      ...c.maybe(0.2, 'inner_hits', () => innerHits(c, SCOPES[type]!)),
    },
  };
};

const hasParent: Maker = (c, scope, depth) => {
  const type = c.of(scope.parents);
  return {
    has_parent: {
      parent_type: type,
      query: query(c, SCOPES[type]!, depth - 1),
      ...c.maybe(0.5, 'score_mode', () => c.of(['none', 'score'])),
      ...c.maybe(0.2, 'inner_hits', () => innerHits(c, SCOPES[type]!)),
    },
  };
};

const topChildren: Maker = (c, scope, depth) => {
  const type = c.of(scope.children);
  return {
    top_children: {
      type,
      query: query(c, SCOPES[type]!, depth - 1),
      score: c.of(['max', 'sum', 'avg']),
      factor: 50,
    },
  };
};

const COMPOUNDS: readonly Maker[] = [
  bool,
  bool,
  bool,
  (c, scope, depth) => ({
    filtered: {
      ...c.maybe(0.8, 'query', () => query(c, scope, depth - 1)),
      filter: filter(c, scope, depth - 1),
      ...c.maybe(0.15, 'strategy', () => c.of(['leap_frog', 'query_first', 'random_access_100'])),
    },
  }),
  (c, scope, depth) => ({
    constant_score: {
      ...(c.chance(0.7) ? { filter: filter(c, scope, depth - 1) } : { query: query(c, scope, depth - 1) }),
      ...boost(c),
    },
  }),
  (c, scope, depth) => ({
    dis_max: {
      queries: c.many(1, 3, () => query(c, scope, depth - 1)),
      ...c.maybe(0.5, 'tie_breaker', () => 0.4),
    },
  }),
  (c, scope, depth) => ({
    boosting: {
      positive: query(c, scope, depth - 1),
      negative: query(c, scope, depth - 1),
      negative_boost: 0.3,
    },
  }),
  functionScore,
  functionScore,
];

/** A query; `depth` is how deep it may nest. */
export function query(c: Chance, scope: Scope, depth: number): JsonObject {
  const leaves = scope.text.length > 0 ? (c.chance(0.15) ? RARE : LEAVES) : [term, terms, range];
  if (depth <= 0 || c.chance(0.35)) return c.of(leaves)(c, scope, 0);
  const compounds = [
    ...COMPOUNDS,
    ...(Object.keys(scope.nested).length > 0 ? [nested, nested] : []),
    ...(scope.children.length > 0 ? [hasChild, topChildren] : []),
    ...(scope.parents.length > 0 ? [hasParent] : []),
  ];
  return c.of(compounds)(c, scope, depth);
}

/** A query that gives all documents it matches the same score, or one that goes by their fields alone. */
export function constantQuery(c: Chance, scope: Scope, depth: number): JsonObject {
  return c.of<() => JsonObject>([
    () => ({ match_all: {} }),
    () => ({ constant_score: { filter: filter(c, scope, depth) } }),
    () => ({ constant_score: { query: query(c, scope, depth) } }),
    () => ({ filtered: { filter: filter(c, scope, depth) } }),
    () => ({
      function_score: {
        filter: filter(c, scope, depth - 1),
        functions: c.many(1, 2, () => functions(c, scope, depth)),
      },
    }),
    () => ({
      bool: {
        should: c.many(1, 3, () => ({
          constant_score: { filter: filter(c, scope, depth - 1), ...boost(c) },
        })),
        must_not: [query(c, scope, depth - 1)],
        ...minimum(c),
      },
    }),
  ])();
}

const hasChildFilter: Maker = (c, scope, depth) => {
  const type = c.of(scope.children);
  const inner = SCOPES[type]!;
  return {
    has_child: {
      type,
      ...(c.chance(0.5) ? { filter: filter(c, inner, depth - 1) } : { query: query(c, inner, depth - 1) }),
      ...c.maybe(0.2, 'min_children', () => c.between(0, 2)),
      ...c.maybe(0.2, 'max_children', () => c.between(1, 3)),
    },
  };
};

const hasParentFilter: Maker = (c, scope, depth) => {
  const type = c.of(scope.parents);
  return { has_parent: { parent_type: type, filter: filter(c, SCOPES[type]!, depth - 1) } };
};

const nestedFilter: Maker = (c, scope, depth) => {
  const [path, inner] = c.of(Object.entries(scope.nested));
  return {
    nested: {
      path,
      ...(c.chance(0.6) ? { filter: filter(c, inner, depth - 1) } : { query: query(c, inner, depth - 1) }),
      ...c.maybe(0.15, 'join', () => false),
      ...cached(c),
    },
  };
};

const FILTER_COMPOUNDS: readonly Maker[] = [
  (c, scope, depth) => {
    const list = (): Json => c.many(1, 3, () => filter(c, scope, depth - 1));
    return {
      bool: {
        ...c.maybe(0.6, 'must', list),
        ...c.maybe(0.6, 'should', list),
        ...c.maybe(0.4, 'must_not', list),
        ...cached(c),
      },
    };
  },
  (c, scope, depth) => ({ and: c.many(1, 3, () => filter(c, scope, depth - 1)) }),
  (c, scope, depth) => ({ or: { filters: c.many(1, 3, () => filter(c, scope, depth - 1)), ...cached(c) } }),
  (c, scope, depth) => ({ not: filter(c, scope, depth - 1) }),
  (c, scope, depth) => ({ query: query(c, scope, depth - 1) }),
  (c, scope, depth) => ({ fquery: { query: query(c, scope, depth - 1), ...cached(c) } }),
  (c, scope, depth) => ({
    indices: {
      indices: [c.of(['i', 'other'])],
      filter: filter(c, scope, depth - 1),
      no_match_filter: 'none',
    },
  }),
];

/** A filter; `depth` is how deep it may nest. */
export function filter(c: Chance, scope: Scope, depth: number): JsonObject {
  if (depth <= 0 || c.chance(0.45)) {
    if (scope.geo.length > 0 && c.chance(0.15)) return geoFilter(c, scope, 0);
    return c.of(c.chance(0.12) ? RARE_FILTERS : FILTERS)(c, scope, 0);
  }
  const compounds = [
    ...FILTER_COMPOUNDS,
    ...(Object.keys(scope.nested).length > 0 ? [nestedFilter, nestedFilter] : []),
    ...(scope.children.length > 0 ? [hasChildFilter] : []),
    ...(scope.parents.length > 0 ? [hasParentFilter] : []),
  ];
  return c.of(compounds)(c, scope, depth);
}
