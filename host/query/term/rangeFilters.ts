/** The filters `range` and `numeric_range`. */

import { queryParsing } from '../../errors.js';
import { isObject, type JsonObject } from '../../json/values.js';
import { cached, type Dsl, type FilterCompiler, type FilterKind, resolve } from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { isNumeric } from './numericTerms.js';
import { rangeSet } from './range.js';

const range: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  const execution = options.text('execution');
  // Of several fields the last one counts, and so it is with objects in a list.
  let entry: readonly [string, JsonObject] | undefined;
  for (const [field, given] of options.rest()) {
    const bounds = options.object(field);
    if (bounds !== undefined) entry = [field, bounds];
    else if (!Array.isArray(given) && given !== null) throw options.unsupported(field);
  }
  if (entry === undefined)
    throw queryParsing(dsl.index, '[range] filter no field specified for range filter');
  const byColumn = execution !== undefined && checkExecution(execution, entry[0], dsl);
  return cached(rangeSet(entry[0], entry[1], dsl, byColumn));
};

export const rangeFilter: FilterKind = { names: ['range'], read: range, reach: 'found' };

/** By the terms of a field, or by the values of a numeric one; whether it is these, which need not be indexed. */
function checkExecution(execution: string, name: string, dsl: Dsl): boolean {
  const { field } = resolve(dsl, name);
  if (field === undefined || execution === 'index') return false;
  if (execution !== 'fielddata')
    throw queryParsing(dsl.index, `[range] filter doesn't support [${execution}] execution`);
  if (!isNumeric(field.type))
    throw queryParsing(dsl.index, `[range] filter field [${name}] is not a numeric type`);
  return true;
}

/** `numeric_range`: a range of numbers; other fields have none. */
const numericRange: FilterCompiler = (body, dsl, name) => {
  const [entry, second] = filterOptions(body, dsl, name).rest();
  if (entry === undefined || !isObject(entry[1]) || second !== undefined) {
    throw queryParsing(dsl.index, '[numeric_range] filter no field specified for range filter');
  }
  const { field } = resolve(dsl, entry[0]);
  if (field === undefined) {
    const detail = `failed to find mapping for field [${entry[0]}]`;
    throw queryParsing(dsl.index, detail);
  }
  if (!isNumeric(field.type)) {
    throw queryParsing(dsl.index, `Field [${entry[0]}] is not a numeric type`);
  }
  return rangeSet(entry[0], entry[1], dsl, true);
};

export const numericRangeFilter: FilterKind = {
  names: ['numeric_range', 'numericRange'],
  read: numericRange,
  reach: 'found',
};
