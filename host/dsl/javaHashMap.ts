/** The order in which a Java HashMap of strings gives its keys; clauses made from one stand in that order. */

/** Keys in the order of their buckets, those of one bucket as they came. */
export function hashMapOrder(keys: readonly string[]): string[] {
  let size = 16;
  while (keys.length > size * 0.75) size *= 2;
  const bucket = (key: string) => {
    let hash = 0;
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return keys
    .map((key) => ({ key, bucket: bucket(key) }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ key }) => key);
}
