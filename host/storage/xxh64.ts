/**
 * XXH64, the checksum of segments' images, on numbers of 32 bits: JavaScript's own ones of 64 bits are a hundred times slower. In pieces,
 * between which others may have the event loop.
 */

const P1 = [0x9e3779b1, 0x85ebca87] as const;
const P2 = [0xc2b2ae3d, 0x27d4eb4f] as const;
const P3 = [0x165667b1, 0x9e3779f9] as const;
const P4 = [0x85ebca77, 0xc2b2ae63] as const;
const P5 = [0x27d4eb2f, 0x165667c5] as const;
const STRIPE = 32;

/** A number of 64 bits in two halves. */
class U64 {
  high = 0;
  low = 0;

  set(high: number, low: number): this {
    this.high = high | 0;
    this.low = low | 0;
    return this;
  }

  add(high: number, low: number): this {
    const sum = (this.low >>> 0) + (low >>> 0);
    this.high = (this.high + high + (sum > 0xffff_ffff ? 1 : 0)) | 0;
    this.low = sum | 0;
    return this;
  }

  multiply(high: number, low: number): this {
    const a0 = this.low & 0xffff;
    const a1 = this.low >>> 16;
    const b0 = low & 0xffff;
    const b1 = low >>> 16;
    const first = Math.imul(a0, b0) >>> 0;
    const second = (Math.imul(a1, b0) >>> 0) + (first >>> 16);
    const third = (Math.imul(a0, b1) >>> 0) + (second & 0xffff);
    const carried = Math.floor(second / 0x1_0000) + Math.floor(third / 0x1_0000);
    this.high = (Math.imul(a1, b1) + carried + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = (third << 16) | (first & 0xffff);
    return this;
  }

  rotate(bits: number): this {
    const { high, low } = this;
    if (bits < 32)
      return this.set((high << bits) | (low >>> (32 - bits)), (low << bits) | (high >>> (32 - bits)));
    const more = bits - 32;
    if (more === 0) return this.set(low, high);
    return this.set((low << more) | (high >>> (32 - more)), (high << more) | (low >>> (32 - more)));
  }

  xor(high: number, low: number): this {
    this.high ^= high;
    this.low ^= low;
    return this;
  }

  /** Takes in the upper bits, shifted down. */
  fold(bits: number): this {
    const { high, low } = this;
    if (bits === 32) return this.xor(0, high);
    if (bits > 32) return this.xor(0, high >>> (bits - 32));
    return this.xor(high >>> bits, (low >>> bits) | (high << (32 - bits)));
  }

  round(high: number, low: number): this {
    return this.add(...product(high, low))
      .rotate(31)
      .multiply(...P1);
  }
}

const factor = new U64();

function product(high: number, low: number): [number, number] {
  factor.set(high, low).multiply(...P2);
  return [factor.high, factor.low];
}

/** The checksum of bytes that come in pieces; all but the last piece are multiples of 32 bytes. */
export class Xxh64 {
  readonly #lanes = [
    new U64().set(...P1).add(...P2),
    new U64().set(...P2),
    new U64(),
    new U64().set(~P1[0], ~P1[1]).add(0, 1),
  ] as const;
  #length = 0;
  #rest: DataView = new DataView(new ArrayBuffer(0));

  update(piece: Uint8Array): void {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
    const [a, b, c, d] = this.#lanes;
    let at = 0;
    for (; at + STRIPE <= piece.length; at += STRIPE) {
      take(a, view, at);
      take(b, view, at + 8);
      take(c, view, at + 16);
      take(d, view, at + 24);
    }
    this.#length += piece.length;
    this.#rest = new DataView(piece.buffer, piece.byteOffset + at, piece.length - at);
  }

  /** The checksum, as eight bytes of a file have it: little endian. */
  digest(): Uint8Array {
    const sum = new U64();
    const [a, b, c, d] = this.#lanes;
    if (this.#length < STRIPE) sum.set(...P5);
    else {
      for (const [lane, bits] of [
        [a, 1],
        [b, 7],
        [c, 12],
        [d, 18],
      ] as const) {
        const turned = new U64().set(lane.high, lane.low).rotate(bits);
        sum.add(turned.high, turned.low);
      }
      for (const { high, low } of this.#lanes) {
        const merged = new U64().round(high, low);
        sum
          .xor(merged.high, merged.low)
          .multiply(...P1)
          .add(...P4);
      }
    }
    sum.add(Math.floor(this.#length / 0x1_0000_0000), this.#length);
    const rest = this.#rest;
    let at = 0;
    for (; at + 8 <= rest.byteLength; at += 8) {
      const word = new U64().round(rest.getInt32(at + 4, true), rest.getInt32(at, true));
      sum
        .xor(word.high, word.low)
        .rotate(27)
        .multiply(...P1)
        .add(...P4);
    }
    if (at + 4 <= rest.byteLength) {
      const word = new U64().set(0, rest.getInt32(at, true)).multiply(...P1);
      sum
        .xor(word.high, word.low)
        .rotate(23)
        .multiply(...P2)
        .add(...P3);
      at += 4;
    }
    for (; at < rest.byteLength; at++) {
      const word = new U64().set(0, rest.getUint8(at)).multiply(...P5);
      sum
        .xor(word.high, word.low)
        .rotate(11)
        .multiply(...P1);
    }
    sum
      .fold(33)
      .multiply(...P2)
      .fold(29)
      .multiply(...P3)
      .fold(32);
    const out = new DataView(new ArrayBuffer(8));
    out.setInt32(0, sum.low, true);
    out.setInt32(4, sum.high, true);
    return new Uint8Array(out.buffer);
  }
}

/** One lane's share of a stripe: the spread arguments of {@link U64.round} would cost more than the work. */
function take(lane: U64, view: DataView, at: number): void {
  factor.set(view.getInt32(at + 4, true), view.getInt32(at, true)).multiply(P2[0], P2[1]);
  lane.add(factor.high, factor.low).rotate(31).multiply(P1[0], P1[1]);
}
