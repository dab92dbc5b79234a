import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** A document's source, parsed, and the size of its JSON. */
export interface Row {
  readonly source: Record<string, unknown>;
  readonly bytes: number;
}

export interface NamedQuery {
  readonly name: string;
  readonly category: string;
  readonly query: Record<string, unknown>;
  /** Matching documents in the whole corpus, where the file says so. */
  readonly hits: number | undefined;
}

/** The body of a create-index request with one type; `id` names the field that holds a document's id. */
export interface Spec {
  readonly id?: string;
  readonly settings?: Record<string, unknown>;
  readonly mappings?: Record<string, Record<string, unknown>>;
}

/** The non-blank lines of JSON-lines files, gzipped or not, one file after the other. */
export async function* corpusLines(files: readonly string[], limit: number): AsyncGenerator<string> {
  let count = 0;
  for (const file of files) {
    const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
    const input = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 18 })) : bytes;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      if (count++ >= limit) {
        bytes.destroy();
        return;
      }
      yield line;
    }
  }
}

/** The documents in chunks of bounded size, so that a corpus need not fit in the heap. */
export async function* corpusChunks(
  files: readonly string[],
  limit: number,
  docsPerChunk: number,
): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  for await (const line of corpusLines(files, limit)) {
    chunk.push({ source: JSON.parse(line), bytes: Buffer.byteLength(line) + 1 });
    if (chunk.length === docsPerChunk) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

export function readJsonLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

export function readQueries(file: string): NamedQuery[] {
  type Line = { name?: string; category?: string; query: Record<string, unknown>; hits?: number };
  return readJsonLines<Line>(file).map((line, i) => ({
    name: line.name ?? `query-${i + 1}`,
    category: line.category ?? 'all',
    query: line.query,
    hits: line.hits,
  }));
}

export function readSpec(file: string | undefined): Spec {
  return file === undefined ? { mappings: { doc: {} } } : (JSON.parse(readFileSync(file, 'utf8')) as Spec);
}
