/**
 * Several requests in one text: a line with a method and a path, the body below it. Lines that begin with `#` or `//` are comments.
 *
 *     GET /books/_search
 *     {"query": {"match": {"title": "time"}}}
 */

/** A request where it stands in a text. */
export interface WrittenRequest {
  method: string;
  /** With its query, and a `/` at its beginning. */
  path: string;
  /** As it was written, with comments. */
  body: string;
  /** Offsets: of the line with the method, of the body, and behind its last character. */
  from: number;
  bodyFrom: number;
  to: number;
}

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const;

const HEAD = /^\s*(GET|POST|PUT|DELETE|HEAD|OPTIONS)[ \t]+(\S+)[ \t]*$/i;
const COMMENT = /^\s*(#|\/\/)/;

/** Whether a line begins a request. */
export function isHead(line: string): boolean {
  return HEAD.test(line);
}

export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** All requests of a text. */
export function readRequests(text: string): WrittenRequest[] {
  const requests: WrittenRequest[] = [];
  let open: WrittenRequest | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    const head = HEAD.exec(line);
    if (head !== null) {
      open = {
        method: head[1]!.toUpperCase(),
        path: asPath(head[2]!),
        body: '',
        from: at,
        bodyFrom: Math.min(end + 1, text.length),
        to: end,
      };
      requests.push(open);
    } else if (open !== undefined && line.trim() !== '' && !isComment(line)) {
      open.to = end;
      open.body = text.slice(open.bodyFrom, end);
    }
    at = end + 1;
  }
  return requests;
}

/** The request that an offset belongs to: the one in whose lines it is, or the last one before it. */
export function requestAt(requests: readonly WrittenRequest[], offset: number): WrittenRequest | undefined {
  return requests.findLast(({ from }) => from <= offset) ?? requests[0];
}

/** An address of another server loses the server. */
function asPath(written: string): string {
  const path = written.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Endpoints whose bodies are values in lines. */
export function takesLines(path: string): boolean {
  return /\/_(bulk|msearch|mpercolate)(\/template)?(\?|$)/.test(path);
}

/** The body as it is sent: without comments; where it is lines, each value on one. */
export function bodyToSend({ path, body }: Pick<WrittenRequest, 'path' | 'body'>): string | undefined {
  const lines = body.split('\n').filter((line) => !isComment(line));
  const text = lines.join('\n').trim();
  if (text === '') return undefined;
  return takesLines(path) ? `${jsonValues(text).join('\n')}\n` : text;
}

/** The values of a text one after the other, each without spaces between its parts. Digits and strings stay as they are. */
export function jsonValues(text: string): string[] {
  const values: string[] = [];
  let value = '';
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]|[^\s"{}[\]]+|\n/g)) {
    if (token === '\n') {
      // A value that is no object ends with its line.
      if (depth === 0 && value !== '') value = pushTo(values, value);
      continue;
    }
    value += token;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth <= 0 && (token === '}' || token === ']')) {
      depth = 0;
      value = pushTo(values, value);
    }
  }
  if (value !== '') values.push(value);
  return values;
}

function pushTo(values: string[], value: string): string {
  values.push(value);
  return '';
}

/** A request as text. A body in one value is indented. */
export function writeRequest(method: string, path: string, body?: string): string {
  const text = body?.trim() ?? '';
  return text === '' ? `${method} ${path}\n` : `${method} ${path}\n${text}\n`;
}
