/** Hashes of Java, which decide the order in which some of its collections are told. */

/** `String.hashCode`. */
export function textHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

const LEAST_BUCKETS = 16;
const LOAD = 0.75;

/** Texts in the order in which a `HashSet` that they were added to one by one is read, or a `HashMap` of them; each once. */
export function hashOrder(texts: Iterable<string>): string[] {
  const each = [...new Set(texts)];
  let buckets = LEAST_BUCKETS;
  while (each.length > buckets * LOAD) buckets *= 2;
  const bucketOf = (text: string) => {
    const hash = textHash(text);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  // Those that share a bucket stay in the order in which they came.
  return each.sort((a, b) => bucketOf(a) - bucketOf(b));
}
