/** `geo_bounding_box`: points in a box. */

import { queryParsing } from '../../errors.js';
import { geoParse, normalizePoint, readPoint } from '../../geo/geoPoints.js';
import { booleanOf, isObject, type JsonObject, strictFractionOf, textOf } from '../../json/values.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { GeoBox } from '../../plan/nodes/geoBox.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type FilterCompiler, type FilterKind, ofType } from '../context.js';
import { emptyHasNoField } from '../emptyOptions.js';
import { checkIndexed, entriesOf, geoField } from './geoField.js';

/** The corners of a box; a side that is not given is NaN, and nothing is in it. */
function readBox(value: JsonObject): { box: GeoBox; field: string | undefined } {
  const box: GeoBox = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  let field: string | undefined;
  for (const [key, each] of Object.entries(value)) {
    switch (key) {
      case 'field':
        field = textOf(each);
        break;
      case 'top':
      case 'left':
      case 'bottom':
      case 'right':
        box[key] = strictFractionOf(each);
        break;
      default: {
        const corner = /^(top|bottom)(?:_(left|right)|(Left|Right))$/.exec(key);
        if (corner === null) throw geoParse(`Unexpected field [${key}]`);
        const point = readPoint(each);
        box[corner[1] as 'top' | 'bottom'] = point.lat;
        box[(corner[2] ?? corner[3]!).toLowerCase() as 'left' | 'right'] = point.lon;
      }
    }
  }
  return { box, field };
}

/** A box with its corners in range; one all around the earth stays that. */
function normalizeBox({ top, left, bottom, right }: GeoBox): GeoBox {
  const whole = (right - left) % 360 === 0 && right > left;
  const topLeft = normalizePoint({ lat: top, lon: left }, true, !whole);
  const bottomRight = normalizePoint({ lat: bottom, lon: right }, true, !whole);
  return {
    top: topLeft.lat,
    left: whole ? -180 : topLeft.lon,
    bottom: bottomRight.lat,
    right: whole ? 180 : bottomRight.lon,
  };
}

const read: FilterCompiler = (body, dsl) => {
  let name: string | undefined;
  let box: GeoBox = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  let normalize = true;
  let type = 'memory';
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isObject(value)) {
      const read = readBox(value);
      box = read.box;
      name = read.field ?? key;
    } else if (key === 'normalize') normalize = booleanOf(value);
    else if (key === 'type') type = textOf(value) ?? '';
    else if (!Array.isArray(value))
      throw queryParsing(dsl.index, `[geo_bbox] filter does not support [${key}]`);
  }
  if (normalize) box = normalizeBox(box);
  const { resolved, field } = geoField(name, dsl);
  if (type === 'indexed') checkIndexed(field);
  else if (type !== 'memory') {
    throw queryParsing(
      dsl.index,
      `geo bounding box type [${type}] not supported, either 'indexed' or 'memory' are allowed`,
    );
  }
  const { top, left, bottom, right } = box;
  const corner = (lat: number, lon: number) => `[${doubleText(lat)}, ${doubleText(lon)}]`;
  const node: PlanNode = { kind: 'geoBox', field: resolved.number, box };
  const shown = `${field.fullName}, ${corner(top, left)}, ${corner(bottom, right)}`;
  const range = (part: string, from: number, to: number) =>
    `${field.fullName}.${part}:[${doubleText(from)} TO ${doubleText(to)}]`;
  const text = () => {
    if (type !== 'indexed') return `GeoBoundingBoxFilter(${shown})`;
    if (left <= right) return `BooleanFilter(+${range('lon', left, right)} +${range('lat', bottom, top)})`;
    const open = (from: string, to: string) => `${field.fullName}.lon:[${from} TO ${to}]`;
    const outside = `${open('*', doubleText(right))} ${open(doubleText(left), '*')}`;
    return `BooleanFilter(${outside} +${range('lat', bottom, top)})`;
  };
  return ofType(resolved, asFilter(node, text));
};

export const geoBoundingBoxFilter: FilterKind = {
  names: ['geo_bounding_box', 'geoBoundingBox', 'geo_bbox', 'geoBbox'],
  read,
  reach: 'found',
  empty: emptyHasNoField,
};
