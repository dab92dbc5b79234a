/**
 * Tables of endings (or beginnings) with a number each, out of which the longest one a word has is found in one walk from
 * its end (or beginning). A stemmer makes its tables when it is first used; they stay.
 *
 *     node    u16 unit | u16 number, 0 no ending stops here | u16 first child | u16 next sibling, 0 none
 *
 * A child stands for the unit before (behind) that of its parent. A table is the index of its root. The text of a table is
 * `2: able ible 3: ation`: endings, and before them their number.
 */
const NODE_SHIFT: usize = 3;
const NODES_MAX: u32 = 10240;
const nodes: usize = memory.data(10240 << 3, 16);
let count: u32 = 1;

/** What `longestEnding` and `longestBeginning` return: nothing found. */
export const NONE: u32 = 0;

/** The number of what was found. */
export function numberOf(found: u32): u32 {
  return found & 0xffff;
}

/** The length of what was found, in units. */
export function lengthOf(found: u32): i32 {
  return (found >>> 16) as i32;
}

/** A table of endings. */
export function endings(text: string): u32 {
  return table(text, true);
}

/** A table of beginnings. */
export function beginnings(text: string): u32 {
  return table(text, false);
}

/** The longest ending of the units [lowest, n) that the table has, of those with at most `longest` units. */
export function longestEnding(table: u32, s: usize, n: i32, lowest: i32 = 0, longest: i32 = 64): u32 {
  const stop = n - lowest > longest ? n - longest : lowest;
  let found = NONE;
  let node = table;
  for (let i = n - 1; i >= stop; i--) {
    node = child(node, load<u16>(s + ((i as usize) << 1)));
    if (node == 0) break;
    const number = load<u16>(at(node), 2) as u32;
    if (number != 0) found = number | (((n - i) as u32) << 16);
  }
  return found;
}

/** The longest beginning of the units [from, n) that the table has. */
export function longestBeginning(table: u32, s: usize, from: i32, n: i32): u32 {
  let found = NONE;
  let node = table;
  for (let i = from; i < n; i++) {
    node = child(node, load<u16>(s + ((i as usize) << 1)));
    if (node == 0) break;
    const number = load<u16>(at(node), 2) as u32;
    if (number != 0) found = number | (((i + 1 - from) as u32) << 16);
  }
  return found;
}

function at(node: u32): usize {
  return nodes + ((node as usize) << NODE_SHIFT);
}

/** The child of a node for a unit, 0 if there is none. */
function child(node: u32, unit: u32): u32 {
  let next = load<u16>(at(node), 4) as u32;
  while (next != 0 && (load<u16>(at(next)) as u32) != unit) next = load<u16>(at(next), 6);
  return next;
}

function newNode(unit: u32): u32 {
  if (count == NODES_MAX) unreachable();
  store<u16>(at(count), unit);
  return count++;
}

function table(text: string, backward: bool): u32 {
  const root = newNode(0);
  const units = changetype<usize>(text);
  let number: u32 = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && load<u16>(units + ((i as usize) << 1)) > 0x20) continue;
    if (i > from) {
      if (load<u16>(units + (((i - 1) as usize) << 1)) == 0x3a) number = decimal(units, from, i - 1);
      else insert(root, units, from, i, backward, number);
    }
    from = i + 1;
  }
  return root;
}

function decimal(units: usize, from: i32, end: i32): u32 {
  let value: u32 = 0;
  for (let i = from; i < end; i++) value = value * 10 + load<u16>(units + ((i as usize) << 1)) - 0x30;
  return value;
}

/** Adds the units [from, end) with their number. */
function insert(root: u32, units: usize, from: i32, end: i32, backward: bool, number: u32): void {
  let node = root;
  for (let k = 0; k < end - from; k++) {
    const i = backward ? end - 1 - k : from + k;
    const unit = load<u16>(units + ((i as usize) << 1)) as u32;
    let next = child(node, unit);
    if (next == 0) {
      next = newNode(unit);
      store<u16>(at(next), load<u16>(at(node), 4), 6);
      store<u16>(at(node), next, 4);
    }
    node = next;
  }
  store<u16>(at(node), number, 2);
}

/** The length of a word of n units without the longest ending of the table if that begins at `lowest` or behind. */
export function withoutEnding(table: u32, s: usize, n: i32, lowest: i32): i32 {
  const length = lengthOf(longestEnding(table, s, n));
  return n - length >= lowest ? n - length : n;
}
