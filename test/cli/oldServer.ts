/** A server that answers as an Elasticsearch 1.x does, from a table of paths and a list of hits; a test decides what becomes of requests. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A hit as it stands in an answer, and where it is. */
interface StoredHit {
  json: string;
  index: string;
  type: string;
  id: string;
}

interface OpenScroll {
  hits: StoredHit[];
  at: number;
  size: number;
}

const PERCOLATOR = '.percolator';

export class OldServer {
  readonly requests: { method: string; path: string; authorization: string | undefined }[] = [];
  /** Answers to GET by path. */
  readonly answers: Record<string, unknown>;
  hits: StoredHit[];
  /** Answers it in another way; returns whether it did. */
  meddle: (path: string, response: ServerResponse) => boolean = () => false;
  /** Answers page number n, from 1, of all scrolls in another way; returns whether it did. */
  meddlePage: (n: number, response: ServerResponse) => boolean = () => false;
  #pages = 0;
  readonly #scrolls = new Map<string, OpenScroll>();
  readonly #server: ReturnType<typeof createServer>;
  readonly #scheme: string;

  /** @param hits their JSON; @param tls speaks https with it */
  constructor(
    answers: Record<string, unknown>,
    hits: readonly string[],
    tls?: Readonly<{ key: Buffer; cert: Buffer }>,
  ) {
    const answer: RequestListener = (request, response) => void this.#answer(request, response);
    this.#server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.answers = answers;
    this.hits = hits.map((json) => {
      const { _index, _type, _id } = JSON.parse(json) as Record<string, string>;
      return { json, index: _index!, type: _type!, id: _id! };
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    const method = request.method!;
    const body = await text(request);
    this.requests.push({ method, path, authorization: request.headers.authorization });
    if (this.meddle(path, response)) return;
    const isPage = method === 'POST' && path.startsWith('/_search/scroll');
    if (isPage && this.meddlePage(++this.#pages, response)) return;
    const [status, answer] = this.#answerTo(method, path, body);
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(answer);
  }

  #answerTo(method: string, path: string, body: string): [number, string] {
    const known = method === 'GET' ? this.answers[path] : undefined;
    if (known !== undefined) return [200, JSON.stringify(known)];
    const url = new URL(path, 'http://old');
    const names = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (url.pathname === '/_search/scroll') return method === 'DELETE' ? [200, '{}'] : this.#page(body);
    const [index = '', second, third] = names;
    if (method === 'GET' && names.length === 2 && second === '_settings') return this.#settings(index);
    if (method === 'GET' && second === '_count') return this.#count(index);
    if (method === 'POST' && second === '_mget') return this.#get(index, body);
    if (method === 'POST' && (second === '_search' || third === '_search'))
      return this.#scan(
        index,
        third === undefined ? undefined : second,
        Number(url.searchParams.get('size')),
      );
    if (method === 'GET' && second === '_warmer')
      return [404, `{"error":"IndexWarmerMissingException[index_warmer [] missing]","status":404}`];
    return [400, `No handler found for uri [${path}] and method [${method}]`];
  }

  /** Names and `*`, with commas between. */
  #settings(pattern: string): [number, string] {
    const all = Object.entries(this.answers['/_settings'] as object);
    const wanted = pattern.split(',');
    const fits = (name: string) =>
      wanted.some(
        (one) => one === '_all' || one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))),
      );
    return [200, JSON.stringify(Object.fromEntries(all.filter(([name]) => fits(name))))];
  }

  #count(index: string): [number, string] {
    if (this.answers[`/${index}/_mapping`] === undefined)
      return [403, `{"error":"IndexClosedException[[${index}] closed]","status":403}`];
    return [
      200,
      `{"count":${this.#of(index, undefined).length},"_shards":{"total":1,"successful":1,"failed":0}}`,
    ];
  }

  #scan(index: string, type: string | undefined, size: number): [number, string] {
    const id = Buffer.from(`scan;1;${this.#scrolls.size}`).toString('base64');
    const hits = this.#of(index, type);
    this.#scrolls.set(id, { hits, at: 0, size });
    return [200, pageOf(id, hits.length, [])];
  }

  #page(id: string): [number, string] {
    const scroll = this.#scrolls.get(id);
    if (scroll === undefined)
      return [
        404,
        '{"error":"SearchPhaseExecutionException[Failed to execute phase [query_fetch], all shards failed]","status":404}',
      ];
    const page = scroll.hits.slice(scroll.at, scroll.at + scroll.size);
    scroll.at += scroll.size;
    return [200, pageOf(id, scroll.hits.length, page)];
  }

  #get(index: string, body: string): [number, string] {
    const { docs } = JSON.parse(body) as { docs: { _type: string; _id: string }[] };
    // 0.90 has another word.
    const word = /"number":"0/.test(JSON.stringify(this.answers['/'])) ? 'exists' : 'found';
    const answers = docs.map(({ _type, _id }) => {
      const hit = this.hits.find((one) => one.index === index && one.type === _type && one.id === _id);
      const head = `{"_index":"${index}","_type":"${_type}","_id":${JSON.stringify(_id)}`;
      if (hit === undefined) return `${head},"${word}":false}`;
      return `${head},"_version":${/"_version":(\d+)/.exec(hit.json)![1]},"${word}":true}`;
    });
    return [200, `{"docs":[${answers.join(',')}]}`];
  }

  /** Searches without types find no percolator queries. */
  #of(index: string, type: string | undefined): StoredHit[] {
    return this.hits.filter(
      (hit) => hit.index === index && (type === undefined ? hit.type !== PERCOLATOR : hit.type === type),
    );
  }
}

function pageOf(id: string, total: number, hits: readonly StoredHit[]): string {
  const list = hits.map(({ json }) => json).join(',');
  return `{"_scroll_id":"${id}","took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{"total":${total},"max_score":0.0,"hits":[${list}]}}`;
}
