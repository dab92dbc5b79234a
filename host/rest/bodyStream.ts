/** An answer whose body is written piece by piece, for those that are too long for the memory. */

/** Written or released by whoever has it. */
export interface BodyStream {
  readonly bytes: number;
  /** Writes all by a function that resolves when it takes more; rejects where that does, and where no more can be had. */
  write(put: (bytes: Uint8Array) => Promise<void>): Promise<void>;
  release(): void;
}

/** All of it. */
export async function collected(stream: BodyStream): Promise<Uint8Array> {
  const out = new Uint8Array(stream.bytes);
  let at = 0;
  await stream.write(async (bytes) => {
    out.set(bytes, at);
    at += bytes.length;
  });
  return out;
}
