/** What aggregations answer with, before it is written as JSON. */

/** A number that is shown as Java shows a double. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

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
