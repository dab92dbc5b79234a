/** Does something with each item, so many at a time, and returns the results in the order of the items. The first failure ends it. */
export async function parallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, index);
      } catch (e) {
        failed = true;
        throw e;
      }
    }
  };
  const workers = Array.from({ length: Math.min(most, items.length) }, worker);
  // Nothing goes on behind whoever is told of the failure.
  const ended = await Promise.allSettled(workers);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return results;
}
