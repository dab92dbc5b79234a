/** Random orders of hits, and what is shown of them. */
import type { Chance } from './chance.js';
import { place, type Scope, fieldValue } from './fields.js';
import type { Json, JsonObject } from './json.js';

function key(c: Chance, scope: Scope): JsonObject | string {
  const order = () => ({ order: c.of(['asc', 'desc']) });
  if (scope.geo.length > 0 && c.chance(0.12))
    return {
      _geo_distance: {
        [scope.geo[0]!]: c.chance(0.85) ? place(c) : [place(c), place(c)],
        ...order(),
        unit: 'km',
        ...c.maybe(0.4, 'mode', () => c.of(['min', 'max', 'avg'])),
        ...c.maybe(0.3, 'distance_type', () => c.of(['arc', 'plane', 'sloppy_arc'])),
      },
    };
  if (c.chance(0.04))
    return {
      _script: {
        script: c.of(['doc["n"].value * 2', 'doc["seq"].value % 7', 'doc["d"].value - 1']),
        lang: 'expression',
        type: 'number',
        ...order(),
      },
    };
  const numbers = [...scope.number, ...scope.date, ...scope.ip, ...scope.flag];
  const [path, inner] = c.of([...Object.entries(scope.nested), ['', undefined] as const]);
  if (inner !== undefined && c.chance(0.2))
    return {
      [c.of([...inner.number, ...inner.word])]: {
        ...order(),
        nested_path: path,
        ...c.maybe(0.5, 'mode', () => c.of(['min', 'max'])),
        ...c.maybe(0.3, 'nested_filter', () => ({ exists: { field: c.of(inner.word) } })),
        ...c.maybe(0.3, 'missing', () => c.of(['_first', '_last'])),
      },
    };
  const text = scope.word.length > 0 && c.chance(0.4);
  const field = c.of(text ? scope.word : numbers);
  if (c.chance(0.2)) return field;
  return {
    [field]: {
      ...order(),
      ...c.maybe(0.3, 'missing', () => c.of<Json>(['_first', '_last', text ? 'm' : fieldValue(c, field)])),
      ...c.maybe(0.3, 'mode', () => c.of(text ? ['min', 'max'] : ['min', 'max', 'sum', 'avg'])),
      ...c.maybe(0.2, 'unmapped_type', () => 'long'),
      ...c.maybe(0.05, 'ignore_unmapped', () => true),
    },
  };
}

/** Keys of an order; most end with one that no two documents share. */
export function sort(c: Chance, scope: Scope): Json[] {
  const keys = c.many<Json>(1, 2, () =>
    c.chance(0.1)
      ? '_score'
      : c.chance(0.05)
        ? c.of(['_uid', '_type', '_parent', '_doc', '_id'])
        : key(c, scope),
  );
  return c.chance(0.7) && scope.number.includes('seq') ? [...keys, { seq: c.of(['asc', 'desc']) }] : keys;
}

export function sourceFilter(c: Chance): Json {
  return c.of<Json>([
    false,
    true,
    'n',
    ['title', 'kids.*'],
    { exclude: ['kids', 'body'] },
    { include: ['obj.*', 't*'] },
  ]);
}
