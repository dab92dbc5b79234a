/**
 * The order in which a LongObjectPagedHashMap of 1.7 is read: by slots of a table with linear probing that grows in place. Buckets
 * of a histogram come out of one before they are sorted, so equal ones are shown in this order.
 */

const MASK = 0xffff_ffff_ffff_ffffn;
const FIRST_SLOTS = 32;
const LOAD = Math.fround(0.6);

/** The last step of MurmurHash3. */
function mixed(key: bigint): number {
  let k = BigInt.asUintN(64, key);
  k ^= k >> 33n;
  k = (k * 0xff51afd7ed558ccdn) & MASK;
  k ^= k >> 33n;
  k = (k * 0xc4ceb9fe1a85ec53n) & MASK;
  k ^= k >> 33n;
  return Number(k & 0xffff_ffffn);
}

/** What has these keys, all different, in the order of a table that they were added to one by one. */
export function pagedHashOrder<T extends { readonly key: bigint }>(list: readonly T[]): T[] {
  let slots: ({ hash: number; each: T } | undefined)[] = new Array(FIRST_SLOTS);
  const put = (entry: { hash: number; each: T }) => {
    let at = entry.hash & (slots.length - 1);
    while (slots[at] !== undefined) at = (at + 1) & (slots.length - 1);
    slots[at] = entry;
  };
  const replace = (at: number) => {
    const entry = slots[at]!;
    slots[at] = undefined;
    put(entry);
  };
  let size = 0;
  for (const each of list) {
    if (size >= Math.trunc(slots.length * LOAD)) {
      const before = slots.length;
      slots = [...slots, ...new Array(before)];
      for (let i = 0; i < before; i++) if (slots[i] !== undefined) replace(i);
      // Those that had run over the end of the smaller table stand behind it now.
      for (let i = before; i < slots.length && slots[i] !== undefined; i++) replace(i);
    }
    put({ hash: mixed(each.key), each });
    size++;
  }
  return slots.flatMap((entry) => (entry === undefined ? [] : [entry.each]));
}
