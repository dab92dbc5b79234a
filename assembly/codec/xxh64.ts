// biome-ignore-all lint/correctness/noPrecisionLoss: the constants are u64, not JavaScript numbers.
/** XXH64, Yann Collet's 64-bit hash, in one call or over slices; both give the same digest for the same bytes. */

const PRIME_1: u64 = 0x9e3779b185ebca87;
const PRIME_2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME_3: u64 = 0x165667b19e3779f9;
const PRIME_4: u64 = 0x85ebca77c2b2ae63;
const PRIME_5: u64 = 0x27d4eb2f165667c5;
/** Bytes that the four lanes take in one round. */
const STRIPE: u32 = 32;

class Step {
  @inline static round(lane: u64, input: u64): u64 {
    return rotl(lane + input * PRIME_2, 31) * PRIME_1;
  }

  @inline static merge(hash: u64, lane: u64): u64 {
    return (hash ^ Step.round(0, lane)) * PRIME_1 + PRIME_4;
  }
}

/**
 * A hash in progress.
 *
 *     | u64 lane 1..4 | u64 length so far | u64 seed | 32 bytes not yet hashed (length % 32 of them) |
 */
@unmanaged
export class Xxh64State {
  private v1: u64;
  private v2: u64;
  private v3: u64;
  private v4: u64;
  private length: u64;
  private seed: u64;
  pending0: u64;
  pending1: u64;
  pending2: u64;
  pending3: u64;

  /** Starts anew. */
  reset(seed: u64): void {
    this.v1 = seed + PRIME_1 + PRIME_2;
    this.v2 = seed + PRIME_2;
    this.v3 = seed;
    this.v4 = seed - PRIME_1;
    this.length = 0;
    this.seed = seed;
  }

  /** Takes in the next `len` bytes. */
  update(ptr: usize, len: u32): void {
    const pending = changetype<usize>(this) + offsetof<Xxh64State>('pending0');
    const held = <u32>this.length & (STRIPE - 1);
    this.length += len;
    if (held + <u64>len < STRIPE) {
      memory.copy(pending + held, ptr, len);
      return;
    }
    let rest = len;
    if (held) {
      const missing = STRIPE - held;
      memory.copy(pending + held, ptr, missing);
      this.stripes(pending, STRIPE);
      ptr += missing;
      rest -= missing;
    }
    const whole = rest & ~(STRIPE - 1);
    this.stripes(ptr, whole);
    memory.copy(pending, ptr + whole, rest - whole);
  }

  /** The hash of all bytes since the reset; the state may take in more. */
  digest(): u64 {
    const pending = changetype<usize>(this) + offsetof<Xxh64State>('pending0');
    let hash: u64;
    if (this.length >= STRIPE) {
      hash = rotl(this.v1, 1) + rotl(this.v2, 7) + rotl(this.v3, 12) + rotl(this.v4, 18);
      hash = Step.merge(hash, this.v1);
      hash = Step.merge(hash, this.v2);
      hash = Step.merge(hash, this.v3);
      hash = Step.merge(hash, this.v4);
    } else {
      hash = this.seed + PRIME_5;
    }
    return finish(hash + this.length, pending, <u32>this.length & (STRIPE - 1));
  }

  /** Takes in `len` bytes, a multiple of 32. */
  private stripes(ptr: usize, len: u32): void {
    let v1 = this.v1;
    let v2 = this.v2;
    let v3 = this.v3;
    let v4 = this.v4;
    const end = ptr + len;
    while (ptr !== end) {
      v1 = Step.round(v1, load<u64>(ptr));
      v2 = Step.round(v2, load<u64>(ptr, 8));
      v3 = Step.round(v3, load<u64>(ptr, 16));
      v4 = Step.round(v4, load<u64>(ptr, 24));
      ptr += STRIPE;
    }
    this.v1 = v1;
    this.v2 = v2;
    this.v3 = v3;
    this.v4 = v4;
  }
}

/** Mixes in the last bytes, fewer than 32, and spreads the bits. */
function finish(hash: u64, ptr: usize, len: u32): u64 {
  while (len >= 8) {
    hash = rotl(hash ^ Step.round(0, load<u64>(ptr)), 27) * PRIME_1 + PRIME_4;
    ptr += 8;
    len -= 8;
  }
  if (len >= 4) {
    hash = rotl(hash ^ (<u64>load<u32>(ptr) * PRIME_1), 23) * PRIME_2 + PRIME_3;
    ptr += 4;
    len -= 4;
  }
  while (len) {
    hash = rotl(hash ^ (<u64>load<u8>(ptr) * PRIME_5), 11) * PRIME_1;
    ptr++;
    len--;
  }
  hash = (hash ^ (hash >> 33)) * PRIME_2;
  hash = (hash ^ (hash >> 29)) * PRIME_3;
  return hash ^ (hash >> 32);
}

const single = changetype<Xxh64State>(memory.data(80, 16));

/** The hash of `len` bytes. */
export function xxh64(ptr: usize, len: u32, seed: u64): u64 {
  single.reset(seed);
  single.update(ptr, len);
  return single.digest();
}
