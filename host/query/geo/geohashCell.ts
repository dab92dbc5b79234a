/** `geohash_cell`: points in a cell of geohashes. */

import { parseFailure, queryParsing } from '../../errors.js';
import {
  geohashLevels,
  geohashNeighbours,
  geohashOf,
  parseDistance,
  readPoint,
} from '../../geo/geoPoints.js';
import { booleanOf, strictFractionOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import { type FilterCompiler, type FilterKind, ofType } from '../context.js';
import { entriesOf, geoField } from './geoField.js';

const read: FilterCompiler = (body, dsl) => {
  let name: string | undefined;
  let hash: string | undefined;
  let levels = -1;
  let neighbours = false;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (key === 'precision') {
      const text = typeof value === 'string' ? value : undefined;
      levels = text === undefined ? Math.trunc(strictFractionOf(value)) : geohashLevels(parseDistance(text));
    } else if (key === 'neighbors') neighbours = booleanOf(value);
    else {
      name = key;
      const isHash = typeof value === 'string' && value.indexOf(',') <= 0;
      hash = isHash ? value : geohashOf(readPoint(value));
    }
  }
  if (hash === undefined) throw queryParsing(dsl.index, 'no geohash value provided to geohash_cell filter');
  const { resolved, field } = geoField(name, dsl);
  const { prefixField } = field;
  if (prefixField === undefined) {
    const detail = `can't execute geohash_cell on field [${name}], geohash_prefix is not enabled`;
    throw queryParsing(dsl.index, detail);
  }
  const cell = levels > 0 ? hash.slice(0, levels) : hash;
  const cells = neighbours ? [cell, ...geohashNeighbours(cell)] : [cell];
  return ofType(resolved, { kind: 'terms', field: prefixField.number, terms: cells.map(textTerm) });
};

export const geohashCellFilter: FilterKind = {
  names: ['geohash_cell', 'geohashCell'],
  read,
  reach: 'found',
  empty: () => parseFailure('geohash_cell must be an object'),
};
