/** What expressions are made of, and how programs of the core write it. */

/** How operators and functions are written in programs (assembly/expression/README.md), and how many operands they take. */
export const OPERATIONS = {
  negate: [16, 1],
  not: [17, 1],
  bitNot: [18, 1],
  add: [32, 2],
  subtract: [33, 2],
  multiply: [34, 2],
  divide: [35, 2],
  modulo: [36, 2],
  less: [37, 2],
  lessOrEqual: [38, 2],
  greater: [39, 2],
  greaterOrEqual: [40, 2],
  equal: [41, 2],
  notEqual: [42, 2],
  and: [43, 2],
  or: [44, 2],
  bitAnd: [45, 2],
  bitOr: [46, 2],
  bitXor: [47, 2],
  shiftLeft: [48, 2],
  shiftRight: [49, 2],
  shiftRightUnsigned: [50, 2],
  conditional: [64, 3],
  /** Metres between two points, by 1.7's formula `arc`; no function of the language. */
  arcDistance: [129, 4],
} as const;
export type Operation = keyof typeof OPERATIONS;

/** Likewise. */
export const FUNCTIONS = {
  abs: [80, 1],
  acos: [81, 1],
  acosh: [82, 1],
  asin: [83, 1],
  asinh: [84, 1],
  atan: [85, 1],
  atanh: [86, 1],
  ceil: [87, 1],
  cos: [88, 1],
  cosh: [89, 1],
  exp: [90, 1],
  floor: [91, 1],
  ln: [92, 1],
  log10: [93, 1],
  sin: [94, 1],
  sinh: [95, 1],
  sqrt: [96, 1],
  tan: [97, 1],
  tanh: [98, 1],
  atan2: [112, 2],
  logn: [113, 2],
  max: [114, 2],
  min: [115, 2],
  pow: [116, 2],
  haversin: [128, 4],
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** A part of an expression. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'variable'; name: string }
  | { kind: 'operation'; operation: Operation; operands: Expression[] }
  | { kind: 'call'; name: FunctionName; operands: Expression[] };
