/** Long answers are written in turns: what is short is written at once, a list a run of elements at a time, an object key by key. */
import type { Turns, WorkLimit } from '../workLimit.js';
import { isJsonObject, type Json, quotedKey, Raw, writeJson, writeShort } from './json.js';

/** Pages of answers that are written at once. */
const SHORT_PAGES = 2;
/** Elements of lists that are tried to be written at once. */
const RUN = 64;
/** Bytes that are written for a step of a work limit. */
const BYTES_PER_STEP = 16;
/** Bytes that are copied for one. */
const BYTES_PER_COPY_STEP = 256;

/** Steps of a value that turns out to be too long to be written at once. */
const VAIN_STEPS = 4096;

const utf8 = new TextEncoder();

/** The bytes of a short answer; undefined for a long one. */
export function writeAtOnce(value: Json, pretty: boolean): Uint8Array | undefined {
  return writeShort(value, pretty, SHORT_PAGES, 0, pretty ? '\n' : '');
}

/** What `writeJson` makes of a value, in turns; `work` counts the steps. */
export function* writeInTurns(value: Json, pretty: boolean, work: WorkLimit): Turns<Uint8Array> {
  const out = new LongWriter(pretty, work);
  yield* out.value(value, 0);
  if (pretty) out.text('\n');
  return yield* out.bytes();
}

class LongWriter {
  readonly #pretty: boolean;
  readonly #work: WorkLimit;
  readonly #chunks: Uint8Array[] = [];
  /** Bytes since the steps were counted last. */
  #written = 0;

  constructor(pretty: boolean, work: WorkLimit) {
    this.#pretty = pretty;
    this.#work = work;
  }

  *bytes(): Turns<Uint8Array> {
    const out = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
      if (this.#work.isDue(chunk.length / BYTES_PER_COPY_STEP)) yield;
    }
    return out;
  }

  *value(value: Json, depth: number): Turns<void> {
    if (value instanceof Raw) {
      for (const piece of value.pieces) this.#put(piece);
      if (this.#isDue()) yield;
      return;
    }
    const isList = Array.isArray(value);
    const isLong = isList ? value.length > RUN : false;
    const short = isLong ? undefined : writeShort(value, this.#pretty, 1, depth);
    // What was written in vain took as long: of 60,000 keys in an object in an object that is a few times in a row.
    if (!isLong && short === undefined && this.#work.isDue(VAIN_STEPS)) yield;
    if (short !== undefined) this.#put(short);
    else if (isList) yield* this.#list(value, depth);
    else if (isJsonObject(value)) yield* this.#object(value, depth);
    else this.#put(writeJson(value));
    if (this.#isDue()) yield;
  }

  *#list(list: readonly Json[], depth: number): Turns<void> {
    // A list of a few is written as one: without its ends it is a part of a longer one.
    const margin = this.#pretty ? 2 : 1;
    this.text(this.#pretty ? '[ ' : '[');
    let run = RUN;
    for (let at = 0; at < list.length; ) {
      if (at > 0) this.text(this.#pretty ? ', ' : ',');
      let written: Uint8Array | undefined;
      for (; run > 1 && written === undefined; run >>= 1)
        written = writeShort(list.slice(at, at + run), this.#pretty, 1, depth);
      if (written === undefined) yield* this.value(list[at++]!, depth);
      else {
        // It has been halved once more than it had to be.
        run <<= 1;
        this.#put(written.subarray(margin, written.length - margin));
        at += run;
      }
      run = Math.min(RUN, run * 2);
      if (this.#isDue()) yield;
    }
    this.text(this.#pretty ? ' ]' : ']');
  }

  *#object(object: { readonly [key: string]: Json | undefined }, depth: number): Turns<void> {
    let isFirst = true;
    this.text('{');
    for (const key in object) {
      const each = object[key];
      if (each === undefined) continue;
      const colon = this.#pretty && !(each instanceof Raw) ? ' : ' : ':';
      this.text(`${isFirst ? '' : ','}${this.#line(depth + 1)}${quotedKey(key)}${colon}`);
      isFirst = false;
      yield* this.value(each, depth + 1);
    }
    this.text(`${isFirst && this.#pretty ? ' ' : this.#line(depth)}}`);
  }

  text(text: string): void {
    this.#put(utf8.encode(text));
  }

  #line(depth: number): string {
    return this.#pretty ? `\n${'  '.repeat(depth)}` : '';
  }

  #put(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#written += BYTES_PER_STEP + bytes.length;
  }

  #isDue(): boolean {
    const steps = this.#written / BYTES_PER_STEP;
    this.#written = 0;
    return this.#work.isDue(steps);
  }
}
