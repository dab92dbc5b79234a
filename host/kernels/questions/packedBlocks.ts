/** Blocks of packed numbers, whatever these are. */
import type { KernelModule } from '../kernelModule.js';
import type { Subjects } from './question.js';

/** Room for so many blocks of numbers of at most so many bits, filled with bytes of no pattern, and for one block of numbers. */
export function packedBlocks(
  subjects: Subjects,
  blocks: number,
  bits: number,
): { calls: KernelModule['calls']; src: number; dst: number } {
  const kernels = subjects.kernels();
  const length = blocks * 16 * bits;
  const [src, dst] = [kernels.block(length), kernels.block(512)];
  fillWithoutPattern(kernels.bytes.subarray(src, src + length), 0x9e3779b1);
  return { calls: kernels.calls, src, dst };
}

/** Bytes that follow each other without a pattern; others for another odd factor. */
export function fillWithoutPattern(bytes: Uint8Array, factor: number): void {
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i + 1, factor) >>> 24;
}
