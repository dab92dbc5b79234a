/**
 * The body of one bulk request while it grows, and what is known of each action in it:
 *
 *     {"create":{"_id":"…"}}\n   {"title":"…"}\n   {"delete":{"_id":"…"}}\n   …
 *     ^ starts of action 0       its source         action 1 (no source)
 */
import type { Place } from './place.js';

const LINE_FEED = 0x0a;
/** UTF-8 bytes of one UTF-16 code unit, at most. */
const MOST_BYTES = 3;

/** An action of a bulk that is told of: its lines without line feeds. */
export interface Action {
  action: string;
  /** Undefined for a deletion. */
  source: string | undefined;
  place: Place;
}

export class Bulk {
  #bytes: Buffer;
  #length = 0;
  readonly #ends: number[] = [];
  readonly #places: Place[] = [];
  readonly #isOwn: boolean[] = [];

  /** @param room bytes that it has at first */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(room);
  }

  /** Actions. */
  get count(): number {
    return this.#ends.length;
  }

  /** Bytes. */
  get bytes(): number {
    return this.#length;
  }

  /** Where its first action stood. */
  get from(): Place | undefined {
    return this.#places[0];
  }

  get body(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Whether an action would go beyond a bound; the first never does. */
  isFull(head: string, sourceBytes: number, bound: number): boolean {
    return this.#length > 0 && this.#length + head.length + sourceBytes + 2 > bound;
  }

  /**
   * Adds an action.
   * @param head its line, without the line feed
   * @param isOwn its id was made here, so that nobody else can have made the document that has it
   */
  add(head: string, source: Uint8Array | undefined, place: Place, isOwn: boolean): void {
    this.#reserve(MOST_BYTES * head.length + (source?.length ?? 0) + 2);
    const bytes = this.#bytes;
    let at = this.#length + bytes.write(head, this.#length);
    bytes[at++] = LINE_FEED;
    if (source !== undefined) {
      bytes.set(source, at);
      at += source.length;
      bytes[at++] = LINE_FEED;
    }
    this.#push(at, place, isOwn);
  }

  /** Adds an action of another bulk. */
  take(other: Bulk, index: number): void {
    const lines = other.#lines(index);
    this.#reserve(lines.length);
    this.#bytes.set(lines, this.#length);
    this.#push(this.#length + lines.length, other.#places[index]!, other.#isOwn[index]!);
  }

  /** Whether an action's id was made here. */
  isOwn(index: number): boolean {
    return this.#isOwn[index]!;
  }

  place(index: number): Place {
    return this.#places[index]!;
  }

  /** An action, to be told. */
  action(index: number): Action {
    const lines = this.#lines(index);
    const end = lines.indexOf(LINE_FEED);
    return {
      action: lines.toString('utf8', 0, end),
      source: end === lines.length - 1 ? undefined : lines.toString('utf8', end + 1, lines.length - 1),
      place: this.#places[index]!,
    };
  }

  /** Empties it, for the next actions. */
  clear(): void {
    this.#length = 0;
    this.#ends.length = 0;
    this.#places.length = 0;
    this.#isOwn.length = 0;
  }

  #lines(index: number): Buffer {
    return this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }

  #push(end: number, place: Place, isOwn: boolean): void {
    this.#length = end;
    this.#ends.push(end);
    this.#places.push(place);
    this.#isOwn.push(isOwn);
  }

  #reserve(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(
      Math.max(wanted, Math.min(2 * this.#bytes.length, wanted + 1024 * 1024)),
    );
    bytes.set(this.body);
    this.#bytes = bytes;
  }
}
