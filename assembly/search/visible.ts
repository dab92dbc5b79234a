import { fill, Matcher, windowBytes } from '../docset/matcher';
import { andInto, fillOnes, sizeInBytes } from '../memory/bitset';
import { Segment } from '../segment/segment';

// The documents of a segment that searches see, window by window: for passes over all that a tree matches.

/** Documents of a window. */
export const WINDOW: u32 = 1 << 12;

/** Makes `bits` the documents of one window that `tree` matches, or all without one, of those that searches see. */
export function fillVisible(seg: Segment, tree: Matcher | null, base: u32, size: u32, bits: usize): void {
  if (tree === null) fillOnes(bits, size);
  else {
    memory.fill(bits, 0, windowBytes(size));
    fill(tree, base, size, bits);
  }
  if (seg.visible) andInto(bits, seg.visible + (base >> 3), sizeInBytes(size));
}
