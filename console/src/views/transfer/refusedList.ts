/** What wasn't taken, and why: as many as a page can keep, all of them counted. */

export interface Refused {
  line: number;
  status: number;
  reason: string;
  source: string;
}

/** Kept, at most: documents, and characters of their sources. */
const MOST = 20_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

export class RefusedList {
  readonly kept: Refused[] = [];
  count = 0;
  #characters = 0;

  add(refused: Refused): void {
    this.count++;
    if (this.kept.length >= MOST || this.#characters + refused.source.length > MOST_CHARACTERS) return;
    this.#characters += refused.source.length;
    this.kept.push(refused);
  }

  /** Lines as `resilin import` writes them. */
  text(file: string): string {
    return this.kept.map((refused) => `${JSON.stringify({ file, ...refused })}\n`).join('');
  }
}
