/** The filter `type`: documents of a type. */

import { queryParsing } from '../../errors.js';
import { isObject } from '../../json/values.js';
import { cached, type FilterCompiler, type FilterKind, typeNode } from '../context.js';

const read: FilterCompiler = (body, dsl) => {
  const [entry] = isObject(body) ? Object.entries(body) : [];
  if (entry?.[0] !== 'value' || typeof entry[1] !== 'string') {
    throw queryParsing(dsl.index, '[type] filter should have a value field, and the type name');
  }
  return cached(typeNode([entry[1]]));
};

export const typeFilter: FilterKind = { names: ['type'], read, reach: 'found' };
