/**
 * The file of an index, written part by part: one segment or pack is in memory at a time. The record stands before the parts and says where
 * they are, so that all is read twice, as it was at one moment.
 */
import { indexClosed, rejected } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Capture } from '../shard/capture.js';
import { aligned, ExportFileError, ExportLayout } from './exportFile.js';
import type { ExportRecord, Part } from './exportRecord.js';
import { recordOf } from './exporting.js';
import { writeCapture } from './writing.js';

/** Files that are written at once: each holds the rows and segments of its moment. */
const MOST = 4;
let open = 0;

/** A file that may be written, once. Whoever has it writes or releases it. */
export class StreamedExport {
  readonly #captures: readonly Capture[];
  readonly #parts: readonly Part[];
  readonly #head: Uint8Array;
  /** Of the whole file. */
  readonly bytes: number;
  #isHeld = true;

  private constructor(captures: readonly Capture[], parts: readonly Part[], head: Uint8Array, bytes: number) {
    this.#captures = captures;
    this.#parts = parts;
    this.#head = head;
    this.bytes = bytes;
  }

  /** @throws 429 where too many are being written already, 403 where the index is closed */
  static async of(index: OpenIndex): Promise<StreamedExport> {
    if (index.closed) throw indexClosed(index.name);
    if (open >= MOST) throw rejected(`${open} indices are being exported already`);
    open++;
    const captures: Capture[] = [];
    try {
      for (const shard of index.shards) captures.push(await shard.capture());
      const layout = new ExportLayout();
      const parts: Part[] = [];
      const shards: ExportRecord['shards'] = [];
      const place = async (bytes: Uint8Array) => {
        const part = layout.add(bytes);
        parts.push(part);
        return part;
      };
      for (const capture of captures) shards.push(await writeCapture(capture, place));
      const head = layout.head(recordOf(index, shards));
      return new StreamedExport(captures, parts, head, head.length + layout.bytes);
    } catch (e) {
      open--;
      for (const capture of captures) capture.release();
      throw e;
    }
  }

  /** Writes the file by a function that resolves when it takes more. Rejects where that does, and where a part isn't what it was. */
  async write(put: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    try {
      await put(this.#head);
      const layout = new ExportLayout();
      let next = 0;
      const pass = async (bytes: Uint8Array) => {
        const { sum } = layout.add(bytes);
        const part = this.#parts[next++];
        if (part?.bytes !== bytes.length || part.sum !== sum)
          throw new ExportFileError('what is exported has changed while it was written');
        await put(bytes);
        const rest = aligned(bytes.length) - bytes.length;
        if (rest > 0) await put(new Uint8Array(rest));
      };
      for (const capture of this.#captures) await writeCapture(capture, pass);
      if (next !== this.#parts.length)
        throw new ExportFileError('what is exported has become less while it was written');
    } finally {
      this.release();
    }
  }

  /** Lets go of the moment. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    open--;
    for (const capture of this.#captures) capture.release();
  }
}
