/** The seeds that are run with all other tests: always the same ones, so that what fails is what has been changed. */
import { CHECKED } from '../../support/builtHost.js';

/** From 1 on. With the debug core, which takes its time, they are fewer. */
const SEEDS = CHECKED ? 200 : 2000;
/** The seeds are divided among so many processes, that each core has something to do. */
const PROCESSES = 4;

export interface SeedRange {
  from: number;
  count: number;
}

/** The seeds of each process. */
export const SEED_RANGES: readonly SeedRange[] = Array.from({ length: PROCESSES }, (_, i) => ({
  from: 1 + (i * SEEDS) / PROCESSES,
  count: SEEDS / PROCESSES,
}));
