/** Expressions worked out in JavaScript, as the core does it for many documents at once (assembly/expression/). */

import { toLong } from '../numbers/javaNumbers.js';
import type { Expression, FunctionName, Operation } from './operations.js';

/** `(int)` of Java: without the fraction, bounded, no number is 0. */
function toInt(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.trunc(Math.min(Math.max(value, -0x8000_0000), 0x7fff_ffff));
}
function long(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}
/** How far Java shifts. */
function places(value: number): bigint {
  return BigInt(toInt(value) & 63);
}
const bit = (value: boolean) => (value ? 1 : 0);

type Numbers = [number, number, number, number];

const OPERATORS: Record<Operation, (...n: Numbers) => number> = {
  negate: (a) => -a,
  not: (a) => bit(toInt(a) === 0),
  bitNot: (a) => long(~toLong(a)),
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  modulo: (a, b) => a % b,
  less: (a, b) => bit(a < b),
  lessOrEqual: (a, b) => bit(a <= b),
  greater: (a, b) => bit(a > b),
  greaterOrEqual: (a, b) => bit(a >= b),
  equal: (a, b) => bit(a === b),
  notEqual: (a, b) => bit(a !== b),
  and: (a, b) => bit(toInt(a) !== 0 && toInt(b) !== 0),
  or: (a, b) => bit(toInt(a) !== 0 || toInt(b) !== 0),
  bitAnd: (a, b) => long(toLong(a) & toLong(b)),
  bitOr: (a, b) => long(toLong(a) | toLong(b)),
  bitXor: (a, b) => long(toLong(a) ^ toLong(b)),
  shiftLeft: (a, b) => long(toLong(a) << places(b)),
  shiftRight: (a, b) => long(toLong(a) >> places(b)),
  shiftRightUnsigned: (a, b) => long(BigInt.asUintN(64, toLong(a)) >> places(b)),
  conditional: (a, b, c) => (toInt(a) !== 0 ? b : c),
  arcDistance,
};

const RADIANS = Math.PI / 180;
/** Half axes of the WGS 84 ellipsoid in kilometres. */
const EQUATOR = 6378.137;
const POLE = 6356.7523142;

/** Kilometres between two points. */
function haversin(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const [a, b] = [lat1 * RADIANS, lat2 * RADIANS];
  const h = (1 - Math.cos(a - b) + Math.cos(a) * Math.cos(b) * (1 - Math.cos((lon1 - lon2) * RADIANS))) / 2;
  return diameterAt((a + b) / 2) * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Metres between two points, as 1.7's `GeoDistance.ARC` has them. */
function arcDistance(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const [a, b] = [(lat1 * Math.PI) / 180, (lat2 * Math.PI) / 180];
  const h1 = (1 - Math.cos(a - b)) / 2;
  const h2 = (1 - Math.cos(((lon1 - lon2) * Math.PI) / 180)) / 2;
  const h = h1 + Math.cos(a) * Math.cos(b) * h2;
  return diameterAt((a + b) / 2) * 1000 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The earth's diameter at a latitude, as a table of 1,024 steps has it that Lucene 4.10 computes by 2,049. */
function diameterAt(latitude: number): number {
  const step = Math.trunc((Math.abs(latitude) * 2048) / Math.PI + 0.5) % 1025;
  if (step === 1024) return 2 * POLE;
  const angle = (Math.PI * step) / 2049;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const above = (EQUATOR ** 2 * cos) ** 2 + (POLE ** 2 * sin) ** 2;
  const below = (EQUATOR * cos) ** 2 + (POLE * sin) ** 2;
  return 2 * Math.sqrt(above / below);
}

const CALLS: Record<FunctionName, (...n: Numbers) => number> = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: (a) => Math.log(Math.sqrt(a * a - 1) + a),
  asin: Math.asin,
  asinh: (a) => Math.sign(a) * Math.log(Math.sqrt(a * a + 1) + Math.abs(a)),
  atan: Math.atan,
  atanh: (a) => Math.sign(a) * 0.5 * Math.log((1 + Math.abs(a)) / (1 - Math.abs(a))),
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  atan2: Math.atan2,
  logn: (base, a) => Math.log(a) / Math.log(base),
  max: (a, b) => Math.max(a, b),
  min: (a, b) => Math.min(a, b),
  pow: (a, b) => a ** b,
  haversin,
};

/** The value of an expression whose variables have these values. */
export function evaluate(expression: Expression, read: (variable: string) => number): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'variable':
      return read(expression.name);
  }
  const operands = expression.operands.map((each) => evaluate(each, read)) as unknown as Numbers;
  return expression.kind === 'call'
    ? CALLS[expression.name](...operands)
    : OPERATORS[expression.operation](...operands);
}
