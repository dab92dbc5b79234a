/** Bytes that grow as they are written, most significant first. */
export class BytesOut {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  u8(...values: number[]): void {
    const at = this.#grow(values.length);
    this.#bytes.set(values, at);
  }

  u16(value: number): void {
    const at = this.#grow(2);
    this.#view.setUint16(at, value);
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value);
  }

  u64(value: bigint): void {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, value);
  }

  f64(value: number): void {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): number {
    const at = this.#length;
    this.#length += by;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

/** A whole number that is not negative, in as few bytes as it takes, its most significant byte first. */
export function magnitude(value: bigint): Uint8Array {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from(even.match(/../g)!, (byte) => Number.parseInt(byte, 16));
}
