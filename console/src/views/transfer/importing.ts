/** An import: a file is read piece by piece, and no more of it than the server takes. */
import { type Client, encodeNames } from '../../api/client';
import { type BulkItem, Lane } from './lane';
import type { PointColumns } from './proposal/proposal';
import type { DocumentSink, ReaderOptions } from './reading/documents';
import { type Encoding, fileText } from './reading/fileText';
import { type Format, readerOf } from './reading/format';
import { RefusedList } from './refusedList';
import { withPoint } from './withPoint';

export interface ImportOptions {
  file: Blob;
  encoding: Encoding;
  format: Format;
  reader: ReaderOptions;
  /** Empty where the file says it. */
  index: string;
  type: string;
  point: PointColumns | undefined;
}

/** How far it is. */
export interface Progress {
  /** Bytes of the file, packed as it is. */
  read: number;
  size: number;
  taken: number;
  refused: number;
  /** Milliseconds since it began. */
  ms: number;
  /** Why it waits; empty where it doesn't. */
  waiting: string;
}

/** Requests under way at once. */
const LANES = 3;
/** Characters of a request, about: its answer is read in one piece, while which the page can't react. */
const BULK = 1024 * 1024;
/** Characters between two looks at whether lanes are full: what isn't sent yet stays bounded. */
const PIECE = 64 * 1024;

export class Importing implements DocumentSink {
  readonly #options: ImportOptions;
  readonly #lanes: readonly Lane[];
  readonly #stop = new AbortController();
  readonly #began = performance.now();
  readonly #onProgress: (progress: Progress) => void;
  /** Begins the ids that are made here. */
  readonly #prefix = crypto
    .getRandomValues(new Uint32Array(2))
    .reduce((text, each) => text + each.toString(36), '');
  #next = 0;
  #read = 0;
  #taken = 0;
  #waiting = '';
  readonly refused = new RefusedList();

  constructor(client: Client, options: ImportOptions, onProgress: (progress: Progress) => void) {
    this.#options = options;
    this.#onProgress = onProgress;
    const { index, type } = options;
    const path = index === '' ? '/_bulk' : `/${encodeNames(index)}/${encodeURIComponent(type)}/_bulk`;
    const { signal } = this.#stop;
    this.#lanes = Array.from(
      { length: LANES },
      () =>
        new Lane({
          // What is under way is answered, also where it is stopped: it is known then what was taken.
          send: (body) => client.send('POST', path, body, { quiet: true }),
          most: BULK,
          signal,
          taken: (count) => {
            this.#taken += count;
            this.#waiting = '';
            this.#tell();
          },
          refused: (item, status, reason) => this.#refuse(item, status, reason),
          retrying: (reason) => {
            this.#waiting = reason;
            this.#tell();
          },
        }),
    );
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Sends nothing more. */
  stop(): void {
    this.#stop.abort();
  }

  /** Reads all of it. Throws what ended it early. */
  async run(): Promise<void> {
    const { file, encoding, format, reader: options } = this.#options;
    const reader = readerOf(format, this, options);
    const onRead = (bytes: number) => {
      this.#read = bytes;
    };
    let failure: unknown;
    try {
      for await (const text of fileText(file, { encoding, onRead })) {
        for (let at = 0; at < text.length; at += PIECE) {
          reader.push(text.slice(at, at + PIECE));
          await this.#flush(({ isFull }) => isFull);
        }
        if (this.isStopped) break;
        this.#tell();
        await breath();
      }
      if (!this.isStopped) reader.end();
    } catch (error) {
      failure = error;
    }
    // What was read before it failed is whole.
    try {
      await this.#flush(() => true);
    } catch (error) {
      failure ??= error;
    }
    const ends = await Promise.allSettled(this.#lanes.map((lane) => lane.settled()));
    for (const end of ends) if (end.status === 'rejected') failure ??= end.reason;
    this.#tell();
    if (failure !== undefined) throw failure;
  }

  document(head: string | undefined, id: string | undefined, source: string | undefined, line: number): void {
    if (head === undefined || id === undefined)
      this.#own(`{"create":{"_id":"${this.#prefix}-${line}"}}`, source, line);
    else this.#add(laneOf(id), { head, source: this.#placed(source), line, isOwn: false });
  }

  unnamed(meta: Readonly<Record<string, unknown>>, source: string, line: number): void {
    this.#own(JSON.stringify({ create: { ...meta, _id: `${this.#prefix}-${line}` } }), source, line);
  }

  refuse(reason: string, source: string, line: number): void {
    this.refused.add({ line, status: 400, reason, source });
  }

  #own(head: string, source: string | undefined, line: number): void {
    if (this.#lanes[this.#next]!.isFull) this.#next = (this.#next + 1) % LANES;
    this.#add(this.#next, { head, source: this.#placed(source), line, isOwn: true });
  }

  #add(lane: number, item: BulkItem): void {
    this.#lanes[lane]!.add(item);
  }

  #placed(source: string | undefined): string | undefined {
    const { point } = this.#options;
    return source === undefined || point === undefined ? source : withPoint(source, point);
  }

  #refuse({ head, source, line }: BulkItem, status: number, reason: string): void {
    this.refused.add({ line, status, reason, source: source ?? head });
    this.#tell();
  }

  async #flush(which: (lane: Lane) => boolean): Promise<void> {
    if (this.isStopped) return;
    for (const lane of this.#lanes) if (which(lane)) await lane.flush();
  }

  #tell(): void {
    this.#onProgress({
      read: this.#read,
      size: this.#options.file.size,
      taken: this.#taken,
      refused: this.refused.count,
      ms: performance.now() - this.#began,
      waiting: this.#waiting,
    });
  }
}

/** Documents of the same id come into the same lane. */
function laneOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0;
  return hash % LANES;
}

/** Lets the page react between two pieces. */
function breath(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(undefined);
  });
}
