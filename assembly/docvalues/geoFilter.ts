import { Bitset, sizeInBytes } from '../memory/bitset';
import { requestAlloc } from '../memory/arena';
import { Column } from './column';
import { ARC, distance, SLOPPY_ARC } from './geodesy';

/**
 * Which points lie within a distance, a box or a polygon: bitsets by document.
 *
 * Distances are decided on unit vectors: two points are an angle t apart exactly where the square of the chord between their
 * vectors is (2 sin(t / 2))^2, so a subtraction, a multiplication and a comparison in f32, four points at once, take the place of
 * all trigonometry. What is so near to the limit that rounding, or the earth's changing diameter, might decide is computed by the
 * formula.
 */

/** The least and the largest diameter that the formulas multiply an angle by, in metres. */
const SHORTEST: f64 = 12713504.6284;
const LONGEST: f64 = 12756274;
/** More than f32 vectors and the tables can be wrong by: of a chord, and of an angle in proportion. */
const CHORD_ERROR: f64 = 5e-7;
const ANGLE_ERROR: f64 = 2e-6;

const RADIANS: f64 = Math.PI / 180;

/** A limit of the squares of chords: those up to the first are within it, those above the second are not. */
export let sureSquare: f32 = 0;
export let possibleSquare: f32 = 0;

/** Sets the limits for a distance in metres, by the formulas of angles. */
export function chordLimits(metres: f64): void {
  if (!(metres >= 0)) {
    sureSquare = -1;
    possibleSquare = -1;
    return;
  }
  const least = (2 * metres) / LONGEST;
  const most = ((2 * metres) / SHORTEST) * (1 + ANGLE_ERROR);
  sureSquare = squareOf(least * (1 - ANGLE_ERROR), -CHORD_ERROR);
  // Every chord is at most 2 long.
  possibleSquare = most >= Math.PI ? 5 : squareOf(most, CHORD_ERROR);
}

/** The square of the chord of an angle, moved by `change`; -1 where that leaves nothing. */
function squareOf(angle: f64, change: f64): f32 {
  const chord = 2 * Math.sin(min(angle, Math.PI) / 2) + change;
  return chord > 0 ? <f32>(chord * chord) : -1;
}

/** A circle around a point, or a ring. */
@unmanaged
export class Circle {
  formula: u8;
  /** Whether points must lie in the box around it too. */
  boxed: bool;
  latitude: f64;
  longitude: f64;
  /** Bounds of the distance in metres, both included. */
  lower: f64;
  upper: f64;
  box: Box;

  /** Whether a point is in it, by the formula. */
  has(latitude: f64, longitude: f64): bool {
    if (this.boxed && !this.box.has(latitude, longitude)) return false;
    const d = distance(this.formula, this.latitude, this.longitude, latitude, longitude);
    return d >= this.lower && d <= this.upper;
  }
}

/** A box; where the left side is east of the right one it lies across the date line. */
@unmanaged
export class Box {
  top: f64;
  left: f64;
  bottom: f64;
  right: f64;

  @inline has(latitude: f64, longitude: f64): bool {
    if (!(latitude >= this.bottom && latitude <= this.top)) return false;
    return this.left > this.right
      ? longitude >= this.left || longitude <= this.right
      : longitude >= this.left && longitude <= this.right;
  }
}

/** Sets the bits (by value) of the points within a circle; false without room. */
function fillCircle(column: Column, circle: Circle, bits: usize): void {
  const n = column.valueCount;
  const angular = circle.formula == SLOPPY_ARC || circle.formula == ARC;
  let innerSure: f32 = -1;
  let innerPossible: f32 = -1;
  let outerSure: f32 = -1;
  let outerPossible: f32 = 5;
  if (angular) {
    if (circle.lower > 0) {
      chordLimits(circle.lower);
      innerSure = sureSquare;
      innerPossible = possibleSquare;
    }
    // The box around a circle holds all that is surely in it.
    chordLimits(circle.upper);
    outerSure = sureSquare;
    outerPossible = possibleSquare;
  }
  const circled = Math.cos(circle.latitude * RADIANS);
  const px = f32x4.splat(<f32>(circled * Math.cos(circle.longitude * RADIANS)));
  const py = f32x4.splat(<f32>(circled * Math.sin(circle.longitude * RADIANS)));
  const pz = f32x4.splat(<f32>Math.sin(circle.latitude * RADIANS));
  const stride = (<usize>column.vectorStride) << 2;
  const above = f32x4.splat(innerPossible);
  const least = f32x4.splat(innerSure);
  const within = f32x4.splat(outerSure);
  const most = f32x4.splat(outerPossible);
  for (let base: u32 = 0; base < n; base += 64) {
    let certain: u64 = 0;
    let doubtful: u64 = 0;
    const from = column.vectors + ((<usize>base) << 2);
    const steps = (min(n - base, 64) + 3) >> 2;
    for (let s: u32 = 0; s < steps; s++) {
      const at = from + ((<usize>s) << 4);
      const dx = f32x4.sub(v128.load(at), px);
      const dy = f32x4.sub(v128.load(at + stride), py);
      const dz = f32x4.sub(v128.load(at + 2 * stride), pz);
      const square = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
      const yes = v128.and(f32x4.le(square, within), f32x4.gt(square, above));
      const perhaps = v128.and(f32x4.le(square, most), f32x4.gt(square, least));
      certain |= (<u64>i32x4.bitmask(yes)) << (<u64>(s << 2));
      doubtful |= (<u64>i32x4.bitmask(perhaps)) << (<u64>(s << 2));
    }
    for (let word = doubtful & ~certain; word; word &= word - 1) {
      const i = base + <u32>ctz<u64>(word);
      if (circle.has(column.latitude(i), column.longitude(i))) certain |= word & -word;
    }
    store<u64>(bits + (base >> 3), certain);
  }
}

/** Sets the bits (by value) of the points in a box. */
function fillBox(column: Column, box: Box, bits: usize): void {
  const n = column.valueCount;
  const top = f64x2.splat(box.top);
  const bottom = f64x2.splat(box.bottom);
  const left = f64x2.splat(box.left);
  const right = f64x2.splat(box.right);
  const across = box.left > box.right;
  const latitudes = column.data;
  const longitudes = column.longitudes;
  for (let base: u32 = 0; base < n; base += 64) {
    let word: u64 = 0;
    const end = min(n - base, 64);
    for (let i: u32 = 0; i < end; i += 2) {
      const at = (<usize>(base + i)) << 3;
      const latitude = v128.load(latitudes + at);
      const longitude = v128.load(longitudes + at);
      const inside = v128.and(f64x2.ge(latitude, bottom), f64x2.le(latitude, top));
      const east = f64x2.ge(longitude, left);
      const west = f64x2.le(longitude, right);
      const between = across ? v128.or(east, west) : v128.and(east, west);
      word |= (<u64>i64x2.bitmask(v128.and(inside, between))) << (<u64>i);
    }
    if (end < 64) word &= ((<u64>1) << (<u64>end)) - 1;
    store<u64>(bits + (base >> 3), word);
  }
}

/** Whether a point is in the polygon of `corners` pairs of f64 (latitude, longitude) at `polygon`; the last one is the first. */
function isInPolygon(polygon: usize, corners: u32, latitude: f64, longitude: f64): bool {
  let inside = false;
  for (let i: u32 = 1; i < corners; i++) {
    const at = polygon + ((<usize>i) << 4);
    const lat = load<f64>(at);
    const lon = load<f64>(at, 8);
    const lastLat = load<f64>(at - 16);
    const lastLon = load<f64>(at - 8);
    if ((lon < longitude && lastLon >= longitude) || (lastLon < longitude && lon >= longitude)) {
      if (lat + ((longitude - lon) / (lastLon - lon)) * (lastLat - lat) < latitude) inside = !inside;
    }
  }
  return inside;
}

function fillPolygon(column: Column, polygon: usize, corners: u32, bits: usize): void {
  let top = -Infinity;
  let bottom = Infinity;
  for (let i: u32 = 0; i < corners; i++) {
    const latitude = load<f64>(polygon + ((<usize>i) << 4));
    top = max(top, latitude);
    bottom = min(bottom, latitude);
  }
  for (let i: u32 = 0, n = column.valueCount; i < n; i++) {
    const latitude = column.latitude(i);
    if (!(latitude >= bottom && latitude <= top)) continue;
    if (isInPolygon(polygon, corners, latitude, column.longitude(i))) Bitset.set(bits, i);
  }
}

/** Where the bits of the values go: those of the documents themselves, or apart. */
function valueBits(column: Column, bits: usize): usize {
  if (!column.isSeveral) return bits;
  const bytes = sizeInBytes(column.valueCount) + 16;
  const own = requestAlloc(bytes);
  if (own) memory.fill(own, 0, bytes);
  return own;
}

/** Adds the documents that have one of the values. */
function addDocs(column: Column, values: usize, bits: usize): void {
  if (!column.isSeveral) return;
  for (let doc: u32 = 0; doc < column.docCount; doc++) {
    const end = column.end(doc);
    for (let i = column.first(doc); i < end; i++) {
      if (!Bitset.get(values, i)) continue;
      Bitset.set(bits, doc);
      break;
    }
  }
}

/** Makes `bits`, all 0, the documents with a point in the circle; false without room. */
export function docsInCircle(column: Column, circle: Circle, bits: usize): bool {
  const values = valueBits(column, bits);
  if (!values) return false;
  fillCircle(column, circle, values);
  addDocs(column, values, bits);
  return true;
}

/** Makes `bits`, all 0, the documents with a point in the box; false without room. */
export function docsInBox(column: Column, box: Box, bits: usize): bool {
  const values = valueBits(column, bits);
  if (!values) return false;
  fillBox(column, box, values);
  addDocs(column, values, bits);
  return true;
}

/** Makes `bits`, all 0, the documents with a point in the polygon; false without room. */
export function docsInPolygon(column: Column, polygon: usize, corners: u32, bits: usize): bool {
  const values = valueBits(column, bits);
  if (!values) return false;
  fillPolygon(column, polygon, corners, values);
  addDocs(column, values, bits);
  return true;
}
