/** An import: files are read one after the other, and their documents sent; what is settled is written down. */
import { UsageError } from '../flags.js';
import { BulkSender } from '../remote/bulkSender.js';
import { isBefore, type Place } from '../remote/place.js';
import type { Requests } from '../remote/requests.js';
import type { DocumentReader, DocumentSink, ReaderOptions } from './documents.js';
import { type Format, formatOf, HAS_LINES, readerOf } from './format.js';
import { Input } from './input.js';
import type { RefusedFile } from '../remote/refusedFile.js';
import type { ImportState } from './resumeFile.js';

/** Files may be sent so far ahead of what is written down about it, in bytes. */
const REACH_BYTES = 64 * 1024 * 1024;
const SAVE_MS = 1000;
/** When nothing has come for twice as long, what was read is sent. */
const IDLE_MS = 500;
/** The status of what is refused here. */
const BAD_REQUEST = 400;

export interface ImportOptions extends ReaderOptions {
  /** Undefined: told by name and first bytes. */
  format: Format | undefined;
  /** Of bulk requests. */
  path: string;
  connections: number;
  bulkBytes: number;
  tries: number;
  /** Something is tried again. */
  retrying(reason: string): void;
}

export class Importing implements DocumentSink {
  readonly #options: ImportOptions;
  readonly #state: ImportState;
  readonly #refused: RefusedFile;
  readonly #save: (state: ImportState) => void;
  readonly #sender: BulkSender;
  /** Where an import that was interrupted may have come. */
  readonly #sentBefore: Place;
  /** Behind what has been read. */
  #place: Place;
  #reach: Place;
  #savedAt = 0;
  /** The lane of documents without ids, and the bytes that it has got. */
  #lane = 0;
  #laneBytes = 0;
  #input: Input | undefined;
  #isStopped = false;
  /** How often nothing had come when it was looked; undefined while what has come waits to be taken. */
  #idle: number | undefined = 0;
  /** Documents that are taken or refused. */
  settled: number;

  /** @param state where to begin; @param save keeps a state, durably */
  constructor(
    requests: Requests,
    options: ImportOptions,
    state: ImportState,
    refused: RefusedFile,
    save: (state: ImportState) => void,
  ) {
    this.#options = options;
    this.#state = state;
    this.#refused = refused;
    this.#save = save;
    this.#place = state.place;
    this.#sentBefore = state.reach;
    this.#reach = state.reach;
    this.settled = state.place.documents;
    this.#sender = new BulkSender(requests, {
      path: options.path,
      lanes: options.connections,
      bulkBytes: options.bulkBytes,
      tries: options.tries,
      refuse: ({ status, reason, action, source, place }) =>
        refused.add({ place, status, reason, action, source }),
      done: (actions) => {
        this.settled += actions;
        if (performance.now() - this.#savedAt >= SAVE_MS) this.#saveNow();
      },
      retrying: options.retrying,
      maySentBefore: (place) => isBefore(place, this.#sentBefore),
    });
  }

  /** How much of the files is settled, about, as bytes of the files as they lie there. */
  get bytesSettled(): number {
    const before = this.#state.files.slice(0, this.#place.file);
    const read = before.reduce((sum, { bytes }) => sum + bytes, this.#input?.bytesRead ?? 0);
    // What is read and not settled has as many bytes a document as the rest.
    return read * Math.min(1, this.settled / Math.max(1, this.#place.documents));
  }

  /** How far it has come. */
  get state(): ImportState {
    const place = this.#sender.oldest ?? this.#place;
    const isDone = place.file >= this.#state.files.length;
    return { ...this.#state, place, reach: this.#reach, isDone };
  }

  /** Reads all. Throws what ended it; then {@link state} tells how far it came. */
  async run(): Promise<void> {
    let failure: unknown;
    const idle = setInterval(() => this.#sendIfIdle(), IDLE_MS);
    try {
      for (let file = this.#place.file; file < this.#state.files.length && !this.#isStopped; file++)
        await this.#file(this.#state.files[file]!.name);
    } catch (e) {
      failure = e;
    }
    clearInterval(idle);
    // What was read before it failed is whole; what is under way when it is stopped gets its answer.
    const rest = this.#isStopped ? this.#sender.stop() : this.#sender.finish();
    await rest.catch((e) => {
      failure ??= e;
    });
    try {
      this.#saveNow();
      this.#refused.close();
    } catch (e) {
      failure ??= e;
    }
    if (failure !== undefined) throw failure;
  }

  /** Sends nothing more, and ends when what is under way is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#input?.close();
    await this.#sender.stop();
  }

  document(
    head: string | undefined,
    id: string | undefined,
    source: Uint8Array | undefined,
    place: Place,
  ): void {
    if (head !== undefined && id !== undefined)
      this.#sender.add(this.#sender.laneOf(id), head, source, place, false);
    else this.#own(`{"create":{"_id":"${this.#idOf(place)}"}}`, source, place);
  }

  unnamed(meta: Readonly<Record<string, unknown>>, source: Uint8Array, place: Place): void {
    this.#own(JSON.stringify({ create: { ...meta, _id: this.#idOf(place) } }), source, place);
  }

  refuse(reason: string, source: string, place: Place): void {
    this.#refused.add({ place, status: BAD_REQUEST, reason, source });
    this.settled++;
  }

  /** A document whose id is made here goes into any lane: one after the other gets a bulk. */
  #own(head: string, source: Uint8Array | undefined, place: Place): void {
    const bytes = head.length + (source?.length ?? 0) + 2;
    if (this.#laneBytes > 0 && this.#laneBytes + bytes > this.#options.bulkBytes) {
      this.#sender.flush(this.#lane);
      this.#lane = (this.#lane + 1) % this.#sender.lanes;
      this.#laneBytes = 0;
    }
    this.#laneBytes += bytes;
    this.#sender.add(this.#lane, head, source, place, true);
  }

  #idOf({ file, line }: Place): string {
    return file === 0 ? `${this.#state.prefix}-${line}` : `${this.#state.prefix}-${file}-${line}`;
  }

  async #file(name: string): Promise<void> {
    const { file } = this.#place;
    const input = await Input.open(name);
    this.#input = input;
    try {
      const format = this.#options.format ?? formatOf(name, input.head);
      if (format !== 'bulk' && this.#options.isIndexNamed)
        throw new UsageError(`--index is missing: into which index does ${name} go?`);
      const hasLines = HAS_LINES.has(format);
      const from = { ...this.#place, offset: Math.max(this.#place.offset, hasLines ? input.start : 0) };
      const begin = hasLines ? from.offset : input.start;
      const reader = readerOf(format, this, this.#options, from, begin);
      await this.#read(reader, input.chunks(begin));
      if (this.#isStopped) return;
      reader.end();
      this.#place = { file: file + 1, offset: 0, line: 1, documents: reader.place.documents };
    } finally {
      input.close();
      this.#input = undefined;
    }
  }

  async #read(reader: DocumentReader, chunks: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        this.#idle = undefined;
        this.#reachFor(reader.place, chunk.length);
        reader.push(chunk);
        this.#place = reader.place;
        await this.#sender.ready();
        this.#idle = 0;
        if (this.#isStopped) return;
      }
    } catch (e) {
      this.#place = reader.place;
      // Closing the input ends it as an error does.
      if (!this.#isStopped) throw e;
    }
  }

  /** A pipe may stay open for long: its documents don't wait for each other. */
  #sendIfIdle(): void {
    if (this.#idle === undefined || this.#isStopped || ++this.#idle !== 2) return;
    for (let lane = 0; lane < this.#sender.lanes; lane++) this.#sender.flush(lane);
  }

  /** What may be sent is written down before. */
  #reachFor(place: Place, bytes: number): void {
    const next = { ...place, offset: place.offset + bytes };
    if (isBefore(next, this.#reach)) return;
    // What is carried from chunk to chunk is no longer than a document.
    this.#reach = { ...next, offset: next.offset + this.#options.most + REACH_BYTES };
    this.#saveNow();
  }

  #saveNow(): void {
    this.#refused.sync();
    this.#save(this.state);
    this.#savedAt = performance.now();
  }
}
