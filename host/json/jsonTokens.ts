/** The names of JSON tokens in 1.7's errors. */

import { isNumber } from './values.js';

/** What 1.7's parser calls a value. */
export function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (typeof value === 'string') return 'VALUE_STRING';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  if (isNumber(value)) return 'VALUE_NUMBER';
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
}
