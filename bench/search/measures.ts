import type { Latency } from './statistics.js';
import { geometricMean } from './statistics.js';
import { short, table } from './table.js';

/** A figure beside the project's own targets. */
export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast: number;
  readonly aim: number | undefined;
  /** Whether smaller is better. */
  readonly down: boolean;
  readonly note: string;
}

export interface CategoryRatio {
  readonly category: string;
  readonly core: Latency;
  readonly lucene: Latency;
}

/** Below this Lucene median, in microseconds, ratios say little: an absolute bound holds instead. */
const SMALL = 10;
const UNIONS_WITH_FREQUENT_WORDS = 'union_frequent';

const down = (
  what: string,
  value: number,
  atLeast: number,
  aim: number | undefined,
  note = '',
  unit = '',
): Measure => ({
  what,
  value,
  unit,
  atLeast,
  aim,
  down: true,
  note,
});
const up = (
  what: string,
  value: number,
  atLeast: number,
  aim: number | undefined,
  note = '',
  unit = '',
): Measure => ({
  ...down(what, value, atLeast, aim, note, unit),
  down: false,
});

/** Latency at the core against Lucene's. */
export function latencyMeasures(categories: readonly CategoryRatio[]): Measure[] {
  const ratio = (each: CategoryRatio): number => each.core.median / each.lucene.median;
  const measures = [
    down(
      'median latency / Lucene, geometric mean of categories',
      geometricMean(categories.map(ratio)),
      0.4,
      0.25,
    ),
  ];
  const large = categories.filter((each) => each.lucene.median > SMALL);
  const worst = large.sort((a, b) => ratio(b) - ratio(a))[0];
  if (worst) measures.push(down('worst category above 10 us', ratio(worst), 0.9, 0.5, worst.category));
  const small = categories.filter((each) => each.lucene.median <= SMALL);
  const slowest = small.sort((a, b) => b.core.median - a.core.median)[0];
  if (slowest) {
    measures.push(
      down('slowest category below 10 us', slowest.core.median, 10, undefined, slowest.category, 'us'),
    );
  }
  for (const name of [UNIONS_WITH_FREQUENT_WORDS, 'term_high', 'phrase_frequent']) {
    const each = categories.find(({ category }) => category === name);
    if (each) measures.push(down(`${name} / Lucene`, ratio(each), 0.5, 0.2));
  }
  return measures;
}

export function indexingMeasures(docsPerSecondRatio: number, sizeRatio: number): Measure[] {
  return [
    up('indexing docs/s / Lucene', docsPerSecondRatio, 2, 4),
    down('index bytes / Lucene', sizeRatio, 1.1, 0.9),
  ];
}

export function postingMeasure(nanoseconds: number): Measure {
  return down('scored and counted posting, no pruning', nanoseconds, 3.5, 2.5, '', 'ns');
}

export function peerMeasure(timesFaster: number, peer: string): Measure {
  return up('times faster than the fastest JavaScript peer', timesFaster, 10, 50, peer);
}

export function measuresTable(measures: readonly Measure[]): string {
  const met = (measure: Measure, bound: number): boolean =>
    measure.down ? measure.value <= bound : measure.value >= bound;
  return table(
    ['measure', 'here', 'at least', 'aim', 'met'],
    measures.map((measure) => [
      measure.note === '' ? measure.what : `${measure.what} (${measure.note})`,
      `${short(measure.value)}${measure.unit === '' ? '' : ` ${measure.unit}`}`,
      `${measure.down ? '<=' : '>='} ${measure.atLeast}`,
      measure.aim === undefined ? '' : `${measure.down ? '<=' : '>='} ${measure.aim}`,
      measure.aim !== undefined && met(measure, measure.aim)
        ? 'aim'
        : met(measure, measure.atLeast)
          ? 'yes'
          : 'NO',
    ]),
  );
}
