/** Hashes of Java, which decide the order in which some of its collections are told. */

/** `String.hashCode`. */
export function textHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

const LEAST_BUCKETS = 16;
const MOST_BUCKETS = 2 ** 30;
const LOAD = 0.75;

/**
 * Texts in the order in which a `HashSet` that they were added to one by one is read, or a `HashMap` of them; each once.
 *
 * @param expected how many it was made for, as Guava does it
 */
export function hashOrder(texts: Iterable<string>, expected?: number): string[] {
  const each = [...new Set(texts)];
  let buckets = expected === undefined ? LEAST_BUCKETS : bucketsFor(expected);
  while (each.length > buckets * LOAD) buckets *= 2;
  const bucketOf = (text: string) => {
    const hash = textHash(text);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  // Those that share a bucket stay in the order in which they came.
  return each.sort((a, b) => bucketOf(a) - bucketOf(b));
}

/** The least power of two that holds a third more. */
function bucketsFor(expected: number): number {
  const room = expected < 3 ? expected + 1 : expected + Math.floor(expected / 3);
  let buckets = 1;
  while (buckets < room && buckets < MOST_BUCKETS) buckets *= 2;
  return buckets;
}
