import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterPath } from '../../host/rest/answerPaths.js';
import type { Json } from '../../host/rest/json.js';
import { atOnce, inTurns, WorkLimit } from '../../host/workLimit.js';

/** `filter_path` by its definition: every way through a path is tried. Slow where there are many. */
function naive(value: Json, paths: string): Json {
  type Path = readonly string[];
  const follow = ([first, ...rest]: Path, key: string): Path[] => {
    if (first === undefined) return [];
    if (first === '**') return [[first, ...rest], ...(rest.length === 0 ? [[]] : follow(rest, key))];
    const pattern = new RegExp(`^${first.replaceAll('*', '.*')}$`);
    return pattern.test(key) ? [rest] : [];
  };
  const filtered = (each: Json, all: readonly Path[]): Json | undefined => {
    if (Array.isArray(each)) {
      const kept = each.flatMap((item: Json) => filtered(item, all) ?? []);
      return kept.length === 0 ? undefined : kept;
    }
    if (typeof each !== 'object' || each === null) return undefined;
    const entries = Object.entries(each as Record<string, Json>).flatMap(([key, inner]): [string, Json][] => {
      const further = all.flatMap((path) => follow(path, key));
      const kept = further.some((path) => path.length === 0) ? inner : filtered(inner, further);
      return kept === undefined ? [] : [[key, kept]];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const parsed = paths.split(',').filter((path) => path !== '');
  return parsed.length === 0
    ? value
    : (filtered(
        value,
        parsed.map((path) => path.split('.')),
      ) ?? {});
}

const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'ba'), tie('tree'), { maxKeys: 4 }),
  ),
}));
const path = fc
  .array(fc.constantFrom('a', 'b', 'a*', '*', '*b', '**'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('.'));

describe('filter_path', () => {
  it('keeps what its definition says', () => {
    fc.assert(
      fc.property(tree, fc.array(path, { maxLength: 4 }), (value, paths) => {
        expect(atOnce(filterPath(value, paths.join(','), WorkLimit.none))).toEqual(
          naive(value, paths.join(',')),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('takes a step for each part and key at most, however the parts may be passed', () => {
    let deep: Json = 1;
    for (let i = 0; i < 200; i++) deep = { a: deep };
    // Each of 300 places may stand for any number of 200 keys.
    const paths = Array.from({ length: 300 }, () => '**.a').join('.');
    expect(atOnce(filterPath(deep, paths, WorkLimit.none))).toEqual({});
    expect(
      atOnce(filterPath(deep, Array.from({ length: 4000 }, () => '**').join('.'), WorkLimit.none)),
    ).toEqual(deep);
  });

  it('has a bound on its parts, and ends with its request', async () => {
    const many = Array.from({ length: 2000 }, () => 'a').join('.');
    expect(() => atOnce(filterPath({ a: 1 }, many, WorkLimit.none))).toThrow(
      'filter_path has more than 1000 parts',
    );
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, { a: 1 }]));
    const over = WorkLimit.of(0);
    Object.defineProperty(over, 'due', { get: () => true });
    const ended = inTurns(filterPath(wide, '**.x', over), over);
    await expect(ended).rejects.toThrow('the request took longer than it may');
  });

  it('knows keys of every name', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":{"a":2}}') as Json;
    const kept = atOnce(filterPath(value, '__proto__.a', WorkLimit.none));
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"a":1}}');
  });
});
