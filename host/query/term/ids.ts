/** `ids`, as a query and as a filter. */

import { type ElasticsearchError, queryParsing } from '../../errors.js';
import { tokenOf } from '../../json/jsonTokens.js';
import { isNumber, textOf } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  constant,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  NONE,
  Options,
  type QueryCompiler,
  type QueryKind,
} from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { uidsNode } from './meta.js';

/** A constant score. */
const query: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'ids', body, 'query', { knowsLists: true });
  const values: unknown = body.values;
  for (const each of Array.isArray(values) ? values : [])
    if (typeof each !== 'string' && !isNumber(each)) {
      const token = tokenOf(each);
      throw queryParsing(dsl.index, `Illegal value for id, expecting a string or number, got: ${token}`);
    }
  const boost = options.boost();
  const set = idSet(options, dsl, () => queryParsing(dsl.index, '[ids] query, no ids values provided'));
  return set.kind === 'none' ? NONE : constant(set, boost);
};

export const idsQuery: QueryKind = { names: ['ids'], read: query, reach: 'found' };

const filter: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, { knowsLists: true });
  return idSet(options, dsl, () =>
    queryParsing(dsl.index, '[ids] filter requires providing a values element'),
  );
};

export const idsFilter: FilterKind = { names: ['ids'], read: filter, reach: 'found' };

/** The documents of the ids among the options. */
function idSet(options: Options, dsl: Dsl, missing: () => ElasticsearchError): PlanNode {
  const values = options.take('values');
  const given = options.take('type', 'types') ?? options.scalar('_type');
  options.scalar('_type');
  options.end();
  if (Array.isArray(given) && given.includes(null))
    throw queryParsing(dsl.index, 'No type specified for term filter');
  if (values === undefined || values === null) throw missing();
  if (!Array.isArray(values)) throw options.unsupported('values');
  const named = (Array.isArray(given) ? given : given === undefined ? [] : [given]).flatMap(
    (type) => textOf(type) ?? [],
  );
  const isAll = named.length === 1 && named[0] === '_all';
  const types = isAll ? dsl.model.typeNames() : named.length === 0 ? dsl.types : named;
  const uids = values.flatMap((value) => {
    const id = textOf(value);
    if (id === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
    return types.map((type) => `${type}#${id}`);
  });
  return uids.length === 0 ? NONE : uidsNode(dsl, { uids });
}
