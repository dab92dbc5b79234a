/** How much more often a term is in some documents than in all: the scores of 1.7. */

/** Documents with the term and documents, among those that were found and in the background. */
export interface Frequencies {
  found: number;
  foundDocs: number;
  background: number;
  backgroundDocs: number;
}

export type Significance = (frequencies: Frequencies) => number;

const HINT =
  ', does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false';

/** What is wrong with frequencies of which the background is to hold all documents that were found, as 1.7 says it. */
export function supersetProblem(frequencies: Frequencies): string | undefined {
  const { found, foundDocs, background, backgroundDocs } = frequencies;
  if (found > background) return `subsetFreq > supersetFreq${HINT}`;
  if (foundDocs > backgroundDocs) return `subsetSize > supersetSize${HINT}`;
  if (background - found > backgroundDocs - foundDocs)
    return `supersetFreq - subsetFreq > supersetSize - subsetSize${HINT}`;
  return undefined;
}

/** A heuristic: its score, and what is wrong with frequencies that it refuses. */
export interface Heuristic {
  score: Significance;
  problem?: (frequencies: Frequencies) => string | undefined;
}

export function jlh({ found, foundDocs, background, backgroundDocs }: Frequencies): number {
  if (foundDocs === 0 || backgroundDocs === 0) return 0;
  const here = found / foundDocs;
  // A term that the background lacks counts as one that is in a single document.
  const there = Math.max(1, background) / backgroundDocs;
  return here - there <= 0 ? 0 : (here - there) * (here / there);
}

export function percentage({ found, background }: Frequencies): number {
  return background === 0 ? 0 : found / background;
}

/** A table of two by two: first whether documents have the term, then whether they were found; `_`: either. */
interface Table {
  n00: number;
  n01: number;
  n10: number;
  n11: number;
  n0_: number;
  n1_: number;
  n_0: number;
  n_1: number;
  n: number;
}

/** `inside`: the background holds the documents that were found. */
function tableOf({ found, foundDocs, background, backgroundDocs }: Frequencies, inside: boolean): Table {
  const others = inside ? background - found : background;
  const otherDocs = inside ? backgroundDocs - foundDocs : backgroundDocs;
  return {
    n00: otherDocs - others,
    n01: foundDocs - found,
    n10: others,
    n11: found,
    n0_: otherDocs - others + foundDocs - found,
    n1_: others + found,
    n_0: otherDocs,
    n_1: foundDocs,
    n: otherDocs + foundDocs,
  };
}

function isRarer({ n11, n_1, n10, n_0 }: Table): boolean {
  return n11 / n_1 < n10 / n_0;
}

function term(nxy: number, nx: number, ny: number, n: number): number {
  const numerator = Math.abs(n * nxy);
  const factor = Math.abs(nxy / n);
  if (numerator < 1e-7 && factor < 1e-7) return 0;
  return factor * Math.log(numerator / Math.abs(nx * ny));
}

export function mutualInformation(negatives: boolean, inside: boolean): Significance {
  return (frequencies) => {
    const t = tableOf(frequencies, inside);
    const score =
      (term(t.n00, t.n0_, t.n_0, t.n) +
        term(t.n01, t.n0_, t.n_1, t.n) +
        term(t.n10, t.n1_, t.n_0, t.n) +
        term(t.n11, t.n1_, t.n_1, t.n)) /
      Math.log(2);
    return Number.isNaN(score) || (!negatives && isRarer(t)) ? Number.NEGATIVE_INFINITY : score;
  };
}

export function chiSquare(negatives: boolean, inside: boolean): Significance {
  return (frequencies) => {
    const t = tableOf(frequencies, inside);
    if (!negatives && isRarer(t)) return Number.NEGATIVE_INFINITY;
    return (t.n * (t.n11 * t.n00 - t.n01 * t.n10) ** 2) / (t.n_1 * t.n1_ * t.n0_ * t.n_0);
  };
}

/** Google's distance, turned round. */
export function googleDistance(inside: boolean): Significance {
  return (frequencies) => {
    const { n1_: x, n_1: y, n11: both, n } = tableOf(frequencies, inside);
    if (both === 0) return 0;
    if (x === y && x === both) return 1;
    const [a, b] = [Math.log(x), Math.log(y)];
    return Math.exp(-(Math.max(a, b) - Math.log(both)) / (Math.log(n) - Math.min(a, b)));
  };
}
