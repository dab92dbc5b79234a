import { bytesNext } from '../plan/planReader';
import { Search } from './context';

// Minimums by number of clauses, and which terms are frequent.

/** (n + 1) × u16. */
export function minimumsNext(n: u32): usize {
  return bytesNext((<usize>n + 1) << 1);
}

export function isFrequent(search: Search, cutoff: f32, df: u32): bool {
  return (cutoff >= 1 && <f32>df > cutoff) || <i32>df > <i32>ceil<f64>(<f64>(cutoff * <f32>search.maxDoc));
}
