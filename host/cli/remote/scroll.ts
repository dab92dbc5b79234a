/** All documents of an index as they were at one time, page by page: a scan with a scroll. */
import { elements, memberOf, valueAt } from '../jsonSlices.js';
import { type BareHit, type Hit, readBareHit } from './hits.js';
import { pause, TRIES } from './pauses.js';
import { type Answer, askJson, encoded, errorOf, NoAnswer, Refused, type Requests } from './requests.js';

/** How long the server keeps the scroll for the next page. */
const KEPT = '10m';
const TOO_MANY = 429;
/** Stored fields that a hit has besides its source. */
const FIELDS = ['_routing', '_parent', '_ttl'];

/** The type of percolator queries, which no search finds that doesn't name it. */
export const PERCOLATOR = '.percolator';

/** Not all documents came. */
export class ScrollError extends Error {
  override readonly name = 'ScrollError';
}

export interface ScrollOptions {
  index: string;
  /** The body's `query`; undefined for all documents. */
  query?: unknown;
  /** Documents of a page, of each shard. */
  size: number;
  /** The documents of one type; undefined for those of all but {@link PERCOLATOR}. */
  type?: string | undefined;
  /** Whether sources are wanted (true); without them a hit's is empty. */
  hasSources?: boolean;
  /** Timestamps are read as stored fields: versions before 1.0 know no other way. */
  hasStoredFieldsOnly?: boolean;
  /** Takes a document without a stored source, which otherwise is an error. */
  withoutSource?(hit: BareHit): void;
}

type Reading = Pick<ScrollOptions, 'hasSources' | 'withoutSource'>;
const NO_SOURCE = Buffer.alloc(0);

export class Scroll {
  readonly #requests: Requests;
  readonly #name: string;
  readonly #reading: Reading;
  #id: string;
  /** Documents that will come. */
  readonly total: number;

  private constructor(requests: Requests, name: string, reading: Reading, id: string, total: number) {
    this.#requests = requests;
    this.#name = name;
    this.#reading = reading;
    this.#id = id;
    this.total = total;
  }

  /** Begins one. Throws {@link Refused}, and `NoAnswer`. */
  static async open(requests: Requests, options: ScrollOptions): Promise<Scroll> {
    const { index, type, query, size, hasSources = true, hasStoredFieldsOnly = false } = options;
    const at = `/${encoded(index)}${type === undefined ? '' : `/${encoded(type)}`}`;
    const path = `${at}/_search?search_type=scan&scroll=${KEPT}&size=${size}`;
    const fields = hasSources ? ['_source', ...FIELDS] : FIELDS;
    const search = { query: query ?? { match_all: {} }, version: true, fields };
    const answer = await requests.send('POST', path, JSON.stringify(await withTimestamps()));
    const name = requests.name + at;
    const { total } = read(answer, name, options);
    return new Scroll(requests, name, options, scrollIdOf(answer, name), total);

    async function withTimestamps() {
      if (hasStoredFieldsOnly) return { ...search, fields: [...fields, '_timestamp'] };
      // It need not be stored, but it is indexed.
      return (await hasTimestamps(requests, index))
        ? { ...search, fielddata_fields: ['_timestamp'] }
        : search;
    }
  }

  /**
   * The pages; throws {@link ScrollError} unless all documents came. A page that was asked for is never asked for again where no answer came:
   * the server may be behind it already.
   */
  async *pages(stop: AbortSignal): AsyncGenerator<readonly Hit[]> {
    let came = 0;
    let coming = this.#next(stop);
    for (;;) {
      const answer = await coming;
      if (answer === undefined || stop.aborted) return;
      this.#id = scrollIdOf(answer, this.#name);
      if (came < this.total) {
        // The server works while this page is read. What goes wrong is told when its turn comes.
        coming = this.#next(stop);
        coming.catch(() => {});
      }
      const { hits, count } = read(answer, this.#name, this.#reading);
      if (count === 0) break;
      came += count;
      yield hits;
      if (came >= this.total) break;
    }
    if (came !== this.total)
      throw new ScrollError(`${this.#name} has ${this.total} documents, but ${came} came`);
  }

  /** Lets the server forget it. */
  async close(): Promise<void> {
    await this.#requests.send('DELETE', '/_search/scroll', this.#id).catch(() => {});
  }

  async #next(stop: AbortSignal): Promise<Answer | undefined> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#requests
        .send('POST', `/_search/scroll?scroll=${KEPT}`, this.#id)
        .catch((cause: unknown) => {
          if (!(cause instanceof NoAnswer)) throw cause;
          throw new ScrollError(`${cause.message}; a scroll can't go on after that`, { cause });
        });
      if (answer.status !== TOO_MANY || tries > TRIES) return answer;
      await pause(tries, stop);
      if (stop.aborted) return undefined;
    }
  }
}

/** Whether documents of an index may have a timestamp. */
async function hasTimestamps(requests: Requests, index: string): Promise<boolean> {
  const answer = (await askJson(requests, 'GET', `/${encoded(index)}/_mapping`)) as Mappings;
  return Object.values(answer).some(({ mappings = {} }) =>
    // 1.7 shows booleans as texts where they were sent so.
    Object.values(mappings).some(({ _timestamp }) => String(_timestamp?.enabled) === 'true'),
  );
}

type Mappings = Record<string, { mappings?: Record<string, { _timestamp?: { enabled?: unknown } }> }>;

/** By what the next page is asked for. */
function scrollIdOf(answer: Answer, name: string): string {
  const { status, body } = answer;
  if (status >= 300) throw new Refused(`${name} answers with ${status}: ${errorOf(answer)}`, status);
  const id = memberOf(body, 0, '_scroll_id');
  if (id === undefined) throw new Refused(`${name} answers with something else: ${errorOf(answer)}`, status);
  return String(valueAt(body, id));
}

interface ShardCounts {
  total: number;
  successful: number;
  failed: number;
  failures?: unknown;
}

/** What a page says. */
function read(
  answer: Answer,
  name: string,
  { hasSources = true, withoutSource }: Reading,
): { total: number; hits: Hit[]; count: number } {
  const { status, body } = answer;
  const all = status < 300 ? memberOf(body, 0, 'hits') : undefined;
  const shards = all && memberOf(body, 0, '_shards');
  if (all === undefined || shards === undefined)
    throw new Refused(`${name} answers with ${status}: ${errorOf(answer)}`, status);
  const { failed, failures, total: asked, successful } = valueAt(body, shards) as ShardCounts;
  if (failed > 0) throw new ScrollError(`${failed} shards of ${name} failed: ${JSON.stringify(failures)}`);
  // A shard that no node has is neither.
  if (successful < asked)
    throw new ScrollError(
      `${asked - successful} of ${asked} shards of ${name} aren't there, so not all documents can be read`,
    );
  const list = memberOf(body, all.from, 'hits');
  const total = memberOf(body, all.from, 'total');
  const now = Date.now();
  const hits: Hit[] = [];
  let count = 0;
  if (list !== undefined)
    for (const { from, to } of elements(body, list.from)) {
      const hit = readBareHit(body.subarray(from, to));
      if (hit === undefined) throw new ScrollError(`${name} answers with a hit that is none`);
      count++;
      withExpiry(hit.metadata, now);
      const source = hasSources ? hit.source : NO_SOURCE;
      if (source !== undefined) hits.push({ ...hit, source });
      else if (withoutSource === undefined) throw new ScrollError(`a document of ${name} has no _source`);
      else withoutSource(hit);
    }
  return { total: total === undefined ? 0 : Number(valueAt(body, total)), hits, count };
}

/** A hit's time to live is what is left of it; that of a request counts from its timestamp. */
function withExpiry(metadata: Map<string, string>, now: number): void {
  const left = metadata.get('_ttl');
  if (left === undefined) return;
  const timestamp = metadata.get('_timestamp') ?? String(now);
  metadata.set('_timestamp', timestamp);
  metadata.set('_ttl', String(now + Number(left) - Number(timestamp)));
}
