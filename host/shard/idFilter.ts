/**
 * Which ids a shard has never had: a Bloom filter in blocks of one word, so that a new document needs no look-up in the store. It
 * grows with its shard, by layers of which each is filled before the next begins; beyond the last one it knows nothing any more.
 */

/** Words of the first layer, and how many times larger each next one is. */
const FIRST_WORDS = 256;
const GROWTH = 8;
/** 4 MB. */
const LAST_WORDS = FIRST_WORDS * GROWTH ** 4;
const BITS_PER_ID = 20;

interface Layer {
  words: Uint32Array;
  /** Ids that it takes still. */
  left: number;
}

/** Has no false negatives: an id that was added is one that may be there. */
export class IdFilter {
  readonly #layers: Layer[] = [layerOf(FIRST_WORDS)];
  /** Whether there are more ids than it can tell apart. */
  #isFull = false;
  /** The id that was hashed last: which word, and which bits of it. One that is looked for and isn't there is added next. */
  #hashed = '';
  #place = 0;
  #bits = 0;

  /** False for an id that was never added. */
  mayHave(uid: string): boolean {
    if (this.#isFull) return true;
    this.#hash(uid);
    const bits = this.#bits;
    for (const { words } of this.#layers) {
      if ((words[this.#place & (words.length - 1)]! & bits) === bits) return true;
    }
    return false;
  }

  add(uid: string): void {
    if (this.#isFull) return;
    let layer = this.#layers.at(-1)!;
    if (layer.left === 0) {
      const words = layer.words.length * GROWTH;
      if (words > LAST_WORDS) {
        this.#isFull = true;
        this.#layers.length = 0;
        return;
      }
      layer = layerOf(words);
      this.#layers.push(layer);
    }
    this.#hash(uid);
    layer.words[this.#place & (layer.words.length - 1)]! |= this.#bits;
    layer.left--;
  }

  #hash(uid: string): void {
    if (uid === this.#hashed) return;
    this.#hashed = uid;
    let a = 0x811c9dc5;
    let b = uid.length;
    for (let i = 0; i < uid.length; i++) {
      const unit = uid.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15);
    }
    a ^= a >>> 15;
    b = Math.imul(b ^ (b >>> 13), 0x9e3779b1);
    this.#place = a >>> 0;
    // Five bits of the number for each bit of the word.
    this.#bits = (1 << (b >>> 27)) | (1 << (b >>> 22)) | (1 << (b >>> 17)) | (1 << (b >>> 12));
  }
}

function layerOf(words: number): Layer {
  return { words: new Uint32Array(words), left: Math.floor((words * 32) / BITS_PER_ID) };
}
