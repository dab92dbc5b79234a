/** How far something has come: a bar that is drawn again on a terminal, a line every few seconds elsewhere. */
import type { WriteStream } from 'node:tty';

const BAR_MS = 200;
const LINES_MS = 5000;
const BAR_CELLS = 24;
const CLEAR_LINE = '\r\x1b[K';

/** What has been done. */
export interface Done {
  items: number;
  refused: number;
  /** Of the whole, from 0 to 1; undefined where that isn't known. */
  share: number | undefined;
}

/** Where progress is shown. */
export type Shown = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

export class Progress {
  readonly #out: Shown;
  readonly #what: string;
  readonly #look: () => Done;
  readonly #started = performance.now();
  readonly #first: Done;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param what is moved: `documents`
   * @param look tells what has been done
   */
  constructor(out: Shown, what: string, look: () => Done) {
    this.#out = out;
    this.#what = what;
    this.#look = look;
    this.#first = look();
    this.#timer = setInterval(() => this.#show(), out.isTTY ? BAR_MS : LINES_MS);
    this.#timer.unref();
  }

  /** Writes a line of its own. */
  tell(line: string): void {
    this.#out.write(`${this.#out.isTTY ? CLEAR_LINE : ''}${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#out.isTTY) this.#out.write(CLEAR_LINE);
  }

  #show(): void {
    const seconds = (performance.now() - this.#started) / 1000;
    const text = progressText(this.#look(), this.#first, seconds, this.#what);
    if (!this.#out.isTTY) {
      this.#out.write(`${text}\n`);
      return;
    }
    const { share } = this.#look();
    const bar = share === undefined ? '' : `${barOf(share)} `;
    this.#out.write(`${CLEAR_LINE}${`${bar}${text}`.slice(0, (this.#out.columns ?? 80) - 1)}`);
  }
}

/** `42 % 1,200 documents, 3 refused, 600/s, 3 s left`. @param first what had been done when the time began */
export function progressText(
  { items, refused, share }: Done,
  first: Done,
  seconds: number,
  what: string,
): string {
  const parts = [`${items.toLocaleString('en')} ${what}`];
  if (refused > 0) parts.push(`${refused.toLocaleString('en')} refused`);
  if (seconds > 0) parts.push(`${Math.round((items - first.items) / seconds).toLocaleString('en')}/s`);
  if (share === undefined) return parts.join(', ');
  const done = share - (first.share ?? 0);
  if (done > 0 && share < 1) parts.push(`${durationText((seconds * (1 - share)) / done)} left`);
  return `${Math.floor(100 * share)} % ${parts.join(', ')}`;
}

/** `3 s`, `12 min`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function barOf(share: number): string {
  const full = Math.round(BAR_CELLS * Math.min(1, share));
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}
