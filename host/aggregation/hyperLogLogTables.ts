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

/** Numbers by the distances between them, in place. */
function summed(distances: Float64Array): Float64Array {
  for (let i = 1; i < distances.length; i++) distances[i]! += distances[i - 1]!;
  return distances;
}

let tables: BiasTable[] | undefined;

/** The table of a precision from 4 to 18. */
export function biasTable(precision: number): BiasTable {
  if (tables === undefined) {
    const counts = paragraphs(COUNTS).map(summed);
    tables = paragraphs(ESTIMATES).map((scaled, p) => {
      // Whole numbers up to here, so that each quotient is the double that its decimal is read as.
      const estimates = summed(summed(scaled)).map((estimate) => estimate / 10_000);
      return { estimates, biases: estimates.map((estimate, i) => estimate - counts[p]![i]!) };
    });
  }
  return tables[precision - LEAST_PRECISION]!;
}
