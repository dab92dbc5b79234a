/**
 * Searches of somebody who has nothing of an index but what an alias's filter lets through. The filter decides which documents are
 * found; what would tell of others beside them is refused.
 */
import { unauthorized } from '../errors.js';
import { isObject } from '../json/values.js';
import type { SearchTarget } from './targets.js';

/**
 * Parts of a search that look at documents whatever the filter says: joins, suggestions, the background of significant terms; and
 * those that can hide one, since they are text. Without underscores, since some have a second name without them.
 */
const BEYOND_FILTERS = new Set([
  'haschild',
  'hasparent',
  'topchildren',
  'children',
  'significantterms',
  'suggest',
  'wrapper',
  'template',
  'querybinary',
  'filterbinary',
  'aggsbinary',
  'aggregationsbinary',
]);
/** With 0, terms that no document has which was found. */
const LEAST_COUNT = 'mindoccount';

/** 403 for a body that has such a part, where a target is confined. */
export function checkConfined(
  targets: readonly SearchTarget[],
  body: unknown,
  asked: { principal: { name: string }; action: string } | undefined,
): void {
  if (asked === undefined || !targets.some(({ confined }) => confined)) return;
  const found = partIn(body);
  if (found !== undefined) throw unauthorized(`${asked.action}[${found}]`, asked.principal.name);
}

/** The first such key anywhere in a body. */
function partIn(body: unknown): string | undefined {
  const rest: unknown[] = [body];
  while (rest.length > 0) {
    const each = rest.pop();
    if (Array.isArray(each)) rest.push(...(each as unknown[]));
    else if (isObject(each)) {
      for (const [key, value] of Object.entries(each)) {
        const plain = key.replaceAll('_', '').toLowerCase();
        if (BEYOND_FILTERS.has(plain) || (plain === LEAST_COUNT && !(Number(value) > 0))) return key;
        rest.push(value);
      }
    }
  }
  return undefined;
}
