/** Which format a file has: by how it begins, and by its name. */
import { actionOf, BulkLines } from './bulkLines';
import { type DocumentReader, type DocumentSink, type ReaderOptions, Unreadable } from './documents';
import { HitLines, isHit } from './hits';
import { JsonLines } from './jsonLines';
import { JsonList } from './jsonList';
import { Table } from './table';

export const FORMATS = ['jsonl', 'json', 'csv', 'tsv', 'bulk', 'hits'] as const;
export type Format = (typeof FORMATS)[number];

export const FORMAT_TITLES: Readonly<Record<Format, string>> = {
  jsonl: 'JSON lines',
  json: 'JSON list',
  csv: 'Table (CSV)',
  tsv: 'Table (TSV)',
  bulk: 'Bulk',
  hits: 'Hits (exported with metadata)',
};

/** @param head how it begins */
export function formatOf(name: string, head: string): Format {
  const first = head.trimStart();
  if (first.startsWith('[')) return 'json';
  if (first.startsWith('{')) {
    const [line] = first.split('\n', 1) as [string];
    if (actionOf(line) !== undefined) return 'bulk';
    if (isHit(line)) return 'hits';
    if (!line.includes('}') && line.length < first.length)
      throw new Unreadable(
        `${name} has objects of several lines: put them into a list, with [ before, ] behind and commas between, or each into one line`,
      );
    return 'jsonl';
  }
  const suffix = /\.(\w+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1];
  if (suffix === 'csv' || suffix === 'tsv' || suffix === 'bulk') return suffix;
  if (suffix === 'jsonl' || suffix === 'ndjson' || suffix === 'json' || first === '') return 'jsonl';
  throw new Unreadable(`${name}: its format can't be told; choose it`);
}

export function readerOf(format: Format, sink: DocumentSink, options: ReaderOptions): DocumentReader {
  switch (format) {
    case 'jsonl':
      return new JsonLines(sink, options);
    case 'bulk':
      return new BulkLines(sink, options);
    case 'hits':
      return new HitLines(sink, options);
    case 'json':
      return new JsonList(sink, options);
    case 'csv':
      return new Table(sink, options, ',');
    case 'tsv':
      return new Table(sink, options, '\t');
  }
}
