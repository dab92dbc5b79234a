/**
 * Parts of the host that few need, each with words that are in every request or metadata that needs it. Browsers load a part when one of
 * its words turns up; elsewhere all are loaded before an engine is opened. Whoever uses a part reads it synchronously.
 */
import { ElasticsearchError } from './errors.js';

/** Parts that aren't loaded yet. */
const waiting = new Set<LatePart<unknown>>();
/** What any of them, or all, are known by; undefined where none waits. */
let known: RegExp | undefined;

/** In metadata: queries among the documents may need any part. */
const STORED_QUERIES = ['percolat'];
/** In requests: what makes use of something that was stored before, and letters that are written as numbers. */
const ANY_PART = [...STORED_QUERIES, 'template', 'warmer', '\\\\u00', '%[4-7]'];

/** One part: `loaded` is what it has. */
export class LatePart<T> {
  readonly name: string;
  readonly words: readonly string[];
  readonly #import: () => Promise<T>;
  #loading: Promise<void> | undefined;
  #value: T | undefined;

  /** @param name for messages; `words` are found wherever they stand, in small and capital letters; none where its user knows */
  constructor(name: string, words: readonly string[], load: () => Promise<T>) {
    this.name = name;
    this.words = words;
    this.#import = load;
    waiting.add(this);
    known = knownNow();
  }

  get isLoaded(): boolean {
    return this.#value !== undefined;
  }

  /** Throws where no word told that it is needed: the next request finds it. */
  get loaded(): T {
    if (this.#value !== undefined) return this.#value;
    this.load().catch(() => {});
    throw this.#missing('is being loaded, ask again');
  }

  /** Loads it, once. Where that fails, whoever needs it next tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#value = await this.#import();
    } catch (cause) {
      this.#loading = undefined;
      throw this.#missing(`can't be loaded: ${cause instanceof Error ? cause.message : cause}`);
    }
    waiting.delete(this);
    known = knownNow();
  }

  #missing(why: string): ElasticsearchError {
    const options = { status: 503 };
    return new ElasticsearchError('ElasticsearchIllegalStateException', `${this.name} ${why}`, options);
  }
}

/** Whether a part may be missing at all. */
export const someAreLate = (): boolean => known !== undefined;

/** Loads what the words of a request ask for; undefined where that is nothing. */
export function partsOfRequest(texts: readonly string[]): Promise<unknown> | undefined {
  return partsIn(texts, ANY_PART);
}

/** The same of metadata. */
export function partsOfMetadata(texts: readonly string[]): Promise<unknown> | undefined {
  return partsIn(texts, STORED_QUERIES);
}

function partsIn(texts: readonly string[], any: readonly string[]): Promise<unknown> | undefined {
  if (known === undefined || !isIn(known, texts)) return undefined;
  if (isIn(anyOf(any), texts)) return allParts();
  const needed = [...waiting].filter(({ words }) => isIn(anyOf(words), texts));
  return needed.length === 0 ? undefined : Promise.all(needed.map((part) => part.load()));
}

/** Loads all parts. */
export function allParts(): Promise<unknown> {
  return Promise.all([...waiting].map((part) => part.load()));
}

function isIn(words: RegExp, texts: readonly string[]): boolean {
  return texts.some((text) => words.test(text));
}

function anyOf(words: readonly string[]): RegExp {
  return new RegExp(words.join('|') || '(?!)', 'i');
}

function knownNow(): RegExp | undefined {
  return waiting.size === 0 ? undefined : anyOf([...ANY_PART, ...[...waiting].flatMap(({ words }) => words)]);
}
