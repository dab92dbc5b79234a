import { KSTEM_WORDS } from '../../host/core/kstemWords.js';
import { testingCore } from '../support/cores.js';
import { type Build, modules } from './core.js';

interface WordExports {
  memory: WebAssembly.Memory;
  requestAlloc(bytes: number): number;
  kstemDefine(ptr: number, length: number): number;
  normalizeUnits(id: number, s: number, length: number): number;
  stemUnits(id: number, s: number, length: number): number;
}

/** Normalizers have the numbers up to this one. */
const LAST_NORMALIZER = 79;
const FIRST_NORMALIZER = 60;
/** The stemmer that, like normalizers, can double a word. */
const OLD_GERMAN = 113;
/** Units that nothing may write. */
const GUARD = 16;
const GUARD_UNIT = 0xbeef;

/** Stemmers and normalizers over one buffer of the core, with guards around what they may touch. */
export class WordCore {
  readonly #abi: WordExports;
  readonly #at: number;

  constructor(build: Build) {
    this.#abi = testingCore<WordExports>(modules[build], { held: 4 << 20 });
    this.#at = this.#abi.requestAlloc(4 << 20) >>> 0;
    this.defineKStem(KSTEM_WORDS);
  }

  /** Hands a dictionary over: the status. */
  defineKStem(words: string): number {
    const bytes = new TextEncoder().encode(words);
    new Uint8Array(this.#abi.memory.buffer).set(bytes, this.#at);
    return this.#abi.kstemDefine(this.#at, bytes.length);
  }

  /** What the stemmer or normalizer of that number makes of a word. */
  change(id: number, word: string): string {
    const normalizer = id >= FIRST_NORMALIZER && id <= LAST_NORMALIZER;
    const room = (normalizer || id === OLD_GERMAN ? 2 : 1) * word.length + 32;
    const units = new Uint16Array(this.#abi.memory.buffer, this.#at, room + 2 * GUARD);
    units.fill(GUARD_UNIT, 0, GUARD).fill(GUARD_UNIT, GUARD + room);
    for (let i = 0; i < word.length; i++) units[GUARD + i] = word.charCodeAt(i);
    const change = normalizer ? this.#abi.normalizeUnits : this.#abi.stemUnits;
    const length = change(id, this.#at + 2 * GUARD, word.length);
    if (length < 0 || length > room) throw new Error(`${length} units of ${word.slice(0, 20)}`);
    if ([...units.subarray(0, GUARD), ...units.subarray(GUARD + room)].some((unit) => unit !== GUARD_UNIT))
      throw new Error(`wrote beyond ${word.slice(0, 20)}`);
    let result = '';
    for (let i = 0; i < length; i += 4096)
      result += String.fromCharCode(...units.subarray(GUARD + i, GUARD + Math.min(i + 4096, length)));
    return result;
  }
}
