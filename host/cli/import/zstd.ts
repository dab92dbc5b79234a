/**
 * Unpacks zstd, frame after frame: files have several that were put one behind the other, or packed by several threads. Node's own stream ends
 * with the first, and passes over what stands behind it.
 */
import { once } from 'node:events';
import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';

/** Node's stream; it counts the bytes that it has unpacked. */
type Frame = Duplex & { readonly bytesWritten: number };

const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => Frame };

/** Whether this Node can. */
export const hasZstd = createZstdDecompress !== undefined;

export class Unzstd extends Transform {
  #frame = this.#begin();

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#unpack(chunk).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.#end().then(() => done(), done);
  }

  override _read(size: number): void {
    this.#frame.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#frame.destroy();
    done(error);
  }

  #begin(): Frame {
    const frame = createZstdDecompress!();
    frame.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) frame.pause();
    });
    // Told to whoever waits for it.
    frame.on('error', () => {});
    return frame;
  }

  async #unpack(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const frame = this.#frame;
      const before = frame.bytesWritten;
      await new Promise<void>((taken, fail) => {
        // Where it fails, what is being written is never told.
        frame.once('error', fail);
        frame.write(rest, () => {
          frame.off('error', fail);
          taken();
        });
      });
      rest = rest.subarray(frame.bytesWritten - before);
      if (rest.length === 0) return;
      await this.#end();
      this.#frame = this.#begin();
    }
  }

  /** All of the frame has been handed on; an error where it isn't whole. */
  async #end(): Promise<void> {
    this.#frame.end();
    if (!this.#frame.readableEnded) await once(this.#frame, 'end');
  }
}
