/** An export: all documents of an index, or those of a query, page by page, as JSON lines or as a table. */
import { type Client, encodeNames, RequestError } from '../../api/client';
import { isObject, type Json, LosslessNumber, parseJson, writeJson } from '../../api/json';
import { csvLine } from '../../components/csv';
import { pause, TRIES } from './pauses';
import { metadataText, readHit } from './reading/hits';
import { elements, memberOf, valueAt } from './reading/jsonSlices';

export type ExportFormat = 'jsonl' | 'hits' | 'csv';

export interface ExportOptions {
  index: string;
  query: Json | undefined;
  format: ExportFormat;
  /** Columns of a table: paths with dots. */
  columns: readonly string[];
  signal: AbortSignal;
  /** Told how many will come. */
  onTotal: (total: number) => void;
}

/** How long the server keeps the scroll for the next page. */
const KEPT = '5m';
/** Documents of a page, of each shard. */
const SIZE = 200;
const FIELDS = ['_source', '_routing', '_parent', '_ttl'];

/** A page as text, and how many documents are in it. */
export interface ExportedPage {
  text: string;
  documents: number;
}

/** The pages. Throws where not all documents came. */
export async function* exportPages(client: Client, options: ExportOptions): AsyncGenerator<ExportedPage> {
  const { index, query, format, columns, signal, onTotal } = options;
  const path = `/${encodeNames(index)}/_search?search_type=scan&scroll=${KEPT}&size=${SIZE}`;
  const body = {
    query: query ?? { match_all: {} },
    version: true,
    fields: FIELDS,
    ...((await hasTimestamps(client, index, signal)) ? { fielddata_fields: ['_timestamp'] } : {}),
  };
  const first = await client.send('POST', path, body, { signal });
  if (first.status >= 300) throw new RequestError(first, `POST ${path}`);
  let id = scrollIdOf(first.text);
  const total = totalOf(first.text);
  onTotal(total);
  let came = 0;
  try {
    if (format === 'csv') yield { text: csvLine(['_id', ...columns]), documents: 0 };
    while (came < total) {
      const text = await nextPage(client, id, signal);
      id = scrollIdOf(text);
      failOnShards(text);
      const hits = hitsOf(text);
      if (hits.length === 0) break;
      came += hits.length;
      yield { text: hits.map((hit) => lineOf(hit, format, columns)).join(''), documents: hits.length };
    }
  } finally {
    client.send('DELETE', '/_search/scroll', id, { quiet: true }).catch(() => {});
  }
  if (came !== total && !signal.aborted)
    throw new Error(
      `There are ${total} documents, but ${came} came: the index may have been changed or closed meanwhile.`,
    );
}

async function nextPage(client: Client, id: string, signal: AbortSignal): Promise<string> {
  for (let tries = 1; ; tries++) {
    const answer = await client.send('POST', `/_search/scroll?scroll=${KEPT}`, id, { quiet: true, signal });
    if (answer.status < 300) return answer.text;
    if (answer.status !== 429 || tries > TRIES) throw new RequestError(answer, 'POST /_search/scroll');
    await pause(tries, signal);
    signal.throwIfAborted();
  }
}

function lineOf(text: string, format: ExportFormat, columns: readonly string[]): string {
  const hit = readHit(text);
  if (hit === undefined)
    throw new Error('A document has no stored source (_source is disabled): it can’t be exported.');
  if (format === 'jsonl') return `${hit.source}\n`;
  if (format === 'hits') return `{${metadataText(hit.metadata)},"_source":${hit.source}}\n`;
  const source = parseJson(hit.source);
  return csvLine([hit.id, ...columns.map((path) => cellOf(valueOfPath(source, path.split('.'))))]);
}

/** The value of a path: of a field whose name has dots, or of fields in objects. */
function valueOfPath(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (names.length === 0) return value;
  if (Array.isArray(value)) {
    const all = value.map((each) => valueOfPath(each, names)).filter((each) => each !== undefined);
    return all.length === 0 ? undefined : (all as Json[]);
  }
  if (!isObject(value)) return undefined;
  for (let length = names.length; length > 0; length--) {
    const inner = value[names.slice(0, length).join('.')];
    if (inner !== undefined) return valueOfPath(inner, names.slice(length));
  }
  return undefined;
}

/** Lists and objects are JSON. */
function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof LosslessNumber ? value.value : writeJson(value);
}

/** The hits of an answer, as they were written. */
function hitsOf(text: string): readonly string[] {
  const outer = memberOf(text, 0, 'hits');
  const inner = outer === undefined ? undefined : memberOf(text, outer.from, 'hits');
  if (inner === undefined) return [];
  return [...elements(text, inner.from)].map(({ from, to }) => text.slice(from, to));
}

function scrollIdOf(text: string): string {
  const member = memberOf(text, 0, '_scroll_id');
  if (member === undefined) throw new Error('The answer has no scroll.');
  return String(valueAt(text, member));
}

function totalOf(text: string): number {
  const hits = memberOf(text, 0, 'hits');
  const total = hits === undefined ? undefined : memberOf(text, hits.from, 'total');
  return total === undefined ? 0 : Number(text.slice(total.from, total.to));
}

/** Documents of a shard that has failed would be missing. */
function failOnShards(text: string): void {
  const shards = memberOf(text, 0, '_shards');
  const failed = shards === undefined ? undefined : memberOf(text, shards.from, 'failed');
  if (failed !== undefined && Number(text.slice(failed.from, failed.to)) > 0)
    throw new Error('A shard has failed: its documents would be missing.');
}

/** Whether documents may have a timestamp, which need not be stored. */
async function hasTimestamps(client: Client, index: string, signal: AbortSignal): Promise<boolean> {
  const answer = await client.get(`/${encodeNames(index)}/_mapping`, { quiet: true, signal });
  return Object.values(answer).some(
    (each) =>
      isObject(each) &&
      isObject(each.mappings) &&
      Object.values(each.mappings).some(
        (type) => isObject(type) && isObject(type._timestamp) && String(type._timestamp.enabled) === 'true',
      ),
  );
}
