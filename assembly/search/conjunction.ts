import { MATCH_BOOLEAN, MATCH_FILTERED, MATCH_PHRASE, MATCH_TERM, Matcher, matches } from '../docset/matcher';
import { phraseLead } from '../docset/phrase';
import { PostingsCursor, advance, blockImpact, decodeDocs, enter, fillBits } from '../postings/cursor';
import { evaluate, upperBound } from '../score/evaluate';
import { offer, threshold } from '../score/topHits';
import { Run } from './run';

// A tree that some rare list leads: every match is in the list, so its documents are the candidates. Each is tested
// against the other required clauses, cheapest first, and scored where its block can still hold a hit.

/** The rarest list that holds every match of `m`, or null. */
export function leadOf(m: Matcher): PostingsCursor | null {
  switch (m.kind) {
    case MATCH_TERM:
      return m.cursor;
    case MATCH_PHRASE:
      return phraseLead(m.phrase);
    case MATCH_BOOLEAN:
    case MATCH_FILTERED: {
      let best: PostingsCursor | null = m.kind == MATCH_FILTERED ? leadOf(Matcher.at(m.optional, 0)) : null;
      for (let i: u32 = 0; i < m.requiredCount; i++) {
        const lead = leadOf(Matcher.at(m.required, i));
        if (lead !== null && (best === null || lead.df < best.df)) best = lead;
      }
      return best;
    }
    default:
      return null;
  }
}

/** Executes `run` along `lead`; returns the number of documents that count. */
export function runConjunction(run: Run, lead: PostingsCursor): i64 {
  const root: Matcher = run.root;
  // Other clauses move the lead's own cursor while they look at a candidate; candidates are copied before.
  const bound = run.exhaustive || run.countOnly ? Infinity : upperBound(root);
  let total: i64 = 0;
  for (let block: u32 = 0; block < lead.blocks; block++) {
    if (block) enter(lead, block);
    decodeDocs(lead);
    const docs = lead.docs;
    const n = (<usize>lead.count) << 2;
    const score = !run.countOnly && (run.exhaustive || bound > threshold);
    for (let i: usize = 0; i < n; i += 4) {
      const doc = load<u32>(docs + i);
      if (!matches(root, doc) || !run.accepts(doc)) continue;
      total++;
      if (score) {
        const value = evaluate(root, doc);
        if (value > threshold) offer(value, run.docBase + doc);
      }
    }
  }
  return total;
}
