/**
 * By how much raw estimates of HyperLogLog++ are too large on average, as its authors have measured it (appendix to S. Heule, M. Nunkesser,
 * A. Hall, "HyperLogLog in Practice", 2013).
 */
import { COUNTS, ESTIMATES } from './hyperLogLogEstimates.js';

export const LEAST_PRECISION = 4;
export const MOST_PRECISION = 18;

/** One precision: estimates, mostly ascending, and by how much each is too large. */
export interface BiasTable {
  readonly estimates: Float64Array;
  readonly biases: Float64Array;
}

function paragraphs(text: string): Float64Array[] {
  return text
    .trim()
    .split('\n\n')
    .map((paragraph) => Float64Array.from(paragraph.split(/\s+/), Number));
}

let tables: BiasTable[] | undefined;

/** The table of a precision from 4 to 18. */
export function biasTable(precision: number): BiasTable {
  if (tables === undefined) {
    const counts = paragraphs(COUNTS);
    tables = paragraphs(ESTIMATES).map((estimates, p) => {
      let count = 0;
      const biases = estimates.map((estimate, i) => {
        count += counts[p]![i]!;
        return estimate - count;
      });
      return { estimates, biases };
    });
  }
  return tables[precision - LEAST_PRECISION]!;
}
