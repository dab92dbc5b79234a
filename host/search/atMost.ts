/** Does something for each of a list, only so many at a time; the results are in the list's order. */
export async function atMost<T, R>(
  count: number,
  list: readonly T[],
  task: (each: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(list.length);
  let next = 0;
  const lane = async () => {
    while (next < list.length) {
      const at = next++;
      results[at] = await task(list[at]!, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, list.length) }, lane));
  return results;
}
