/** A line of bulk requests, one after the other: documents of the same id are written in the order of the file. */
import type { Answer } from '../../api/client';
import { isObject, type Json } from '../../api/json';
import { pause, TRIES } from './pauses';

/** An action of a bulk. */
export interface BulkItem {
  head: string;
  /** Undefined for a deletion. */
  source: string | undefined;
  line: number;
  /** Its id was made here: that it is there already means that it was sent before. */
  isOwn: boolean;
}

/** What carries a lane's requests, and hears what became of them. */
export interface LaneOptions {
  /** Sends the body of a bulk. Throws where nobody answers. */
  send: (body: string) => Promise<Answer>;
  /** Characters of a body, about. */
  most: number;
  signal: AbortSignal;
  taken: (count: number) => void;
  refused: (item: BulkItem, status: number, reason: string) => void;
  /** It is tried again after a pause. */
  retrying: (reason: string) => void;
}

/** The server takes nothing at all: who is asking may not, or the index is closed. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** What holds for all documents alike. */
const ENDS: ReadonlySet<number> = new Set([401, 403]);
const CONFLICT = 409;

export class Lane {
  readonly #options: LaneOptions;
  #items: BulkItem[] = [];
  #length = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  add(item: BulkItem): void {
    this.#items.push(item);
    this.#length += item.head.length + (item.source?.length ?? 0) + 2;
  }

  get isFull(): boolean {
    return this.#length >= this.#options.most;
  }

  /** Sends what there is when the request before is answered; resolves when it may be filled again. */
  async flush(): Promise<void> {
    await this.#sending;
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#length = 0;
    this.#sending = this.#send(items);
    // Whoever waits for it next hears of its error.
    this.#sending.catch(() => {});
  }

  /** Resolves when all is answered. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #send(all: readonly BulkItem[]): Promise<void> {
    const { signal, refused, retrying } = this.#options;
    let items = all;
    for (let tries = 1; items.length > 0 && !signal.aborted; tries++) {
      const answer = await this.#options.send(bodyOf(items)).catch((error: unknown) => error as Error);
      if (signal.aborted) return;
      let reason: string;
      if (answer instanceof Error) reason = answer.message;
      else if (answer.status < 300) {
        items = this.#answered(items, answer.json);
        reason = 'the server is busy (429)';
      } else if (BUSY.has(answer.status)) reason = `the server answers with ${answer.status}`;
      else if (ENDS.has(answer.status)) throw new ImportEnded(errorOf(answer));
      else if (items.length === 1) {
        refused(items[0]!, answer.status, errorOf(answer));
        return;
      } else {
        // One of them is at fault: halves, until it stands alone.
        const half = items.length >> 1;
        await this.#send(items.slice(0, half));
        await this.#send(items.slice(half));
        return;
      }
      if (items.length === 0) return;
      if (tries > TRIES) throw new ImportEnded(`${reason}; it was tried ${tries} times`);
      retrying(reason);
      await pause(tries, signal);
    }
  }

  /** What has to be sent again. */
  #answered(items: readonly BulkItem[], json: Json | undefined): readonly BulkItem[] {
    const answers = isObject(json) && Array.isArray(json.items) ? json.items : [];
    const again: BulkItem[] = [];
    let taken = 0;
    items.forEach((item, i) => {
      const [result] = isObject(answers[i]) ? Object.values(answers[i]) : [];
      const { status, error } = isObject(result) ? result : {};
      const code = Number(String(status));
      if (code < 300 || (code === CONFLICT && item.isOwn) || (code === 404 && item.source === undefined))
        taken++;
      else if (BUSY.has(code)) again.push(item);
      else this.#options.refused(item, code, typeof error === 'string' ? error : `status ${code}`);
    });
    this.#options.taken(taken);
    return again;
  }
}

function bodyOf(items: readonly BulkItem[]): string {
  return items
    .map(({ head, source }) => (source === undefined ? `${head}\n` : `${head}\n${source}\n`))
    .join('');
}

function errorOf({ json, status, text }: Answer): string {
  return isObject(json) && typeof json.error === 'string'
    ? json.error
    : `status ${status}: ${text.slice(0, 500)}`;
}
