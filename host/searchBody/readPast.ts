/** Where the parser of 1.7 reads on past a part of a search body, and what it says then. */

import { isCompound, isObject } from '../json/values.js';
import { type Compiler, unexpected } from '../query/compiler.js';
import { show } from '../query/context.js';
import type { Progress } from '../query/searchContext.js';
import { compileSort, isTakenTooFar } from '../query/sort/sort.js';
import { unfinished } from './unread.js';

/** The part of the body that follows; undefined behind the last. */
type Next = readonly [name: string, value: unknown] | undefined;

/** Of a query: with a second one beside it, or a `span_term` without a field, whose bracket it takes for the term. */
export function pastQuery(query: unknown, next: Next, compiler: Compiler, progress: Progress): void {
  const [first, second] = isObject(query) ? Object.entries(query) : [];
  if (first === undefined) return;
  if (second !== undefined) {
    const alone = compiler.query(Object.fromEntries([first]));
    progress.query = () => show(compiler, alone);
    return;
  }
  const [name, options] = first;
  if (name !== 'span_term' || !isCompound(options)) return;
  if (Object.keys(options).length > 0) return;
  progress.query = () => `span_term:${Array.isArray(options) ? ']' : '}'}`;
  throw next === undefined ? unfinished() : unexpected(...next);
}

/** Of a sort whose last key has neither a direction nor options: what follows the sort is taken for more keys. */
export function pastSort(sort: unknown, next: Next, compiler: Compiler): void {
  if (!isTakenTooFar(sort)) return;
  if (next !== undefined) compileSort({ [next[0]]: 'asc' }, compiler);
  throw unfinished();
}
