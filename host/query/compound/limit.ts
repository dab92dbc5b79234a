/** The filter `limit`: the first documents of each shard that it is asked about. */

import { queryParsing } from '../../errors.js';
import { strictIntOf } from '../../json/values.js';
import { asFilter, type FilterCompiler, type FilterKind, matchAll, NOTHING } from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { filterOptions } from '../filterOptions.js';

const LIMIT_TEXT = 'org.elasticsearch.common.lucene.search.LimitFilter@1b3c5d7f';

const read: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, { ignored: NOTHING });
  const value = options.scalar('value');
  options.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for limit filter');
  const most = Math.min(Math.max(strictIntOf(value), 0), 0xffff_fffe);
  return asFilter({ kind: 'limit', limit: most, node: matchAll() }, () => LIMIT_TEXT);
};

export const limitFilter: FilterKind = {
  names: ['limit'],
  read,
  reach: 'found',
  empty: emptySays('No value specified for limit filter'),
};
