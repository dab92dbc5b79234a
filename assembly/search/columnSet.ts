import { Column } from '../docvalues/column';
import { BLOCK } from '../docvalues/packed';
import { requestAlloc } from '../memory/arena';
import { Bitset, sizeInBytes } from '../memory/bitset';

// The documents whose values in a column are between two bounds.

const values: usize = memory.data(1024, 16);

/** Adds the documents with a value from `lower` to `upper`; false without room. */
export function addValues(column: Column, lower: i64, upper: i64, bits: usize): bool {
  let out = bits;
  if (column.isSeveral) {
    const bytes = sizeInBytes(column.valueCount) + 16;
    out = requestAlloc(bytes);
    if (!out) return false;
    memory.fill(out, 0, bytes);
  }
  for (let block: u32 = 0; block < column.blocks; block++) {
    const smallest = column.blockSmallest(block);
    const largest = column.blockLargest(block);
    if (smallest > upper || largest < lower || smallest > largest) continue;
    const n = column.countIn(block);
    const at = out + ((<usize>block) << 4);
    if (smallest >= lower && largest <= upper) {
      store<u64>(at, n >= 64 ? ~(<u64>0) : ((<u64>1) << (<u64>n)) - 1);
      if (n > 64) store<u64>(at, n == BLOCK ? ~(<u64>0) : ((<u64>1) << (<u64>(n - 64))) - 1, 8);
    } else {
      column.decode(block, values);
      let low: u64 = 0;
      let high: u64 = 0;
      for (let i: u32 = 0; i < n; i++) {
        const value = load<i64>(values + ((<usize>i) << 3));
        const bit = (<u64>(value >= lower && value <= upper)) << (<u64>(i & 63));
        if (i < 64) low |= bit;
        else high |= bit;
      }
      store<u64>(at, low);
      store<u64>(at, high, 8);
    }
    if (column.present) {
      store<u64>(at, load<u64>(at) & load<u64>(column.present + ((<usize>block) << 4)));
      store<u64>(at, load<u64>(at, 8) & load<u64>(column.present + ((<usize>block) << 4), 8), 8);
    }
  }
  if (!column.isSeveral) return true;
  for (let doc: u32 = 0; doc < column.docCount; doc++) {
    const end = column.end(doc);
    for (let i = column.first(doc); i < end; i++) {
      if (!Bitset.get(out, i)) continue;
      Bitset.set(bits, doc);
      break;
    }
  }
  return true;
}
