/** What aggregations answer with, before it is written as JSON. */

/** A number that is shown as Java shows a double. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
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
  | readonly Rendered[]
  | { readonly [key: string]: Rendered | undefined };

/** A double, or null where there is none. */
export function doubleOrNull(value: number): Double | null {
  return Number.isFinite(value) ? new Double(value) : null;
}
