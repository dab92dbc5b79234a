/** Which format a file has: by what is said, by how it begins, and by its name. */
import { UsageError } from '../flags.js';
import { memberOf, NoJson } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { actionOf, BulkLines } from './bulkLines.js';
import type { DocumentReader, DocumentSink, ReaderOptions } from './documents.js';
import { HitLines } from './hitLines.js';
import { JsonLines } from './jsonLines.js';
import { JsonList } from './jsonList.js';
import { Table } from './table.js';

export const FORMATS = ['jsonl', 'json', 'csv', 'tsv', 'bulk', 'hits'] as const;
export type Format = (typeof FORMATS)[number];

/** Bytes that are looked at, at most. */
export const LOOKED_AT = 1024 * 1024;

/** Formats whose documents are whole lines, so that reading can begin at any of them. */
export const HAS_LINES: ReadonlySet<Format> = new Set(['jsonl', 'bulk', 'hits']);

/** The format of a file by its name, without the suffix of a compression, and its first bytes, without a byte order mark. */
export function formatOf(name: string, head: Buffer): Format {
  const text = head.toString('utf8');
  const first = text.trimStart();
  if (first.startsWith('[')) return 'json';
  if (first.startsWith('{')) {
    const [line] = first.split('\n', 1) as [string];
    if (actionOf(line) !== undefined) return 'bulk';
    if (isHit(Buffer.from(line))) return 'hits';
    if (!line.includes('}') && line.length < first.length)
      throw new UsageError(
        `${name} has objects of several lines: put them into a list, with [ before, ] behind and commas between, or each into one line`,
      );
    return 'jsonl';
  }
  const suffix = /\.(\w+)$/.exec(name.toLowerCase().replace(/\.(gz|zst)$/, ''))?.[1];
  if (suffix === 'csv' || suffix === 'tsv' || suffix === 'bulk') return suffix;
  if (suffix === 'jsonl' || suffix === 'ndjson' || suffix === 'json' || first === '') return 'jsonl';
  throw new UsageError(`${name}: its format can't be told; say it with --format ${FORMATS.join('|')}`);
}

/** A reader of a format; `offset` is that of the first byte it is given. */
export function readerOf(
  format: Format,
  sink: DocumentSink,
  options: ReaderOptions,
  from: Place,
  offset: number,
): DocumentReader {
  switch (format) {
    case 'jsonl':
      return new JsonLines(sink, options, from);
    case 'bulk':
      return new BulkLines(sink, options, from);
    case 'hits':
      return new HitLines(sink, options, from);
    case 'json':
      return new JsonList(sink, options, from, offset);
    case 'csv':
      return new Table(sink, options, from, offset, ',');
    case 'tsv':
      return new Table(sink, options, from, offset, '\t');
  }
}

/** Whether the line of a hit: it has both an id and a source, which documents can't have under these names. */
function isHit(line: Buffer): boolean {
  try {
    return memberOf(line, 0, '_id') !== undefined && memberOf(line, 0, '_source') !== undefined;
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
    return false;
  }
}
