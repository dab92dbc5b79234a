/** The sort values of hits, as the core leaves them behind the hits (assembly/search/README.md, *Result*). */

/** What a key's values are. */
export type SortValueType = 'long' | 'double' | 'string';

/** A whole number, a fraction, a string as its bytes in UTF-8, or null where a document has none. */
export type SortValue = bigint | number | Uint8Array | null;

/** Reads the values of `n` hits, key by key. */
export function decodeSortValues(
  bytes: Uint8Array,
  n: number,
  types: readonly SortValueType[],
): SortValue[][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hits: SortValue[][] = [];
  let at = 0;
  for (let i = 0; i < n; i++) {
    const values: SortValue[] = [];
    for (const type of types) {
      if (type === 'string') {
        const length = view.getUint32(at, true);
        at += 4;
        if (length === 0xffff_ffff) values.push(null);
        else {
          values.push(bytes.subarray(at, at + length));
          at += length;
        }
        continue;
      }
      values.push(type === 'long' ? view.getBigInt64(at, true) : view.getFloat64(at, true));
      at += 8;
    }
    hits.push(values);
  }
  return hits;
}
