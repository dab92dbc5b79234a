/** What filters on points have in common: their options and their field. */

import { NO_FIELD_NAME } from '../../compat17/javaCasts.js';
import { ElasticsearchError, illegalArgument, queryParsing } from '../../errors.js';
import { isObject } from '../../json/values.js';
import { GeoPointField } from '../../mapping/geo.js';
import { type Dsl, IGNORED, type ResolvedField, resolve } from '../context.js';

/** What stands beside the field in a filter; each key once. */
export function entriesOf(body: unknown, dsl: Dsl): [string, unknown][] {
  if (!isObject(body)) throw queryParsing(dsl.index, '[_na] filter malformed, no field after start_object');
  return Object.entries(body).filter(([key]) => !IGNORED.has(key));
}

/** The geo_point field of that name. */
export function geoField(
  name: string | undefined,
  dsl: Dsl,
): { resolved: ResolvedField; field: GeoPointField } {
  if (name === undefined)
    throw new ElasticsearchError('NullPointerException', NO_FIELD_NAME, { status: 400 });
  const resolved = resolve(dsl, name);
  const { field } = resolved;
  if (field === undefined) throw queryParsing(dsl.index, `failed to find geo_point field [${name}]`);
  if (!(field instanceof GeoPointField))
    throw queryParsing(dsl.index, `field [${name}] is not a geo_point field`);
  return { resolved, field };
}

export function checkIndexed(field: GeoPointField): void {
  if (field.hasLatLon) return;
  throw illegalArgument(
    `lat/lon is not enabled (indexed) for field [${field.fullName}], can't use indexed filter on it`,
  );
}
