import { ERR_MEMORY } from '../abi/status';
import { heapAllocZeroed, heapFree } from '../memory/heap';
import { LowerCased } from './lowerCased';
import { Analysis } from './token';
import { WordSet } from './wordSet';

/**
 * Words to compare terms with, as they stand in a stage's arguments:
 *
 *     u8 flags: bit 0 compare lower-cased (the words are lower-cased already); the others belong to the stage
 *     word set
 */
@unmanaged
export class WordList {
  private words: WordSet;
  private ignoreCase: bool;
  /** The first byte. */
  flags: u8;

  /** Null if the arguments are cut short or there is no memory. */
  static make(args: usize, end: usize): WordList | null {
    if (args >= end) return null;
    const words = WordSet.make(args + 1, end);
    if (!words) return null;
    const at = heapAllocZeroed(offsetof<WordList>());
    if (!at) {
      words.free();
      Analysis.status = ERR_MEMORY;
      return null;
    }
    const list = changetype<WordList>(at);
    list.words = words;
    list.flags = load<u8>(args);
    list.ignoreCase = (list.flags & 1) != 0;
    return list;
  }

  /** Whether it has a term; false without memory, too, which fails the analysis. */
  has(ptr: usize, length: u32): bool {
    if (!this.ignoreCase) return this.words.has(ptr, length);
    return LowerCased.of(ptr, length) && this.words.has(LowerCased.ptr, LowerCased.length);
  }

  /** Bytes of the arguments. */
  get bytes(): u32 {
    return 1 + this.words.bytes;
  }

  free(): void {
    this.words.free();
    heapFree(changetype<usize>(this));
  }
}
