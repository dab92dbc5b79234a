import { ERR_MEMORY } from '../abi/status';
import { heapFree, heapRealloc } from '../memory/heap';
import { Stage } from './stage';
import { Analysis } from './token';

/** Room beyond this is given back at the next text. */
const KEPT: u32 = 65536;

/** A stage with room of its own for the terms it makes. */
@unmanaged
export class TermStage extends Stage {
  private buffer: usize;
  private bufferRoom: u32;

  /** The address of room for that many bytes; what stood there stays. 0 without memory, which fails the analysis. */
  room(bytes: u32): usize {
    if (bytes > this.bufferRoom || !this.buffer) {
      const wanted = max(bytes + (bytes >>> 1), 64);
      const moved: usize = wanted < bytes ? 0 : heapRealloc(this.buffer, wanted);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return 0;
      }
      this.buffer = moved;
      this.bufferRoom = wanted;
    }
    return this.buffer;
  }

  /** Gives back what a giant term took. */
  shrink(): void {
    if (this.bufferRoom > KEPT) this.release();
  }

  release(): void {
    heapFree(this.buffer);
    this.buffer = 0;
    this.bufferRoom = 0;
  }
}

/** For stages that keep nothing but the room between texts. */
export function shrinkRoom(at: usize): void {
  changetype<TermStage>(at).shrink();
}

/** For stages that own nothing but the room. */
export function releaseRoom(at: usize): void {
  changetype<TermStage>(at).release();
}
