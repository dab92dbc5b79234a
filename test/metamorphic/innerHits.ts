import type { Chance } from './chance.js';
import type { Scope } from './fields.js';
import type { JsonObject } from './json.js';

/** A page of what is inside a hit. */
export function innerHits(c: Chance, scope: Scope): JsonObject {
  return {
    ...c.maybe(0.5, 'size', () => c.between(0, 4)),
    ...c.maybe(0.2, 'from', () => 1),
    ...(scope.number.length > 0
      ? c.maybe(0.4, 'sort', () => [{ [scope.number[0]!]: c.of(['asc', 'desc']) }])
      : {}),
    ...c.maybe(0.2, '_source', () => c.of([true, false])),
    ...(scope.word.length > 0 ? c.maybe(0.2, 'fielddata_fields', () => [scope.word[0]!]) : {}),
  };
}
