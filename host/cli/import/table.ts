/**
 * Tables (RFC 4180): a header line, then a row for each document, cells with commas between, or tabs, or what is said. A cell in quotes may
 * hold all of these, line feeds, and quotes as two of them. Empty cells are left out. Cells without quotes that are a decimal number without
 * leading zeros, `true` or `false` are that; all else are texts.
 */
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { HEAD_BYTES } from './lines.js';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
/** What a long can hold for certain. */
const NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,20})?$/;
const LONGEST_NUMBER = 41;

/** The header can't be that of a table. */
export class BadHeader extends Error {
  override readonly name = 'BadHeader';
}

interface Cell {
  text: string;
  isQuoted: boolean;
}

export class Table implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  readonly #delimiter: string;
  /** Rows before it are there already. */
  readonly #from: Place;
  /** Names of the columns, and each as JSON with a colon. */
  #names: readonly string[] | undefined;
  #keys: readonly string[] = [];
  #parts: Buffer[] = [];
  #bytes = 0;
  #inQuotes = false;
  /** Offset of the row's first byte, and of the next that comes. */
  #start: number;
  #offset: number;
  /** Lines before the row, and line feeds in it. */
  #line = 1;
  #feeds = 0;
  place: Place;

  /** @param offset of the first byte that comes; @param delimiter unless another is asked for */
  constructor(sink: DocumentSink, options: ReaderOptions, from: Place, offset: number, delimiter: string) {
    this.#sink = sink;
    this.#options = options;
    this.#delimiter = options.delimiter ?? delimiter;
    this.#from = from;
    this.#start = offset;
    this.#offset = offset;
    this.place = from;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) this.#inQuotes = !this.#inQuotes;
      else if (byte === LINE_FEED) {
        this.#feeds++;
        if (this.#inQuotes) continue;
        this.#row(chunk.subarray(from, at), this.#offset + at + 1, true);
        from = at + 1;
      }
    }
    this.#keep(Buffer.from(chunk.subarray(from)));
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#bytes > 0) this.#row(Buffer.alloc(0), this.#offset, false);
    if (this.#names === undefined) throw new BadHeader('the table has no header line');
  }

  #keep(part: Buffer): void {
    const { most } = this.#options;
    const before = this.#bytes;
    this.#bytes += part.length;
    if (this.#bytes <= most) this.#parts.push(part);
    else if (before <= most)
      this.#parts = [Buffer.concat([...this.#parts, part.subarray(0, HEAD_BYTES)]).subarray(0, HEAD_BYTES)];
  }

  #row(part: Buffer, end: number, isWhole: boolean): void {
    this.#keep(part);
    const { most } = this.#options;
    const [offset, line, isLong] = [this.#start, this.#line, this.#bytes > most];
    const text = Buffer.concat(this.#parts).toString().replace(/\r$/, '');
    const isOpen = this.#inQuotes;
    this.#parts = [];
    this.#bytes = 0;
    this.#inQuotes = false;
    this.#start = end;
    this.#line += this.#feeds;
    this.#feeds = 0;
    if (this.#names === undefined) {
      if (isLong) throw new BadHeader('the header line is too long');
      this.#header(cellsOf(text, this.#delimiter));
      if (offset >= this.#from.offset) this.place = { ...this.place, offset: end, line: this.#line };
      return;
    }
    if (offset < this.#from.offset) return;
    const { file, documents } = this.place;
    const place = { file, offset, line, documents };
    const isEmpty = text === '';
    this.place = { file, offset: end, line: this.#line, documents: documents + (isEmpty ? 0 : 1) };
    if (isEmpty) return;
    if (isLong) this.#sink.refuse(tooLong(most), text.slice(0, HEAD_BYTES), place);
    else if (isOpen) this.#sink.refuse('a quote is not closed', text, place);
    else this.#document(text, cellsOf(text, this.#delimiter), place, isWhole);
  }

  #header(cells: readonly Cell[]): void {
    const names = cells.map(({ text }) => text.trim());
    const empty = names.indexOf('');
    if (empty >= 0) throw new BadHeader(`column ${empty + 1} of the header has no name`);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined) throw new BadHeader(`the header has ${twice} twice`);
    const { id } = this.#options;
    if (id !== undefined && !names.includes(id)) throw new BadHeader(`the header has no ${id}`);
    this.#names = names;
    this.#keys = names.map((name) => `${JSON.stringify(name)}:`);
  }

  #document(text: string, cells: readonly Cell[], place: Place, isWhole: boolean): void {
    const names = this.#names!;
    if (cells.length !== names.length) {
      const reason = `${cells.length} cells, but the header has ${names.length}`;
      this.#sink.refuse(isWhole ? reason : `the last line has ${reason}`, text, place);
      return;
    }
    const { id, isText } = this.#options;
    let json = '';
    for (const [i, cell] of cells.entries())
      if (cell.text !== '') json += `${json === '' ? '' : ','}${this.#keys[i]}${jsonOf(cell, isText)}`;
    const source = Buffer.from(`{${json}}`);
    if (id === undefined) {
      this.#sink.document(undefined, undefined, source, place);
      return;
    }
    const value = cells[names.indexOf(id)]!.text;
    if (value === '') this.#sink.refuse(`the cell ${id} is empty`, text, place);
    else this.#sink.document(`{"index":{"_id":${JSON.stringify(value)}}}`, value, source, place);
  }
}

function jsonOf({ text, isQuoted }: Cell, isText: boolean): string {
  if (!isText && !isQuoted) {
    if (text === 'true' || text === 'false') return text;
    if (text.length <= LONGEST_NUMBER && NUMBER.test(text)) return text;
  }
  return JSON.stringify(text);
}

/** The cells of a row, which has its quotes in pairs. */
function cellsOf(row: string, delimiter: string): Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; ; ) {
    if (row[at] !== '"') {
      const end = row.indexOf(delimiter, at);
      cells.push({ text: row.slice(at, end < 0 ? row.length : end), isQuoted: false });
      if (end < 0) return cells;
      at = end + 1;
      continue;
    }
    let text = '';
    let quote = row.indexOf('"', at + 1);
    let from = at + 1;
    while (quote >= 0 && row[quote + 1] === '"') {
      text += row.slice(from, quote + 1);
      from = quote + 2;
      quote = row.indexOf('"', from);
    }
    const closed = quote < 0 ? row.length : quote;
    const end = row.indexOf(delimiter, closed);
    // What stands between a closing quote and the delimiter belongs to the cell.
    text += row.slice(from, closed) + row.slice(closed + 1, end < 0 ? row.length : end);
    cells.push({ text, isQuoted: true });
    if (end < 0) return cells;
    at = end + 1;
  }
}
