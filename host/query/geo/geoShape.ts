/** Filter and query on shapes. */

import { queryParsing } from '../../errors.js';
import { outsideTerms, touchingTerms } from '../../geo/cells.js';
import { readShape } from '../../geo/geoJson.js';
import type { Shape } from '../../geo/shape.js';
import { checkVertices } from '../../geo/vertices.js';
import { isObject, type JsonObject, strictFloatOf, textOf } from '../../json/values.js';
import { GeoShapeField, readStrategy } from '../../mapping/geoShape.js';
import { ownValue } from '../../ownNames.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  constant,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  ofType,
  type QueryCompiler,
  type QueryKind,
  resolve,
} from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { combine } from '../sets.js';

const RELATIONS = new Set(['intersects', 'disjoint', 'within']);

/** What stands under the field's name. */
interface Wanted {
  shape: Shape | undefined;
  /** What the shape was made of, if it stands in the query. */
  owner?: unknown;
  relation: string;
}

/** `geo_shape` as a filter. */
const readGeoShapeFilter: FilterCompiler = (body, dsl) => {
  if (!isObject(body)) throw queryParsing(dsl.index, '[geo_shape] filter malformed, no field');
  let name: string | undefined;
  let wanted: Wanted = { shape: undefined, relation: 'intersects' };
  for (const [key, value] of Object.entries(body)) {
    if (isObject(value)) {
      name = key;
      wanted = readWanted(value, dsl, 'filter', wanted);
    } else if (!IGNORED.has(key) && !isNothing(value)) {
      throw queryParsing(dsl.index, `[geo_shape] filter does not support [${key}]`);
    }
  }
  return compile(name, wanted, dsl);
};

export const geoShapeFilter: FilterKind = {
  names: ['geo_shape', 'geoShape'],
  read: readGeoShapeFilter,
  reach: 'named',
  empty: emptySays('No Shape defined'),
};

/** `geo_shape` as a query: what matches scores the same. */
const readGeoShapeQuery: QueryCompiler = (body, dsl) => {
  let name: string | undefined;
  let boost = 1;
  let wanted: Wanted = { shape: undefined, relation: 'intersects' };
  for (const [key, value] of Object.entries(body)) {
    if (isObject(value)) {
      name = key;
      wanted = readWanted(value, dsl, 'query', wanted);
    } else if (isNothing(value)) continue;
    else if (key === 'boost') boost = strictFloatOf(value);
    else if (key !== '_name') throw queryParsing(dsl.index, `[geo_shape] query does not support [${key}]`);
  }
  return constant(compile(name, wanted, dsl), boost);
};

/** The shape may be one that is indexed. */
export const geoShapeQuery: QueryKind = {
  names: ['geo_shape', 'geoShape'],
  read: readGeoShapeQuery,
  reach: 'named',
};

/** Whether 1.7 reads over a value: an empty list, and null. */
function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** The text of the token that a value begins with. */
function tokenText(value: unknown): string {
  return textOf(value) ?? (value === null ? 'null' : Array.isArray(value) ? '[' : '{');
}

function readWanted(given: JsonObject, dsl: Dsl, what: string, before: Wanted): Wanted {
  const wanted = { ...before };
  for (const [key, value] of Object.entries(given)) {
    switch (key) {
      case 'shape':
        checkVertices(value);
        wanted.shape = readShape(value, 'right');
        wanted.owner = value;
        break;
      case 'relation':
        wanted.relation = tokenText(value).toLowerCase();
        if (!RELATIONS.has(wanted.relation)) {
          // The query's text has a blank more.
          const end = what === 'query' ? ' ]' : ']';
          throw queryParsing(dsl.index, `Unknown shape operation [${tokenText(value)}${end}`);
        }
        break;
      case 'strategy':
        readStrategy(textOf(value) ?? '');
        break;
      case 'indexed_shape':
      case 'indexedShape':
        wanted.shape = indexedShape(value, dsl);
        wanted.owner = undefined;
        break;
      default:
        throw queryParsing(dsl.index, `[geo_shape] ${what} does not support [${key}]`);
    }
  }
  return wanted;
}

/** The shape in another document. */
function indexedShape(given: unknown, dsl: Dsl): Shape | undefined {
  const options = isObject(given) ? given : {};
  const [id, type] = [textOf(options.id), textOf(options.type)];
  if (id === undefined) throw queryParsing(dsl.index, 'ID for indexed shape not provided');
  if (type === undefined) throw queryParsing(dsl.index, 'Type for indexed shape not provided');
  const path = textOf(options.path) ?? 'shape';
  let value = dsl.source(textOf(options.index) ?? 'shapes', type, id);
  if (value === undefined) {
    throw queryParsing(dsl.index, `Shape with ID [${id}] in type [${type}] not found`);
  }
  for (const name of path.split('.')) value = isObject(value) ? ownValue(value, name) : undefined;
  if (value === undefined) {
    throw queryParsing(dsl.index, `Shape with name [${id}] found but missing ${path} field`);
  }
  checkVertices(value);
  return readShape(value, 'right');
}

function compile(name: string | undefined, { shape, owner = shape, relation }: Wanted, dsl: Dsl): PlanNode {
  if (shape === undefined) throw queryParsing(dsl.index, 'No Shape defined');
  const resolved = resolve(dsl, name ?? 'null');
  const { field } = resolved;
  if (field === undefined) throw queryParsing(dsl.index, `Failed to find geo_shape field [${name}]`);
  if (!(field instanceof GeoShapeField)) {
    throw queryParsing(dsl.index, `Field [${name}] is not a geo_shape`);
  }
  const terms = (names: readonly string[]): PlanNode => {
    const encoder = new TextEncoder();
    return { kind: 'terms', field: field.number, terms: names.map((each) => encoder.encode(each)) };
  };
  const touching = terms(touchingTerms(shape, field.grid, field.error, owner));
  switch (relation) {
    case 'intersects':
      return ofType(resolved, touching);
    case 'disjoint':
      return ofType(resolved, combine([{ kind: 'exists', field: field.number }], [], [touching])!);
    default:
      return ofType(
        resolved,
        combine([touching], [], [terms(outsideTerms(shape, field.grid, field.error, owner))])!,
      );
  }
}
