/**
 * The nested documents of a document being parsed: each object of a nested field is one. They are written while the values around
 * them are, and stand before the document in the batch, the last first, as 1.7 has them in Lucene: so the parts of an object stand
 * right before it.
 */

import { BatchWriter } from '../core/batch.js';
import { TYPE } from './field.js';
import { nestedType, type Nested } from './objects.js';

/** A document that is being written: the nested ones that are open, and the one around them. */
interface Open {
  batch: BatchWriter;
  /** The full names of its own fields begin so. */
  prefix: string;
  /** Where its values begin behind what every nested document has. */
  values: number;
  /** How many nested documents began before it. */
  order: number;
}

const SMALL = 256;

/** Collects them. */
export class NestedDocuments {
  readonly #open: Open[] = [];
  #root: Open | undefined;
  /** Writers by depth, used again. */
  readonly #writers: BatchWriter[] = [];
  /** Whole operations, in the order in which the objects began. */
  readonly #finished: Uint8Array[] = [];
  #begun = 0;

  /** Begins a document, whose values `batch` takes. */
  start(batch: BatchWriter): void {
    if (this.#begun === 0 && this.#open.length === 1 && this.#root?.batch === batch) return;
    this.#root = { batch, prefix: '', values: 0, order: 0 };
    this.#open.length = 0;
    this.#open.push(this.#root);
    this.#finished.length = 0;
    this.#begun = 0;
  }

  /** Begins an object of the nested field of that path: where its values go. */
  begin(path: string): BatchWriter {
    const depth = this.#open.length - 1;
    this.#writers[depth] ??= new BatchWriter(SMALL);
    const batch = this.#writers[depth];
    batch.reset();
    batch.begin(0);
    batch.text(TYPE, nestedType(path));
    this.#open.push({ batch, prefix: `${path}.`, values: batch.length, order: this.#begun++ });
    return batch;
  }

  /** Ends the object begun last: where the values around it go. */
  end({ includeInParent, includeInRoot }: Nested): BatchWriter {
    const { batch, values, order } = this.#open.pop()!;
    batch.end();
    const bytes = batch.bytes().slice();
    this.#finished[order] = bytes;
    const parent = this.#open.at(-1)!.batch;
    const root = this.#open[0]!.batch;
    const own = bytes.subarray(values);
    if (includeInParent) parent.values(own);
    if (includeInRoot && !(includeInParent && parent === root)) root.values(own);
    return parent;
  }

  /** The open document whose fields include one of that full name, the innermost first. */
  holderOf(name: string): BatchWriter {
    return this.#open.findLast(({ prefix }) => name.startsWith(prefix))!.batch;
  }

  /**
   * Ends the document: puts the nested ones before it, with the keys from `key` on. Returns the key of the document itself, which
   * is the last. Where it has its key already, `own`, there may be too few keys between: then a field has become nested since it
   * was written, and its objects are no documents, as they weren't before.
   */
  finish(key: number, own?: number): number {
    const { batch } = this.#open[0]!;
    if (own === undefined) {
      if (this.#begun > 0) batch.putBefore(this.#finished.reverse(), key);
      return key + this.#begun;
    }
    const fits = own - this.#begun >= key;
    batch.putBefore(fits ? this.#finished.reverse() : [], fits ? own - this.#begun : own);
    return own;
  }
}
