/**
 * Does re-indexing by scan, scroll and `_bulk` take memory that grows with the index? A copy of an index is made page by page, as
 * programs of the time do it. Measured: documents a second, and the memory that is the process's own (mapped files apart) at the
 * quarters of the filling and of the copying. Both grow by what an index takes in the core; a scroll that kept anything would show
 * as the difference of the two. Not measured: writes to the first index meanwhile.
 *
 *     npm run bench:server -- reindex [--docs 1000000] [--page 1000]
 */
import { loadavg } from 'node:os';
import { option } from './options.js';
import { megabytes, ServerProcess } from './process.js';

const SETTINGS = { number_of_shards: 2, number_of_replicas: 0 };
const FILL = 10_000;
const WORDS =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll larch mesa notch oasis prism'.split(' ');

interface Page {
  _scroll_id: string;
  hits: { total: number; hits: { _id: string; _source: unknown }[] };
}

export async function reindex(args: readonly string[]): Promise<void> {
  const docs = option(args, 'docs', 1_000_000);
  const page = option(args, 'page', 1000);
  const server = await ServerProcess.start();
  try {
    for (const index of ['first', 'second']) await server.json('PUT', `/${index}`, { settings: SETTINGS });
    const filling = new Quarters(server, docs);
    for (let at = 0; at < docs; at += FILL) {
      const rows = Array.from({ length: Math.min(FILL, docs - at) }, (_, i) => row(at + i));
      await write(server, 'first', rows);
      filling.reached(at + rows.length);
    }
    await server.json('POST', '/first/_refresh');
    console.log(filling.report('filled'));
    const copying = new Quarters(server, docs);
    console.log(copying.report('copied', await copy(server, page, copying)));
    await server.json('POST', '/second/_refresh');
    const { count } = await server.json('GET', '/second/_count');
    if (count !== docs) throw new Error(`${docs} documents became ${count}`);
    console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    await server.stop();
  }
}

/** How many pages it took. */
async function copy(server: ServerProcess, size: number, progress: Quarters): Promise<number> {
  const path = `/first/_search?search_type=scan&scroll=5m&size=${size}`;
  let { _scroll_id } = (await server.json('POST', path)) as unknown as Page;
  let done = 0;
  for (let pages = 1; ; pages++) {
    const next = (await server.json('POST', '/_search/scroll?scroll=5m', _scroll_id)) as unknown as Page;
    const { hits } = next.hits;
    if (hits.length === 0) return pages;
    _scroll_id = next._scroll_id;
    await write(
      server,
      'second',
      hits.map(({ _id, _source }) => [_id, JSON.stringify(_source)]),
    );
    done += hits.length;
    progress.reached(done);
  }
}

/** An id and a source. */
type Row = readonly [string, string];

async function write(server: ServerProcess, index: string, rows: readonly Row[]): Promise<void> {
  const body = rows.map(([id, source]) => `{"index":{"_id":"${id}"}}\n${source}\n`).join('');
  const { errors } = await server.json('POST', `/${index}/t/_bulk`, body);
  if (errors !== false) throw new Error('a document was refused');
}

function row(number: number): Row {
  let words = '';
  for (let i = 0, state = number; i < 20; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words += `${WORDS[state >>> 28]}${(state >>> 16) % 50} `;
  }
  return [String(number), JSON.stringify({ text: words, number, day: number % 365, even: number % 2 === 0 })];
}

/** How long a work takes, and the memory at its quarters. */
class Quarters {
  readonly #server: ServerProcess;
  readonly #docs: number;
  readonly #started = performance.now();
  readonly #memory: number[];
  #ended = 0;

  constructor(server: ServerProcess, docs: number) {
    this.#server = server;
    this.#docs = docs;
    this.#memory = [server.own()];
  }

  reached(docs: number): void {
    while (docs >= (this.#memory.length * this.#docs) / 4 && this.#memory.length <= 4) {
      this.#memory.push(this.#server.own());
      this.#ended = performance.now();
    }
  }

  report(did: string, pages?: number): string {
    const each = this.#docs / ((this.#ended - this.#started) / 1000);
    const memory = this.#memory.map(megabytes).join(', ');
    const inPages = pages === undefined ? '' : ` in ${pages} pages`;
    return `${this.#docs} documents ${did}${inPages}: ${each.toFixed(0)} a second; memory at the quarters ${memory} MB`;
  }
}
