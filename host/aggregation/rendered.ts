/** What aggregations answer with, before it is written as JSON. */

import { Double } from '../numbers/javaNumbers.js';

export { Double };

/** Hits, as a search with this view shows them. */
export class ShownHits {
  readonly total: number;
  /** No number where there are no scores. */
  readonly maxScore: number;
  readonly hits: readonly unknown[];
  readonly view: unknown;

  constructor(total: number, maxScore: number, hits: readonly unknown[], view: unknown) {
    this.total = total;
    this.maxScore = maxScore;
    this.hits = hits;
    this.view = view;
  }
}

/** Whole numbers are numbers or bigints. Keys whose value is undefined are left out. */
export type Rendered =
  | null
  | boolean
  | string
  | number
  | bigint
  | Double
  | ShownHits
  | readonly Rendered[]
  | { readonly [key: string]: Rendered | undefined };
