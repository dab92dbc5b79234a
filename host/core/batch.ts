/**
 * Encodes operations for the core's `apply` (see assembly/README.md, *Batch*). Values are written straight into one
 * growing buffer: nothing is allocated per document.
 */

const INDEX = 1;
const DELETE = 2;
/** Flag of a value's length: a boost follows its bytes. */
export const BOOSTED = 0x8000_0000;
/** Flag of a value's length: its bytes are tokens. */
export const GIVEN = 0x4000_0000;

/** Strings up to this long are copied unit by unit, which beats a call of the encoder. */
const SHORT = 48;

const utf8 = new TextEncoder();

/** A growing buffer of operations. A document is opened, filled and closed, or taken back whole. */
export class BatchWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;
  #operations = 0;
  /** Where the last value starts. */
  #last = 0;
  /** Where the open document starts, or -1. */
  #open = -1;

  constructor(initialBytes = 1 << 16) {
    this.#bytes = new Uint8Array(initialBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** The operations written so far. */
  get operations(): number {
    return this.#operations;
  }

  /** The bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Opens a document. `key` is its sequence number, ascending over the life of the shard. */
  begin(key: number): void {
    this.#reserve(13);
    this.#open = this.#length;
    this.#bytes[this.#length] = INDEX;
    this.#key(this.#length + 1, key);
    this.#length += 13;
  }

  /** Closes the open document. */
  end(): void {
    this.#view.setUint32(this.#open + 9, this.#length - this.#open - 13, true);
    this.#open = -1;
    this.#operations++;
  }

  /** Values of another document, as bytes, for the open one. */
  values(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Puts whole documents before the open one. They get the keys from `key` on, and the open one the key behind theirs. */
  putBefore(documents: readonly Uint8Array[], key: number): void {
    const bytes = documents.reduce((sum, { length }) => sum + length, 0);
    this.#reserve(bytes);
    this.#bytes.copyWithin(this.#open + bytes, this.#open, this.#length);
    let at = this.#open;
    for (const [i, document] of documents.entries()) {
      this.#bytes.set(document, at);
      this.#key(at + 1, key + i);
      at += document.length;
    }
    this.#key(at + 1, key + documents.length);
    this.#open = at;
    this.#length += bytes;
    this.#operations += documents.length;
  }

  /** Takes the open document back, as if it had never been begun. */
  abandon(): void {
    if (this.#open < 0) return;
    this.#length = this.#open;
    this.#open = -1;
  }

  /** One document whose values `write` adds; if it throws, nothing of the document stays. */
  index(key: number, write: (batch: this) => void): void {
    this.begin(key);
    try {
      write(this);
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.end();
  }

  /** A value of the open document: a text, or a term that is a string. Returns its length in UTF-8 bytes. */
  text(field: number, value: string): number {
    const units = value.length;
    this.#reserve(6 + 3 * units);
    const bytes = this.#bytes;
    const at = this.#length;
    this.#last = at;
    const start = at + 6;
    let written = 0;
    if (units <= SHORT) {
      for (; written < units; written++) {
        const unit = value.charCodeAt(written);
        if (unit >= 0x80) break;
        bytes[start + written] = unit;
      }
    }
    if (written < units) written = utf8.encodeInto(value, bytes.subarray(start)).written;
    bytes[at] = field;
    bytes[at + 1] = field >>> 8;
    bytes[at + 2] = written;
    bytes[at + 3] = written >>> 8;
    bytes[at + 4] = written >>> 16;
    bytes[at + 5] = written >>> 24;
    this.#length = start + written;
    return written;
  }

  /**
   * Begins a value of the open document, a text whose bytes the caller puts into {@link view} from the returned place on, at most
   * so many. It is not there before it is ended.
   */
  beginText(most: number): number {
    this.#reserve(6 + most);
    return this.#length + 6;
  }

  /** Where the bytes of a text go that was begun. */
  get view(): DataView {
    return this.#view;
  }

  /** Ends the text that was begun last: its bytes end before `end`. */
  endText(field: number, end: number): void {
    const at = this.#length;
    this.#last = at;
    this.#view.setUint16(at, field, true);
    this.#view.setUint32(at + 2, end - at - 6, true);
    this.#length = end;
  }

  /** A value of the open document that is a term of bytes. */
  term(field: number, term: Uint8Array): void {
    this.#reserve(6 + term.length);
    this.#last = this.#length;
    this.#view.setUint16(this.#length, field, true);
    this.#view.setUint32(this.#length + 2, term.length, true);
    this.#bytes.set(term, this.#length + 6);
    this.#length += 6 + term.length;
  }

  /** A value of the open document, analyzed already: tokens as the core gives them. */
  tokens(field: number, tokens: Uint8Array): void {
    this.term(field, tokens);
    this.#view.setUint32(this.#last + 2, (tokens.length | GIVEN) >>> 0, true);
  }

  /** A value of the open document that is a term of eight bytes, given as two halves, most significant first. */
  term64(field: number, high: number, low: number): void {
    this.#reserve(14);
    const view = this.#view;
    const at = this.#length;
    this.#last = at;
    view.setUint16(at, field, true);
    view.setUint32(at + 2, 8, true);
    view.setUint32(at + 6, high, false);
    view.setUint32(at + 10, low, false);
    this.#length = at + 14;
  }

  /** Gives the value just written a boost in place of its field's. */
  boostLast(boost: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#last + 2, this.#view.getUint32(this.#last + 2, true) | BOOSTED, true);
    this.#view.setFloat32(this.#length, boost, true);
    this.#length += 4;
  }

  /** The deletion of the document of that key. */
  delete(key: number): void {
    this.#reserve(9);
    this.#bytes[this.#length] = DELETE;
    this.#key(this.#length + 1, key);
    this.#length += 9;
    this.#operations++;
  }

  /** What has been written, in place: valid until the next write or {@link reset}. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy that another thread can read in place, where threads can share memory. */
  copy(): Uint8Array {
    const length = this.#length;
    const buffer =
      typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(length) : new SharedArrayBuffer(length);
    const out = new Uint8Array(buffer);
    out.set(this.bytes());
    return out;
  }

  /** Empties the batch and keeps its memory. */
  reset(): void {
    this.#length = 0;
    this.#operations = 0;
    this.#open = -1;
  }

  #key(at: number, key: number): void {
    this.#view.setUint32(at, key >>> 0, true);
    this.#view.setUint32(at + 4, Math.floor(key / 0x1_0000_0000), true);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
