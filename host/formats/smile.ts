/**
 * SMILE, the binary JSON of Jackson, read to JSON and written from it. `:)\n`, then a byte of flags, then tokens of one byte and
 * what belongs to them; names have tokens of their own.
 *
 *     values  00-1f a text again      20 ""  21 null  22 false  23 true   24-26 whole numbers   28 29 floats  2a decimal
 *             40-7f ASCII, 1-64 bytes 80-bf UTF-8, 2-65 bytes             c0-df -16 to 15       e0 e4 long texts
 *             e8 fd bytes             ec-ef a text again                  f8 f9 a list          fa an object
 *     names   20 ""  30-33 a name again  34 long  40-7f a name again  80-bf ASCII, 1-64 bytes  c0-f7 UTF-8, 2-57 bytes  fb the end
 *
 * Names are remembered, and short texts if a flag says so, up to 1,024 of them; then they are forgotten. Long texts and names end
 * with fc. Numbers of any length have seven bits in a byte, the last byte six, with its highest bit set.
 */
import { HEADER, looksLikeSmile } from './smileHeader.js';
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

/** Flags of the header. */
const [SHARED_NAMES, SHARED_TEXTS] = [1, 2] as const;
const END_OF_TEXT = 0xfc;
const MOST_SHARED = 1024;

/** JSON of a SMILE value; what follows the value is ignored. Throws {@link BrokenFormat}. */
export function smileToJson(bytes: Uint8Array, weigh?: Weigh): Uint8Array {
  return atOnce(smileInTurns(bytes, weigh));
}

/** The same in turns. */
export function smileInTurns(bytes: Uint8Array, weigh?: Weigh, isDue?: IsDue): Turns<Uint8Array> {
  return jsonOf(new SmileReader(bytes), weigh, isDue);
}

/** Texts that may come again. */
class Shared {
  #texts: string[] = [];

  add(text: string): string {
    if (this.#texts.length >= MOST_SHARED) this.#texts = [];
    this.#texts.push(text);
    return text;
  }

  at(i: number): string {
    const text = this.#texts[i];
    if (text === undefined) throw new BrokenFormat('a text that was not there');
    return text;
  }
}

class SmileReader implements BinaryReader {
  readonly #in: BytesIn;
  readonly #names: Shared | undefined = new Shared();
  readonly #texts: Shared | undefined;

  constructor(bytes: Uint8Array) {
    this.#in = new BytesIn(bytes);
    if (!looksLikeSmile(bytes)) return;
    this.#in.at = HEADER.length;
    const flags = this.#in.byte();
    if ((flags & SHARED_NAMES) === 0) this.#names = undefined;
    if ((flags & SHARED_TEXTS) !== 0) this.#texts = new Shared();
  }

  value(): string | Container {
    const token = this.#in.byte();
    if (token === 0xf8) return { isObject: false, hasNext: this.#more(0xf9) };
    if (token === 0xfa) return { isObject: true, hasNext: this.#more(0xfb) };
    return token < 0xc0 ? this.#short(token) : this.#long(token);
  }

  name(): string {
    return JSON.stringify(this.#name());
  }

  /** Says whether there is something before the end. */
  #more(end: number): () => boolean {
    return () => {
      if (this.#in.peek() !== end) return true;
      this.#in.at++;
      return false;
    };
  }

  /** Tokens that say how short what follows is, and literals. */
  #short(token: number): string {
    if (token >= 0x40) {
      const text = this.#in.text(token < 0x80 ? token - 0x3f : token - 0x7e);
      this.#texts?.add(text);
      return JSON.stringify(text);
    }
    if (token > 0 && token < 0x20) return this.#again(this.#texts, token - 1);
    switch (token) {
      case 0x20:
        return '""';
      case 0x21:
        return 'null';
      case 0x22:
        return 'false';
      case 0x23:
        return 'true';
      case 0x24:
      case 0x25:
        return String(zigzag(this.#vint()));
      case 0x26:
        return String(this.#whole());
      case 0x28:
        return singleText(this.#float(5, 4).getFloat32(0));
      case 0x29:
        return doubleText(this.#float(10, 8).getFloat64(0));
      case 0x2a: {
        const scale = zigzag(this.#vint());
        const digits = this.#whole();
        return `${digits}e${-scale}`;
      }
      default:
        throw new BrokenFormat('an unknown token');
    }
  }

  #long(token: number): string {
    if (token < 0xe0) return String(zigzag(BigInt(token & 31)));
    switch (token) {
      case 0xe0:
      case 0xe4:
        return JSON.stringify(new TextDecoder().decode(this.#in.until(END_OF_TEXT)));
      case 0xe8:
        return base64Text(this.#sevens());
      case 0xfd:
        return base64Text(this.#in.bytes(Number(this.#vint())));
      default:
        if (token < 0xec || token > 0xef) throw new BrokenFormat('an unknown token');
        return this.#again(this.#texts, ((token & 3) << 8) | this.#in.byte());
    }
  }

  #again(texts: Shared | undefined, i: number): string {
    if (texts === undefined) throw new BrokenFormat('a text that was not there');
    return JSON.stringify(texts.at(i));
  }

  #name(): string {
    const token = this.#in.byte();
    if (token === 0x20) return '';
    const again =
      token >= 0x40 && token < 0x80
        ? token & 63
        : token >= 0x30 && token < 0x34
          ? ((token & 3) << 8) | this.#in.byte()
          : undefined;
    if (again !== undefined) {
      if (this.#names === undefined) throw new BrokenFormat('a name that was not there');
      return this.#names.at(again);
    }
    let name: string;
    if (token === 0x34) name = new TextDecoder().decode(this.#in.until(END_OF_TEXT));
    else if (token >= 0x80 && token < 0xf8) name = this.#in.text(token < 0xc0 ? token - 0x7f : token - 0xbe);
    else throw new BrokenFormat('an unknown name');
    return this.#names?.add(name) ?? name;
  }

  #vint(): bigint {
    let value = 0n;
    for (let i = 0; i < 10; i++) {
      const byte = this.#in.byte();
      if (byte >= 0x80) return (value << 6n) | BigInt(byte & 63);
      value = (value << 7n) | BigInt(byte);
    }
    throw new BrokenFormat('a number without an end');
  }

  #whole(): bigint {
    const bytes = this.#sevens();
    return BigInt.asIntN(8 * bytes.length, wholeOf(bytes));
  }

  /** Bytes, behind how many they are: spread over groups of seven bits, the last group as short as it can be. */
  #sevens(): Uint8Array {
    const length = Number(this.#vint());
    const given = this.#in.bytes(Math.ceil((length * 8) / 7));
    const out = new Uint8Array(length);
    const lastWidth = length * 8 - (given.length - 1) * 7;
    let bits = 0;
    let held = 0;
    let at = 0;
    for (const [i, byte] of given.entries()) {
      const width = i === given.length - 1 ? lastWidth : 7;
      held = (held << width) | (byte & ((1 << width) - 1));
      bits += width;
      if (bits < 8) continue;
      bits -= 8;
      out[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
    return out;
  }

  /** A float in groups of seven bits, the first group short. */
  #float(groups: number, size: number): DataView {
    let value = 0n;
    for (const byte of this.#in.bytes(groups)) value = (value << 7n) | BigInt(byte & 0x7f);
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt.asUintN(8 * size, value));
    return new DataView(view.buffer, 8 - size);
  }
}

function zigzag(value: bigint): bigint {
  return (value & 1n) === 0n ? value >> 1n : -1n - (value >> 1n);
}

/** The SMILE of a JSON value that has been parsed; nothing in it refers back. */
export function writeSmile(value: Raw): Uint8Array {
  const out = new SmileWriter();
  tellRaw(value, out);
  return out.bytes();
}

const utf8 = new TextEncoder();

/** Writes what it is told of. */
export class SmileWriter implements JsonSink {
  readonly #out = new BytesOut();

  constructor() {
    this.#out.u8(...HEADER, 0);
  }

  open(isObject: boolean): void {
    this.#out.u8(isObject ? 0xfa : 0xf8);
  }

  close(isObject: boolean): void {
    this.#out.u8(isObject ? 0xfb : 0xf9);
  }

  name(name: string): void {
    writeName(utf8.encode(name), this.#out);
  }

  scalar(json: string): void {
    writeScalar(json, this.#out);
  }

  bytes(): Uint8Array {
    return this.#out.finish();
  }
}

function writeName(bytes: Uint8Array, out: BytesOut): void {
  writeSized(bytes, { ascii: 0x7f, most: 64, other: 0xbe, mostOther: 57, long: 0x34, longOther: 0x34 }, out);
}

function writeText(bytes: Uint8Array, out: BytesOut): void {
  writeSized(bytes, { ascii: 0x3f, most: 64, other: 0x7e, mostOther: 65, long: 0xe0, longOther: 0xe4 }, out);
}

/** The tokens of texts: those of short ones are added to their lengths. */
interface TextTokens {
  ascii: number;
  most: number;
  other: number;
  mostOther: number;
  long: number;
  longOther: number;
}

function writeSized(bytes: Uint8Array, tokens: TextTokens, out: BytesOut): void {
  const { length } = bytes;
  const ascii = bytes.every((byte) => byte < 0x80);
  if (length === 0) out.u8(0x20);
  else if (length <= (ascii ? tokens.most : tokens.mostOther)) {
    out.u8((ascii ? tokens.ascii : tokens.other) + length);
    out.bytes(bytes);
  } else {
    out.u8(ascii ? tokens.long : tokens.longOther);
    out.bytes(bytes);
    out.u8(END_OF_TEXT);
  }
}

function writeScalar(json: string, out: BytesOut): void {
  if (json.startsWith('"')) writeText(utf8.encode(JSON.parse(json) as string), out);
  else if (json === 'null') out.u8(0x21);
  else if (json === 'true' || json === 'false') out.u8(json === 'true' ? 0x23 : 0x22);
  else if (/^-?\d+$/.test(json)) writeWhole(BigInt(json), out);
  else writeDouble(Number(json), out);
}

function writeWhole(value: bigint, out: BytesOut): void {
  const folded = value < 0n ? ((-1n - value) << 1n) | 1n : value << 1n;
  if (folded < 32n) out.u8(0xc0 | Number(folded));
  else if (folded < 2n ** 64n) {
    out.u8(folded < 2n ** 32n ? 0x24 : 0x25);
    writeVint(folded, out);
  } else {
    out.u8(0x26);
    const size = magnitude(value < 0n ? -1n - value : value).length + 1;
    writeVint(BigInt(size), out);
    writeSevens(BigInt.asUintN(8 * size, value), size, out);
  }
}

function writeVint(value: bigint, out: BytesOut): void {
  const last = 0x80 | Number(value & 63n);
  const before: number[] = [];
  for (let rest = value >> 6n; rest > 0n; rest >>= 7n) before.push(Number(rest & 127n));
  out.u8(...before.reverse(), last);
}

/** Bytes in groups of seven bits, the last group as short as it can be. */
function writeSevens(value: bigint, size: number, out: BytesOut): void {
  const groups = Math.ceil((size * 8) / 7);
  const lastWidth = size * 8 - (groups - 1) * 7;
  for (let i = groups - 2; i >= 0; i--) out.u8(Number((value >> BigInt(lastWidth + 7 * i)) & 127n));
  out.u8(Number(value & BigInt((1 << lastWidth) - 1)));
}

function writeDouble(value: number, out: BytesOut): void {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  out.u8(0x29);
  for (let shift = 63; shift >= 0; shift -= 7) out.u8(Number((bits >> BigInt(shift)) & 127n));
}
