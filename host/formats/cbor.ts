/**
 * CBOR (RFC 8949), read to JSON and written from it. A value begins with a byte of two parts:
 *
 *     kind:3 | size:5     kinds: 0 whole, 1 negative, 2 bytes, 3 text, 4 list, 5 map, 6 tag, 7 others
 *
 * A size below 24 is the number itself, 24 to 27 say that it follows in 1, 2, 4 or 8 bytes, 31 that the end is marked. Lists and
 * maps are written with marked ends, as 1.7 does.
 */
import type { Raw } from '../json/rawJson.js';
import type { IsDue } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';
import { BytesIn } from './bytesIn.js';
import { BytesOut, magnitude } from './bytesOut.js';
import { type JsonSink, tellRaw } from './jsonEvents.js';
import {
  type BinaryReader,
  BrokenFormat,
  base64Text,
  type Container,
  doubleText,
  jsonOf,
  singleText,
  type Weigh,
  wholeOf,
} from './jsonWriter.js';

const Kind = { whole: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6, other: 7 } as const;
const MARKED = 31;
const END = 0xff;
/** Tags of whole numbers of any size; all others say nothing that JSON could. */
const BIG = 2;
const BIG_NEGATIVE = 3;
const utf8Text = new TextDecoder();

/** JSON of a CBOR value; what follows the value is ignored. Throws {@link BrokenFormat}. */
export function cborToJson(bytes: Uint8Array, weigh?: Weigh): Uint8Array {
  return atOnce(cborInTurns(bytes, weigh));
}

/** The same in turns. */
export function cborInTurns(bytes: Uint8Array, weigh?: Weigh, isDue?: IsDue): Turns<Uint8Array> {
  return jsonOf(new CborReader(bytes), weigh, isDue);
}

class CborReader implements BinaryReader {
  readonly #in: BytesIn;

  constructor(bytes: Uint8Array) {
    this.#in = new BytesIn(bytes);
  }

  value(): string | Container {
    let first = this.#in.byte();
    let tag: number | undefined;
    while (first >> 5 === Kind.tag) {
      tag = Number(this.#number(first & 31));
      first = this.#in.byte();
    }
    const kind = first >> 5;
    if (kind === Kind.list || kind === Kind.map)
      return { isObject: kind === Kind.map, hasNext: this.#elements(first & 31) };
    return this.#scalar(kind, first & 31, tag);
  }

  #scalar(kind: number, size: number, tag: number | undefined): string {
    switch (kind) {
      case Kind.whole:
        return String(this.#number(size));
      case Kind.negative:
        return String(-1n - BigInt(this.#number(size)));
      case Kind.bytes:
        return taggedText(tag, this.#string(kind, size));
      case Kind.text:
        return JSON.stringify(utf8Text.decode(this.#string(kind, size)));
      default:
        return this.#other(size);
    }
  }

  name(): string {
    const first = this.#in.peek();
    // Names that are numbers are texts in JSON.
    const isNumber = first >> 5 <= Kind.negative;
    if (!isNumber && first >> 5 !== Kind.text) throw new BrokenFormat('a name that is no text');
    const name = this.#scalar(this.#in.byte() >> 5, first & 31, undefined);
    return isNumber ? `"${name}"` : name;
  }

  /** Says whether there is one more. */
  #elements(size: number): () => boolean {
    if (size !== MARKED) {
      let left = this.#number(size);
      return () => left-- > 0;
    }
    return () => {
      if (this.#in.peek() !== END) return true;
      this.#in.at++;
      return false;
    };
  }

  #number(size: number): number | bigint {
    if (size < 24) return size;
    if (size === 24) return this.#in.byte();
    if (size === 25) return this.#in.u16();
    if (size === 26) return this.#in.u32();
    if (size === 27) return this.#in.u64();
    throw new BrokenFormat('an unknown size');
  }

  /** One string, or several that make one. */
  #string(kind: number, size: number): Uint8Array {
    if (size !== MARKED) return this.#in.bytes(Number(this.#number(size)));
    const out = new BytesOut();
    for (let first = this.#in.byte(); first !== END; first = this.#in.byte()) {
      if (first >> 5 !== kind || (first & 31) === MARKED) throw new BrokenFormat('a piece of another kind');
      out.bytes(this.#in.bytes(Number(this.#number(first & 31))));
    }
    return out.finish();
  }

  #other(size: number): string {
    switch (size) {
      case 20:
        return 'false';
      case 21:
        return 'true';
      case 22:
      case 23:
        return 'null';
      case 25:
        return singleText(half(this.#in.u16()));
      case 26:
        return singleText(this.#in.f32());
      case 27:
        return doubleText(this.#in.f64());
      default:
        throw new BrokenFormat('an unknown value');
    }
  }
}

/** Bytes, or the whole number of any size that they are. */
function taggedText(tag: number | undefined, bytes: Uint8Array): string {
  if (tag !== BIG && tag !== BIG_NEGATIVE) return base64Text(bytes);
  const size = wholeOf(bytes);
  return String(tag === BIG ? size : -1n - size);
}

/** The value of 16 bits of a float: a sign, an exponent of five bits, ten of fraction. */
function half(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The CBOR of a JSON value that has been parsed. */
export function writeCbor(value: Raw): Uint8Array {
  const out = new CborWriter();
  tellRaw(value, out);
  return out.bytes();
}

const utf8 = new TextEncoder();

/** Writes what it is told of. */
export class CborWriter implements JsonSink {
  readonly #out = new BytesOut();

  open(isObject: boolean): void {
    this.#out.u8(((isObject ? Kind.map : Kind.list) << 5) | MARKED);
  }

  close(): void {
    this.#out.u8(END);
  }

  name(name: string): void {
    writeText(name, this.#out);
  }

  scalar(json: string): void {
    writeScalar(json, this.#out);
  }

  bytes(): Uint8Array {
    return this.#out.finish();
  }
}

function writeScalar(json: string, out: BytesOut): void {
  if (json.startsWith('"')) writeText(JSON.parse(json) as string, out);
  else if (json === 'null') out.u8(0xf6);
  else if (json === 'true' || json === 'false') out.u8(json === 'true' ? 0xf5 : 0xf4);
  else if (/^-?\d+$/.test(json)) writeWhole(BigInt(json), out);
  else {
    out.u8(0xfb);
    out.f64(Number(json));
  }
}

function writeText(text: string, out: BytesOut): void {
  const bytes = utf8.encode(text);
  writeHead(Kind.text, bytes.length, out);
  out.bytes(bytes);
}

function writeWhole(value: bigint, out: BytesOut): void {
  const size = value < 0n ? -1n - value : value;
  if (size < 2n ** 32n) writeHead(value < 0n ? Kind.negative : Kind.whole, Number(size), out);
  else if (size < 2n ** 64n) {
    out.u8((value < 0n ? 0x20 : 0) | 27);
    out.u64(size);
  } else {
    out.u8((Kind.tag << 5) | (value < 0n ? BIG_NEGATIVE : BIG));
    const bytes = magnitude(size);
    writeHead(Kind.bytes, bytes.length, out);
    out.bytes(bytes);
  }
}

function writeHead(kind: number, size: number, out: BytesOut): void {
  const first = kind << 5;
  if (size < 24) out.u8(first | size);
  else if (size < 0x100) out.u8(first | 24, size);
  else if (size < 0x1_0000) {
    out.u8(first | 25);
    out.u16(size);
  } else {
    out.u8(first | 26);
    out.u32(size);
  }
}
