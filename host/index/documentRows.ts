/** Encoded documents by the operations that wrote them, which come in ascending order. */
export class DocumentRows {
  readonly #seqs: number[] = [];
  readonly #rows: Uint8Array[] = [];

  add(seq: number, row: Uint8Array): void {
    this.#seqs.push(seq);
    this.#rows.push(row);
  }

  get(seq: number): Uint8Array | undefined {
    const seqs = this.#seqs;
    let from = 0;
    let to = seqs.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (seqs[middle]! < seq) from = middle + 1;
      else to = middle;
    }
    return seqs[from] === seq ? this.#rows[from] : undefined;
  }
}
