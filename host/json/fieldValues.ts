/** The values of single fields, taken out of a document's source with their digits as they were sent. */
import type { Turns, WorkLimit } from '../workLimit.js';
import { type Raw, isRawObject, parseRaw, print } from './rawJson.js';

const utf8 = new TextDecoder();
/** Bytes that are decoded or read in a step of a work limit. */
const BYTES_PER_STEP = 128;

/** Reads a source once and answers for any number of fields. */
export class FieldValues {
  readonly #root: Raw;

  /** @param text the source as a text, where that is at hand */
  constructor(source: Uint8Array, text?: string) {
    this.#root = source.length === 0 ? { entries: [] } : parseRaw(text ?? utf8.decode(source));
  }

  /** The same, with turns for others between what takes long of a long source. */
  static *inTurns(source: Uint8Array, work: WorkLimit): Turns<FieldValues> {
    const text = utf8.decode(source);
    if (work.isDue(source.length / BYTES_PER_STEP)) yield;
    const values = new FieldValues(source, text);
    if (work.isDue(source.length / BYTES_PER_STEP)) yield;
    return values;
  }

  /** The scalars under a dotted path, as JSON texts; lists are looked through, null and objects give nothing. */
  leaves(path: string): string[] {
    const out: string[] = [];
    collect(this.#root, path.split('.'), 0, out);
    return out;
  }

  /** What stands under a dotted path, as JSON texts; lists are looked through on the way to it, and not taken apart there. */
  wholes(path: string): string[] {
    const out: string[] = [];
    collectWhole(this.#root, path.split('.'), 0, out);
    return out;
  }

  /** Whatever stands under a dotted path, as JSON texts: the elements of a list, or the one value. */
  values(path: string): string[] {
    const found = valueAt(this.#root, path.split('.'), 0);
    if (found === undefined || found === 'null') return [];
    return Array.isArray(found) ? found.map(print) : [print(found)];
  }
}

function collect(value: Raw, path: readonly string[], at: number, out: string[]): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, path, at, out);
    return;
  }
  if (!isRawObject(value)) {
    if (at === path.length && value !== 'null') out.push(value);
    return;
  }
  // A key may hold dots itself.
  for (let end = at + 1; end <= path.length; end++) {
    const key = path.slice(at, end).join('.');
    const child = value.entries.find(([name]) => name === key)?.[1];
    if (child === undefined || child === 'null') continue;
    collect(child, path, end, out);
    return;
  }
}

function collectWhole(value: Raw, path: readonly string[], at: number, out: string[]): void {
  if (at === path.length) {
    if (value !== 'null') out.push(print(value));
    return;
  }
  if (Array.isArray(value)) {
    for (const each of value) collectWhole(each, path, at, out);
    return;
  }
  if (!isRawObject(value)) return;
  const child = value.entries.find(([name]) => name === path[at])?.[1];
  if (child !== undefined) collectWhole(child, path, at + 1, out);
}

function valueAt(value: Raw, path: readonly string[], at: number): Raw | undefined {
  if (at === path.length) return value;
  if (Array.isArray(value)) {
    const found = value.flatMap((each) => valueAt(each, path, at) ?? []);
    return found.length === 0 ? undefined : found;
  }
  if (!isRawObject(value)) return undefined;
  const child = value.entries.find(([name]) => name === path[at])?.[1];
  return child === undefined ? undefined : valueAt(child, path, at + 1);
}
