import { COLUMN_GEO } from '../../abi/columns';
import { NODE_GEO_BOX, NODE_GEO_DISTANCE, NODE_GEO_POLYGON } from '../../abi/plan';
import { ERR_PLAN, OK } from '../../abi/status';
import { FORMULAS } from '../../docvalues/geodesy';
import { Box, Circle, docsInBox, docsInCircle, docsInPolygon } from '../../docvalues/geoFilter';
import { requestAlloc, requestAllocZeroed } from '../../memory/arena';
import { at, bytesNext, u16Next, u8Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { openColumnOf } from '../../segment/fielddata';
import { Decoding } from '../decoding';
import { TermSet } from '../termSet';

// Points within a distance, a box or a polygon.

/** Bytes of the payload behind the field; of a distance, behind its formula and whether there is a box around the circle. */
const CIRCLE_BYTES: usize = 32;
const BOX_BYTES: usize = 32;

export function decodePoints(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.lower = at;
  let bytes = BOX_BYTES;
  if (node.kind == NODE_GEO_DISTANCE) {
    const formula = u8Next();
    const boxed = u8Next();
    if (formula >= FORMULAS || boxed > 1) fail(ERR_PLAN);
    bytes = CIRCLE_BYTES + (boxed ? BOX_BYTES : 0);
  } else if (node.kind == NODE_GEO_POLYGON) {
    const corners = u16Next();
    if (!corners) fail(ERR_PLAN);
    bytes = (<usize>corners) << 4;
  }
  bytesNext(bytes);
}

function boxOf(ptr: usize): Box | null {
  const made = requestAlloc(offsetof<Box>());
  if (!made) return null;
  const box = changetype<Box>(made);
  box.top = load<f64>(ptr);
  box.left = load<f64>(ptr, 8);
  box.bottom = load<f64>(ptr, 16);
  box.right = load<f64>(ptr, 24);
  return box;
}

function circleOf(ptr: usize): Circle | null {
  const made = requestAllocZeroed(offsetof<Circle>());
  if (!made) return null;
  const circle = changetype<Circle>(made);
  circle.formula = load<u8>(ptr);
  circle.boxed = load<u8>(ptr, 1) != 0;
  circle.latitude = load<f64>(ptr, 2);
  circle.longitude = load<f64>(ptr, 10);
  circle.lower = load<f64>(ptr, 18);
  circle.upper = load<f64>(ptr, 26);
  if (circle.boxed) {
    const box = boxOf(ptr + 2 + CIRCLE_BYTES);
    if (box === null) return null;
    circle.box = box;
  }
  return circle;
}

/** The documents with a point in the distance, the box or the polygon. */
export function fillPoints(set: TermSet, query: Query): bool {
  const column = openColumnOf(set.segment, query.field, COLUMN_GEO);
  if (requestStatus != OK) return false;
  if (column === null || column.kind != COLUMN_GEO) return true;
  const ptr = query.lower;
  if (query.kind == NODE_GEO_POLYGON) return docsInPolygon(column, ptr + 2, <u32>load<u16>(ptr), set.bits);
  if (query.kind == NODE_GEO_BOX) {
    const box = boxOf(ptr);
    return box !== null && docsInBox(column, box, set.bits);
  }
  const circle = circleOf(ptr);
  return circle !== null && docsInCircle(column, circle, set.bits);
}
