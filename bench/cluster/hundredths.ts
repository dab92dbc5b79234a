/** A figure of a table, to two digits behind the point. */
export function hundredths(value: number): number {
  return Math.round(100 * value) / 100;
}
