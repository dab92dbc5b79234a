/** Requests bent out of shape: paths of the route table and bodies that work, with parts of them replaced, cut or repeated. */
import { gzipSync } from 'node:zlib';
import { BODIES, LINES, PARAMETERS, PARTS, VALUES } from '../../test/support/requestWords.js';
import { generator } from '../generator.js';

/** A request as bytes. */
export interface Mutant {
  head: string;
  body: Uint8Array;
}

/** The method and the path with its query that the head of a request names. */
export function requestLine({ head }: Mutant): { method: string; uri: string } {
  const [line = ''] = head.split('\r\n', 1);
  const first = line.indexOf(' ');
  return { method: line.slice(0, first), uri: line.slice(first + 1, line.lastIndexOf(' ')) };
}

const SCALARS: readonly string[] = [
  'null',
  'true',
  '""',
  '"x"',
  '"*"',
  '-1',
  '0',
  '1e9',
  '1e400',
  '-1e-400',
  '9007199254740993',
  '99999999999999999999999',
  '0.5',
  '[]',
  '{}',
  '[[]]',
  '"\\ud800"',
  '"_all"',
  'NaN',
  '-',
  '"2014-13-45"',
  '[1,"a",null]',
  '"\\u0000"',
  '{"__proto__":{"x":1}}',
  '2147483648',
  '-2147483649',
  '"1e5"',
  '[{}]',
  '{"x":{"y":{"z":[]}}}',
  '"now-1d/M"',
  `"${'y'.repeat(40_000)}"`,
];
const TEXTS: readonly string[] = [
  '',
  '{',
  '}',
  '"',
  '\\',
  '\n',
  'x',
  '0',
  '[',
  ']',
  ',',
  ':',
  '\u0000',
  '\ufeff',
  '/*',
  '//',
  '\xff',
  '{"a":',
];
const HEADERS: readonly string[] = [
  'content-type: application/json',
  'content-type: text/plain; charset=utf-16',
  'content-encoding: gzip',
  'content-encoding: deflate',
  'accept: application/yaml',
  'accept-encoding: gzip',
  'accept-encoding: br, *;q=0',
  'x-opaque-id: 1',
  'expect: 100-continue',
  'content-type: ;;;',
  'authorization: Basic !!!',
  'origin: null',
  'cookie: \xff',
];
const METHODS: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
];

/** Makes mutants of routes, `[method, template]`. */
export class Mutations {
  readonly #random: () => number;
  readonly #routes: readonly (readonly [string, string])[];

  constructor(seed: number, routes: readonly (readonly [string, string])[]) {
    this.#random = generator(seed);
    this.#routes = routes;
  }

  next(): Mutant {
    const [own, template] = this.#pick(this.#routes);
    const method = this.#chance(10) ? this.#pick(METHODS) : own;
    let path = template.replaceAll(/\{\w+\}/g, () => this.#pick(PARTS));
    if (this.#chance(60)) path = this.#bendText(path).replaceAll(/[\s\u0100-\uffff]/g, '%20');
    const query = Array.from(
      { length: this.#below(4) },
      () => `${this.#pick(PARAMETERS)}=${this.#pick(VALUES)}`,
    );
    // Nobody waits for a health that never comes.
    if (template.startsWith('/_cluster/health')) query.push('timeout=0');
    const uri = `/${path.replace(/^\/+/, '')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
    const headers = Array.from({ length: this.#chance(4) ? 1 + this.#below(2) : 0 }, () =>
      this.#pick(HEADERS),
    );
    const body = this.#body();
    const packed = headers.some((each) => each.endsWith('gzip')) && this.#chance(2) ? gzipSync(body) : body;
    return { head: [`${method} ${uri} HTTP/1.1`, 'host: localhost', ...headers].join('\r\n'), body: packed };
  }

  #body(): Uint8Array {
    if (this.#chance(12)) return Buffer.alloc(0);
    if (this.#chance(40)) return this.#deep();
    return this.bend(this.#chance(5) ? this.#pick(LINES) : JSON.stringify(this.#pick(BODIES)));
  }

  /** A body with up to three changes, mostly of its values. */
  bend(body: string): Uint8Array {
    let text = body;
    for (let n = this.#below(4); n > 0; n--)
      text = this.#chance(3) ? this.#bendText(text) : this.#replaceValue(text);
    const bytes = Buffer.from(text, this.#chance(20) ? 'utf16le' : this.#chance(20) ? 'latin1' : 'utf8');
    if (this.#chance(15) && bytes.length > 0) bytes[this.#below(bytes.length)] = this.#below(256);
    return bytes;
  }

  /** Nested more deeply than anybody means. */
  #deep(): Uint8Array {
    const depth = this.#pick([50, 500, 1100, 5000, 100_000]);
    const [open, middle, close] = this.#pick([
      ['{"query":{"bool":{"must":', '{"match_all":{}}', '}}}'],
      ['{"bool":{"must":', '{}', '}}'],
      ['[', '', ']'],
      ['{"a":', '1', '}'],
      ['{"aggs":{"x":{"filter":{"match_all":{}},"aggs":{"y":', '{}', '}}}}'],
      ['(', 'x', ')'],
    ] as const);
    const count = Math.min(depth, Math.floor(2_000_000 / open.length));
    return Buffer.from(open.repeat(count) + middle + (this.#chance(2) ? close.repeat(count) : ''));
  }

  /** A value, a key or a number of the text becomes another. */
  #replaceValue(text: string): string {
    const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|\{\}|\[\]/g)];
    const found = values.length === 0 ? undefined : this.#pick(values);
    if (found === undefined) return text;
    const end = found.index + found[0].length;
    return text.slice(0, found.index) + this.#pick(SCALARS) + text.slice(end);
  }

  #bendText(text: string): string {
    const at = this.#below(text.length + 1);
    switch (this.#below(4)) {
      case 0:
        return text.slice(0, at);
      case 1:
        return text.slice(0, at) + this.#pick(TEXTS) + text.slice(at);
      case 2:
        return text.slice(0, at) + text.slice(Math.min(text.length, at + 1 + this.#below(8)));
      default:
        return text.slice(0, at) + text.slice(this.#below(at + 1), at) + text.slice(at);
    }
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  /** True once in so many times. */
  #chance(n: number): boolean {
    return this.#below(n) === 0;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }
}
