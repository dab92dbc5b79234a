/** `murmur3` fields: the hashes of values, so that counting distinct ones needs no texts. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { scalarText } from './field.js';
import { NumberField } from './numbers.js';
import { textTerm } from './terms.js';
import { type JsonObject, RawNumber } from '../json/values.js';

/** A whole number of 64 bits that stands for a text. */
export class Murmur3Field extends NumberField {
  override readonly takesBoosts = false;
  override readonly generated = true;

  constructor(fullName: string, definition: JsonObject, registry: AnalyzerRegistry) {
    super(
      fullName,
      'long',
      { precision_step: 0x7fff_ffff, ...definition },
      registry.fieldDefaults,
      'murmur3',
    );
  }

  override write(batch: BatchWriter, value: unknown): void {
    if (value === null || value === undefined) return;
    this.writeNumber(batch, murmur3(textTerm(scalarText(value))));
  }

  override valueForSearch(value: unknown): RawNumber {
    return new RawNumber(String(murmur3(textTerm(scalarText(value)))));
  }

  override allText(): undefined {
    return undefined;
  }

  /** 1.7 shows this whatever the mapping says. */
  protected override echo(): JsonObject {
    return { ...super.echo(), null_value: -1 };
  }
}

const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotate = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & MASK;
const times = (a: bigint, b: bigint) => (a * b) & MASK;

/** The first half of MurmurHash3's 128 bits (x64, seed 0), as a signed number. */
export function murmur3(bytes: Uint8Array): bigint {
  const padded = new DataView(new ArrayBuffer((bytes.length & ~15) + 16));
  new Uint8Array(padded.buffer).set(bytes);
  const word = (at: number) => padded.getBigUint64(at, true);
  const mixFirst = (at: number) => times(rotate(times(word(at), C1), 31n), C2);
  const mixSecond = (at: number) => times(rotate(times(word(at), C2), 33n), C1);
  let h1 = 0n;
  let h2 = 0n;
  const whole = bytes.length & ~15;
  for (let at = 0; at < whole; at += 16) {
    h1 = ((rotate(h1 ^ mixFirst(at), 27n) + h2) * 5n + 0x52dce729n) & MASK;
    h2 = ((rotate(h2 ^ mixSecond(at + 8), 31n) + h1) * 5n + 0x38495ab5n) & MASK;
  }
  // What is missing of the last sixteen bytes is zero, and zero mixes to zero.
  h2 ^= mixSecond(whole + 8);
  h1 ^= mixFirst(whole);
  const length = BigInt(bytes.length);
  h1 = ((h1 ^ length) + (h2 ^ length)) & MASK;
  h2 = ((h2 ^ length) + h1) & MASK;
  return BigInt.asIntN(64, finish(h1) + finish(h2));
}

function finish(value: bigint): bigint {
  let k = times(value ^ (value >> 33n), 0xff51afd7ed558ccdn);
  k = times(k ^ (k >> 33n), 0xc4ceb9fe1a85ec53n);
  return k ^ (k >> 33n);
}
