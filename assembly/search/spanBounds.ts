import { SPAN_NEAR_ORDERED, SPAN_NEAR_UNORDERED, SPAN_OR, SPAN_TERM, Spans } from '../docset/spans';
import { windowImpact } from '../postings/scores';

// What spans can come to at most. A score is sqrt(frequency) * weight * norm, so that frequencies are bounded together with the
// norm: what is added up are squares of impacts, sqrt(freq) * norm each.

/** Sums of frequencies are rounded at each step: bounds are widened by more than that comes to in a million spans. */
const SLACK: f32 = 1.1;

/** Number of spans times the square of the norm, at most, of a document in [base, limit); -1: there can be no spans. Windows ascend. */
function most(spans: Spans, base: u32, limit: u32): f32 {
  switch (spans.kind) {
    case SPAN_TERM: {
      const impact = windowImpact(spans.term.postings, base, limit);
      return impact < 0 ? -1 : impact * impact;
    }
    case SPAN_NEAR_ORDERED:
    case SPAN_NEAR_UNORDERED: {
      // In order each span takes a place of every child, else of one of them.
      let least: f32 = Infinity;
      let sum: f32 = 0;
      for (let i: u32 = 0; i < spans.childCount; i++) {
        const one = most(spans.cheap(i), base, limit);
        if (one < 0) return -1;
        least = min(least, one);
        sum += one;
      }
      return spans.kind == SPAN_NEAR_ORDERED && spans.flat ? least : sum;
    }
    case SPAN_OR: {
      let sum: f32 = -1;
      for (let i: u32 = 0; i < spans.childCount; i++) {
        const one = most(spans.child(i), base, limit);
        if (one >= 0) sum = max<f32>(sum, 0) + one;
      }
      return sum;
    }
    default:
      return most(spans.child(0), base, limit);
  }
}

/** Positions that a span takes at least. */
function shortest(spans: Spans): f32 {
  switch (spans.kind) {
    case SPAN_NEAR_ORDERED:
      return spans.flat ? <f32>spans.childCount : 1;
    case SPAN_TERM:
    case SPAN_NEAR_UNORDERED:
    case SPAN_OR:
      return 1;
    default:
      return shortest(spans.child(0));
  }
}

/** sqrt(frequency) * norm of a document in [base, limit) at most, where each span counts 1 / (length + 1); -1 where there can be none. */
export function spanImpact(spans: Spans, base: u32, limit: u32): f32 {
  const squares = most(spans, base, limit);
  return squares < 0 ? -1 : f32.sqrt(squares / (shortest(spans) + 1)) * SLACK;
}
