/** Where the rows of documents are among others, by the operations that wrote them, which come in ascending order. */
import type { Rows } from '../storage/rows.js';

export class DocumentRows {
  readonly #rows: Rows;
  readonly #seqs: number[] = [];
  readonly #numbers: number[] = [];

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  add(seq: number, row: number): void {
    this.#seqs.push(seq);
    this.#numbers.push(row);
  }

  /** A copy of an encoded document. */
  get(seq: number): Uint8Array | undefined {
    const seqs = this.#seqs;
    let from = 0;
    let to = seqs.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (seqs[middle]! < seq) from = middle + 1;
      else to = middle;
    }
    return seqs[from] === seq ? this.#rows.valueOf(this.#numbers[from]!) : undefined;
  }
}
