/** What nodes tell of how Lucene prints them. */

/** What every node may tell of how Lucene prints it, where its parts don't tell (print.ts). */
export interface Printed {
  /** All but the boost. */
  text?: (() => string) | undefined;
  /** 1.7 caches it as a filter. */
  cached?: boolean | undefined;
}
