/** The REST interface, as the console calls it. */
import { signal } from '@preact/signals';
import { isObject, type Json, type JsonObject, parseJson, writeJson } from './json';
import { type ApiRequest, type RawAnswer, type Transport, Unreachable } from './transport';

/** A request that was sent, for people to see and to repeat. */
export interface SentRequest {
  id: number;
  method: string;
  path: string;
  /** As text; bytes of files are left out. */
  body: string | undefined;
  /** Undefined while it is under way, and where nobody answered. */
  status: number | undefined;
  /** Milliseconds, until its answer was read. */
  took: number | undefined;
}

/** An answer of any kind. */
export interface Answer {
  status: number;
  contentType: string;
  text: string;
  /** Undefined where it is no JSON. */
  json: Json | undefined;
  /** Milliseconds from sending it. */
  took: number;
}

/** An answer of 400 or above. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly answer: Answer;

  constructor(answer: Answer, request: string) {
    super(reasonOf(answer) ?? `${request} was answered with ${answer.status}`);
    this.answer = answer;
  }

  get status(): number {
    return this.answer.status;
  }
}

/** How a request is sent. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** It isn't listed among those that a person has made: polling. */
  quiet?: boolean;
  /** Remembered in place of the body, which holds a secret. */
  shown?: Json | undefined;
}

/** Requests that are remembered. */
const REMEMBERED = 100;
/** Longer bodies are remembered up to here. */
const REMEMBERED_BODY = 10_000;

/** Sends requests, reads their answers, remembers them. */
export class Client {
  readonly transport: Transport;
  /** What a person's actions have sent, the newest first. */
  readonly sent = signal<readonly SentRequest[]>([]);
  /** Whether the last answer said that nobody known has asked (401). */
  readonly needsSignIn = signal(false);
  /** Why the last request had no answer; undefined where it had one. */
  readonly unreachable = signal<string | undefined>(undefined);
  /** Counts sign-ins: what was refused is asked for again. */
  readonly signedIn = signal(0);
  #next = 1;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Whatever the answer is. Throws `Unreachable` where there is none. */
  async send(
    method: string,
    path: string,
    body?: Json | Uint8Array,
    options: SendOptions = {},
  ): Promise<Answer> {
    const bytes = body instanceof Uint8Array ? body : undefined;
    const text =
      body === undefined || bytes !== undefined
        ? undefined
        : typeof body === 'string'
          ? body
          : writeJson(body);
    const began = performance.now();
    const id = this.#next++;
    if (options.quiet !== true)
      this.#remember({
        id,
        method,
        path,
        body: (options.shown === undefined ? text : writeJson(options.shown))?.slice(0, REMEMBERED_BODY),
        status: undefined,
        took: undefined,
      });
    const raw = await this.#reach({ method, path, body: bytes ?? text }, options.signal);
    const answer = read(raw, began);
    if (raw.status === 401) this.needsSignIn.value = true;
    if (options.quiet !== true) this.#answered(id, answer);
    return answer;
  }

  /** The JSON of an answer. Throws {@link RequestError} from 400 on. */
  async json<T = JsonObject>(
    method: string,
    path: string,
    body?: Json | Uint8Array,
    options: SendOptions = {},
  ): Promise<T> {
    const answer = await this.send(method, path, body, options);
    if (answer.status >= 400) throw new RequestError(answer, `${method} ${path}`);
    return (answer.json ?? {}) as T;
  }

  get<T = JsonObject>(path: string, options: SendOptions = {}): Promise<T> {
    return this.json<T>('GET', path, undefined, options);
  }

  /** A search. `index` may be several with commas; all of them when it is empty. */
  search<T = JsonObject>(index: string, body: Json, options: SendOptions = {}): Promise<T> {
    return this.json<T>('POST', `${index === '' ? '' : `/${encodeNames(index)}`}/_search`, body, options);
  }

  async #reach(request: ApiRequest, ending: AbortSignal | undefined): Promise<RawAnswer> {
    try {
      const answer = await this.transport.send(request, ending);
      this.unreachable.value = undefined;
      return answer;
    } catch (error) {
      if (error instanceof Unreachable) this.unreachable.value = error.message;
      throw error;
    }
  }

  #remember(request: SentRequest): void {
    this.sent.value = [request, ...this.sent.value.slice(0, REMEMBERED - 1)];
  }

  #answered(id: number, { status, took }: Answer): void {
    this.sent.value = this.sent.value.map((each) => (each.id === id ? { ...each, status, took } : each));
  }
}

/** Names with commas between them, as a part of a path. */
export function encodeNames(names: string): string {
  return names.split(',').map(encodeURIComponent).join(',');
}

/** A request as a command for a shell. */
export function asCurl(
  address: string,
  { method, path, body }: Pick<SentRequest, 'method' | 'path' | 'body'>,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const command = `curl -X ${method} ${quoted(`${address}${path}`)}`;
  return body === undefined || body === '' ? command : `${command} --data-binary ${quoted(body)}`;
}

function read({ status, contentType, bytes }: RawAnswer, began: number): Answer {
  const text = new TextDecoder().decode(bytes);
  let json: Json | undefined;
  if (contentType.includes('json') && text !== '') {
    try {
      json = parseJson(text);
    } catch {
      json = undefined;
    }
  }
  return { status, contentType, text, json, took: performance.now() - began };
}

/** What an answer says that went wrong. */
function reasonOf({ json, text }: Answer): string | undefined {
  if (isObject(json) && typeof json.error === 'string') return json.error;
  if (isObject(json) && json.found === false) return 'There is no such document.';
  return text === '' ? undefined : text.slice(0, 500);
}
