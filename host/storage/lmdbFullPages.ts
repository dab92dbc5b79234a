/**
 * Has LMDB fill its pages where many rows come in ascending order: documents, with rows of other kinds and shards behind them. LMDB splits a
 * full page in the middle, whatever comes, but where the new row is the last of its page: then that and the one before go to a new page.
 * Rows of half a kilobyte fill 74 % of their pages so. Two rows are helped over that, which no transaction leaves behind:
 *
 *     blocks    D1 D2 | rows ... | S    of half a page each, so that the rows begin in a page of which everything is known (D1 and D2 fill one, so
 *                                       one of them is the last of a page, or D2 and S are alone in it), and S begins the page after theirs
 *     wedges    row, wedge | next row   a few bytes behind the last row that has room, which go to the new page instead of that row
 *
 * Nothing but the room that rows take depends on how LMDB splits pages.
 */
import type { Environment } from './shrinking.js';

/** What a page begins with, */
const PAGE_HEAD = 24;
/** and what a row in it takes besides its key and value: a head, and where it begins. */
const ROW_HEAD = 8;
const PLACE = 2;
/** Of a row whose value has pages of its own. */
const ELSEWHERE = 8;
/** A page that has less than a quarter is filled from others when a row of it is removed. */
const WEDGE_FROM = 0.3;
/** Of a key behind another one. */
const BEHIND = 0;
const [D1, D2, FIRST_WEDGE] = [1, 2, 3];

const NOTHING = new Uint8Array(0);

/** One run of rows; between {@link begin} and {@link end} its rows are put, and no others. */
export class FullPages {
  readonly #db: Environment;
  /** Bytes that rows of a page have. */
  readonly #room: number;
  /** Bytes of the largest row that is in a page. */
  readonly #most: number;
  readonly #filler: Uint8Array;
  /** Of the page that is being filled. */
  #used = 0;
  /** Bytes of the row that was put last, and where its key is. */
  #last = 0;
  #lastAt = 0;
  #lastEnd = 0;
  #wedge: Uint8Array | undefined;
  #blocks: Uint8Array[] = [];

  constructor(db: Environment) {
    this.#db = db;
    const { pageSize } = db.getStats() as { pageSize: number };
    this.#room = pageSize - PAGE_HEAD;
    // As LMDB counts it: two of them fill a page.
    this.#most = 2 * Math.floor(this.#room / 4) - PLACE;
    this.#filler = new Uint8Array(this.#most);
  }

  /** @param before a key behind which all of the rows come, and no others; `last` is that of the last row */
  begin(before: Uint8Array, last: Uint8Array): void {
    const [first, second] = [keyBehind(before, D1), keyBehind(before, D2)];
    this.#blocks = [first, second, keyBehind(last, BEHIND)];
    for (const key of this.#blocks)
      this.#db.put(key, this.#filler.subarray(0, this.#most - ROW_HEAD - key.length));
    const wedge = keyBehind(before, FIRST_WEDGE);
    this.#db.put(wedge, NOTHING);
    this.#blocks.push(wedge);
    this.#last = this.#bytesOf(wedge.length, 0);
    this.#lastAt = this.#lastEnd = 0;
    this.#used = this.#most + PLACE + this.#last;
  }

  /** Before a row is put; its key is there, and the one before is where it was. */
  next(bytesOfKeys: Uint8Array, keyAt: number, keyEnd: number, valueBytes: number): void {
    const bytes = this.#bytesOf(keyEnd - keyAt, valueBytes);
    if (this.#used + bytes > this.#room) this.#turnPage(bytesOfKeys.subarray(this.#lastAt, this.#lastEnd));
    else if (this.#wedge !== undefined && this.#used > WEDGE_FROM * this.#room) {
      this.#used -= this.#bytesOf(this.#wedge.length, 0);
      this.#removeWedge();
    }
    this.#used += bytes;
    this.#last = bytes;
    this.#lastAt = keyAt;
    this.#lastEnd = keyEnd;
  }

  #turnPage(previous: Uint8Array): void {
    this.#removeWedge();
    const wedge = keyBehind(previous, BEHIND);
    const bytes = this.#bytesOf(wedge.length, 0);
    if (previous.length === 0 || this.#used + bytes > this.#room) {
      // No room even for that, or there is one already: what came last goes to the next page.
      this.#used = this.#last;
      return;
    }
    this.#db.put(wedge, NOTHING);
    this.#wedge = wedge;
    this.#used = bytes;
  }

  #removeWedge(): void {
    if (this.#wedge !== undefined) this.#db.remove(this.#wedge);
    this.#wedge = undefined;
  }

  /** After the last row. */
  end(): void {
    this.#removeWedge();
    for (const key of this.#blocks) this.#db.remove(key);
    this.#blocks = [];
  }

  #bytesOf(key: number, value: number): number {
    const inPage = ROW_HEAD + key + value <= this.#most;
    const bytes = ROW_HEAD + key + (inPage ? value : ELSEWHERE) + PLACE;
    return bytes + (bytes & 1);
  }
}

/** A key that no row has: right behind another one. */
function keyBehind(key: Uint8Array, mark: number): Uint8Array {
  const behind = new Uint8Array(key.length + 1);
  behind.set(key);
  behind[key.length] = mark;
  return behind;
}
