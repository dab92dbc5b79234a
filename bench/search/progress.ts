/** A progress bar on stderr, one line, drawn at most ten times a second; silent unless stderr is a terminal. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #shown = process.stderr.isTTY === true;
  readonly #start = performance.now();
  #drawn = 0;

  /** `total` may be unknown (infinite): then only the count is shown. */
  constructor(label: string, total: number) {
    this.#label = label;
    this.#total = total;
  }

  update(done: number): void {
    const now = performance.now();
    if (!this.#shown || now - this.#drawn < 100) return;
    this.#drawn = now;
    const seconds = (now - this.#start) / 1000;
    let text = `${this.#label} ${done}`;
    if (Number.isFinite(this.#total)) {
      const share = Math.min(1, done / this.#total);
      const filled = Math.round(share * 30);
      const left = share > 0 ? Math.round(seconds / share - seconds) : 0;
      text = `${this.#label} [${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${done}/${this.#total}, ${left} s left`;
    }
    process.stderr.write(`\r\x1b[K${text}`);
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\x1b[K');
  }
}
