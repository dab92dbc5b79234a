/**
 * Tables (RFC 4180): a header line, then a row for each document. A cell in quotes may hold delimiters, line feeds, and quotes as two of them.
 * Empty cells are left out. Cells without quotes that are a decimal number without leading zeros, `true` or `false` are that; all else are texts.
 */
import {
  type DocumentReader,
  type DocumentSink,
  HEAD,
  type ReaderOptions,
  tooLong,
  Unreadable,
} from './documents';

/** What a long can hold for certain. */
const NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,20})?$/;
const LONGEST_NUMBER = 41;

interface Cell {
  text: string;
  isQuoted: boolean;
}

export class Table implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  readonly #delimiter: string;
  /** Names of the columns, and each as JSON with a colon. */
  #names: readonly string[] | undefined;
  #keys: readonly string[] = [];
  #rest = '';
  #length = 0;
  #inQuotes = false;
  /** Of the row's first line. */
  #line = 1;
  #feeds = 0;

  constructor(sink: DocumentSink, options: ReaderOptions, delimiter: string) {
    this.#sink = sink;
    this.#options = options;
    this.#delimiter = options.delimiter ?? delimiter;
  }

  push(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) this.#inQuotes = !this.#inQuotes;
      else if (unit === 0x0a) {
        this.#feeds++;
        if (this.#inQuotes) continue;
        this.#keep(text.slice(from, at));
        this.#row(true);
        from = at + 1;
      }
    }
    this.#keep(text.slice(from));
  }

  end(): void {
    if (this.#length > 0) this.#row(false);
    if (this.#names === undefined) throw new Unreadable('the table has no header line');
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length <= this.#options.most) this.#rest += part;
    else this.#rest = `${this.#rest.slice(0, HEAD)}${part.slice(0, HEAD)}`.slice(0, HEAD);
  }

  #row(isWhole: boolean): void {
    const { most } = this.#options;
    const [text, line, isLong, isOpen] = [
      this.#rest.replace(/\r$/, ''),
      this.#line,
      this.#length > most,
      this.#inQuotes,
    ];
    this.#rest = '';
    this.#length = 0;
    this.#inQuotes = false;
    this.#line += this.#feeds;
    this.#feeds = 0;
    if (this.#names === undefined) {
      if (isLong) throw new Unreadable('the header line is too long');
      this.#header(cellsOf(text, this.#delimiter));
    } else if (isLong) this.#sink.refuse(tooLong(most), text, line);
    else if (text === '') return;
    else if (isOpen) this.#sink.refuse('a quote is not closed', text, line);
    else this.#document(text, cellsOf(text, this.#delimiter), line, isWhole);
  }

  #header(cells: readonly Cell[]): void {
    const names = cells.map(({ text }) => text.trim());
    const empty = names.indexOf('');
    if (empty >= 0) throw new Unreadable(`column ${empty + 1} of the header has no name`);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined) throw new Unreadable(`the header has ${twice} twice`);
    const { id } = this.#options;
    if (id !== undefined && !names.includes(id)) throw new Unreadable(`the header has no ${id}`);
    this.#names = names;
    this.#keys = names.map((name) => `${JSON.stringify(name)}:`);
  }

  #document(text: string, cells: readonly Cell[], line: number, isWhole: boolean): void {
    const names = this.#names!;
    if (cells.length !== names.length) {
      const reason = `${cells.length} cells, but the header has ${names.length}`;
      this.#sink.refuse(isWhole ? reason : `the last line has ${reason}`, text, line);
      return;
    }
    const { id, isText } = this.#options;
    let json = '';
    for (const [i, cell] of cells.entries())
      if (cell.text !== '') json += `${json === '' ? '' : ','}${this.#keys[i]}${jsonOf(cell, isText)}`;
    const source = `{${json}}`;
    if (id === undefined) {
      this.#sink.document(undefined, undefined, source, line);
      return;
    }
    const value = cells[names.indexOf(id)]!.text;
    if (value === '') this.#sink.refuse(`the cell ${id} is empty`, text, line);
    else this.#sink.document(`{"index":{"_id":${JSON.stringify(value)}}}`, value, source, line);
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
