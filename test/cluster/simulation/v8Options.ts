/** How V8 is to run seeds: each is short, most of what it makes is garbage when it ends, and the next one is another. */

/** Megabytes of the young generation, for all of its three parts. */
export const YOUNG_MB = 64;

/**
 * How much of a function has run before it is optimized: six times as much as usual. Many functions run a little in every seed; optimizing them
 * was a quarter of the processor's time of a few hundred seeds.
 */
export const LATE_OPTIMIZING = '--interrupt-budget=400000';

/** The same as options of a process. */
export const V8_OPTIONS: readonly string[] = [
  LATE_OPTIMIZING,
  `--max-semi-space-size=${Math.floor(YOUNG_MB / 3)}`,
];
