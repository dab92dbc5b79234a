import type { NamedQuery } from './corpus.js';
import type { Resilin } from './resilin.js';
import { timed } from './statistics.js';

/** One term, scored and counted to the last posting. */
export interface PostingFigures {
  readonly field: string;
  readonly term: string;
  readonly documents: number;
  /** Share of the shard's documents. */
  readonly density: number;
  readonly nanoseconds: number;
  /** With pruning, as searches do it. */
  readonly prunedNanoseconds: number;
}

const MOST_FREQUENT = ['the', 'of', 'and', 'in', 'is'];

/** The plan's flag (`assembly/search/README.md`) by which no block is skipped for its bound. */
const EXHAUSTIVE = 4;
const FLAGS_AT = 5;

/**
 * Times the terms of the category `term_high` and some of the most frequent words of English with nothing skipped, so
 * that every posting is decoded, scored and compared with the ten best so far.
 */
export function measurePostings(
  resilin: Resilin,
  queries: readonly NamedQuery[],
  seconds: number,
): PostingFigures[] {
  const terms = new Set<string>(MOST_FREQUENT);
  for (const { category, query } of queries) {
    const { match, term } = query as Record<string, Record<string, unknown> | undefined>;
    const text = match?.body ?? term?.body;
    if (category === 'term_high' && typeof text === 'string') terms.add(text);
  }
  return [...terms].flatMap((text): PostingFigures[] => {
    const pruned = resilin.plan({ term: { body: text } });
    const plan = pruned.slice();
    plan[FLAGS_AT] = (plan[FLAGS_AT] ?? 0) | EXHAUSTIVE;
    const { total } = resilin.answer(plan);
    if (total < 1000) return [];
    return [
      {
        field: 'body',
        term: text,
        documents: total,
        density: total / resilin.indexing.docs,
        nanoseconds: (timed(() => resilin.searchCore(plan), seconds).median * 1000) / total,
        prunedNanoseconds: (timed(() => resilin.searchCore(pruned), seconds).median * 1000) / total,
      },
    ];
  });
}
