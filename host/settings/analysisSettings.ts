/** The settings of an index that say how its documents are parsed. */
import type { FlatSettings } from './indexSettings.js';

const OF_ANALYSIS = /^index\.(analysis|similarity|mapping)\./;

/** Those among the settings of an index, by their names. */
export function analysisOf(flat: FlatSettings): FlatSettings {
  return Object.fromEntries(
    Object.entries(flat)
      .filter(([key]) => OF_ANALYSIS.test(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Whether both say the same. */
export function isSameAnalysis(a: FlatSettings, b: FlatSettings): boolean {
  return JSON.stringify(analysisOf(a)) === JSON.stringify(analysisOf(b));
}
