/**
 * HyperLogLog++ as 1.7 counts with it: short hashes of 32 bits in a set as long as they are few, then 2^precision registers. The
 * core fills both (assembly/aggregation/cardinality.ts); this merges them and says how many values there were.
 */

import { biasTable, LEAST_PRECISION, MOST_PRECISION } from './hyperLogLogTables.js';

const SHORT_BITS = 25;

/** Above so many, by precision from 4 on, empty registers say less than the estimate does. */
const THRESHOLDS = [
  10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11_500, 20_000, 50_000, 120_000, 350_000,
];

/** Neighbours that an estimate's bias is taken from. */
const NEIGHBOURS = 6;

export type Sketch = Set<number> | Uint8Array;

/** The precision with which so many values are counted one by one. */
export function precisionOf(threshold: number): number {
  const bits = Math.ceil(threshold / 0.75) * 4;
  return Math.min(
    Math.max(bits === 0 ? 1 : Math.floor(Math.log2(bits)) + 1, LEAST_PRECISION),
    MOST_PRECISION,
  );
}

/** Adds a short hash to registers. */
function addShort(registers: Uint8Array, short: number, precision: number): void {
  let first: number;
  let run: number;
  if (short & 1) {
    first = short >>> 7;
    run = ((short >>> 1) & 63) + SHORT_BITS - precision;
  } else {
    first = short >>> 1;
    run = 1 + Math.clz32(first << (7 + precision));
  }
  const register = first >>> (SHORT_BITS - precision);
  registers[register] = Math.max(registers[register]!, run);
}

/** All of several sketches of one precision. */
export function mergeSketches(sketches: readonly Sketch[], precision: number): Sketch {
  const [only] = sketches;
  if (sketches.length === 1 && only !== undefined) return only;
  const m = 2 ** precision;
  const hashes = new Set<number>();
  let registers: Uint8Array | undefined;
  for (const sketch of sketches) {
    if (sketch instanceof Set) for (const hash of sketch) hashes.add(hash);
    else {
      registers ??= new Uint8Array(m);
      for (let i = 0; i < m; i++) registers[i] = Math.max(registers[i]!, sketch[i]!);
    }
  }
  const places = m / 4;
  if (registers === undefined && hashes.size <= Math.floor(places * 0.75)) return hashes;
  registers ??= new Uint8Array(m);
  for (const hash of hashes) addShort(registers, hash, precision);
  return registers;
}

function linearCount(places: number, empty: number): number {
  return Math.round(places * Math.log(places / empty));
}

/**
 * How much too large an estimate is on average: the weighted mean of its neighbours' biases. As 1.7 has it, the search for them
 * stops where the distances no longer shrink.
 */
function bias(estimate: number, precision: number): number {
  const { estimates, biases } = biasTable(precision);
  const weights = new Array<number>(NEIGHBOURS).fill(0);
  let from = biases.length - NEIGHBOURS;
  for (let i = 0; i < estimates.length; i++) {
    const weight = 1 / Math.abs(estimates[i]! - estimate);
    if (weight === Number.POSITIVE_INFINITY) return biases[i]!;
    if (weights[i % NEIGHBOURS]! >= weight) {
      from = i - NEIGHBOURS;
      break;
    }
    weights[i % NEIGHBOURS] = weight;
  }
  let sum = 0;
  let all = 0;
  for (let j = 0; j < NEIGHBOURS; j++) {
    const weight = weights[(from + j) % NEIGHBOURS]!;
    all += weight;
    sum += weight * biases[from + j]!;
  }
  return sum / all;
}

function alpha(m: number): number {
  if (m === 16) return 0.673;
  return m === 32 ? 0.697 : 0.7213 / (1 + 1.079 / m);
}

/** How many values a sketch has seen. */
export function cardinality(sketch: Sketch, precision: number): number {
  if (sketch instanceof Set) return linearCount(2 ** SHORT_BITS, 2 ** SHORT_BITS - sketch.size);
  const m = 2 ** precision;
  let inverse = 0;
  let empty = 0;
  for (const run of sketch) {
    inverse += 2 ** -run;
    if (run === 0) empty++;
  }
  const raw = (alpha(m) * m * m) / inverse;
  const estimate = raw <= 5 * m ? raw - bias(raw, precision) : raw;
  const counted = empty > 0 ? linearCount(m, empty) : estimate;
  return Math.round(counted <= THRESHOLDS[precision - LEAST_PRECISION]! ? counted : estimate);
}
