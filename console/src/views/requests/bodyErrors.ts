/** Where bodies are wrong: by themselves, and where an answer names the place. */
import { jsonProblem } from '../../dsl/jsonProblem';
import { isComment, jsonValues, takesLines, type WrittenRequest } from './notation';

export interface Mark {
  from: number;
  to: number;
  message: string;
}

/** What is no JSON in the bodies of requests. */
export function bodyMarks(requests: readonly WrittenRequest[]): Mark[] {
  return requests.flatMap((request) => {
    if (request.body.trim() === '' || request.body.length > 1_000_000 || !isJsonBody(request)) return [];
    const text = withoutComments(request.body);
    if (takesLines(request.path)) return linesMarks(request, text);
    const problem = jsonProblem(text);
    return problem === undefined ? [] : [markAt(request, problem.offset, problem.message)];
  });
}

/** Texts for `_analyze`, and YAML, are no JSON. */
function isJsonBody({ path, body }: WrittenRequest): boolean {
  return !/\/_analyze|\/_search\/scroll/.test(path) && /^\s*[[{#/]/.test(body);
}

/** The first value that is none; values may stand in several lines. */
function linesMarks(request: WrittenRequest, text: string): Mark[] {
  let at = 0;
  for (const value of jsonValues(text)) {
    const problem = jsonProblem(value);
    const start = text.indexOf(value.slice(0, 1), at);
    if (problem !== undefined) {
      const offset = offsetOfCompact(text, start, problem.offset);
      return [markAt(request, offset, problem.message)];
    }
    at = offsetOfCompact(text, start, value.length);
  }
  return [];
}

/** Where the character of a value without spaces stands in the text: those outside of strings are not counted. */
function offsetOfCompact(text: string, start: number, count: number): number {
  let at = start;
  let isInString = false;
  for (let left = count; at < text.length; at++) {
    const c = text[at]!;
    if (!isInString && /\s/.test(c)) continue;
    if (left === 0) break;
    left--;
    if (isInString && c === '\\') {
      at++;
      left--;
    } else if (c === '"') isInString = !isInString;
  }
  return at;
}

/** Comments become spaces, so that offsets stay. */
function withoutComments(body: string): string {
  return body
    .split('\n')
    .map((line) => (isComment(line) ? ' '.repeat(line.length) : line))
    .join('\n');
}

/** The place that an error of the server names in the body that it was sent. */
export function answerMark(request: WrittenRequest, sent: string, error: string): Mark | undefined {
  const place = /line: (\d+), column: (\d+)\]/.exec(error);
  if (place === null) return undefined;
  const offset = offsetOf(sent, Number(place[1]), Number(place[2]));
  // What was sent begins with the first character of the body, and has no comments: the same text is looked for.
  const around = sent.slice(Math.max(0, offset - 12), offset);
  const at = around === '' ? -1 : request.body.indexOf(around);
  const message =
    /(?:JsonParseException|ParsingException)\[(.*?)(?:\n|; )/.exec(error)?.[1] ?? error.slice(0, 300);
  return markAt(request, at === -1 ? Math.min(offset, request.body.length) : at + around.length, message);
}

/** Lines and columns count from 1. */
function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', at);
    if (next === -1) break;
    at = next + 1;
  }
  return Math.min(text.length, at + Math.max(0, column - 1));
}

function markAt({ bodyFrom, body }: WrittenRequest, offset: number, message: string): Mark {
  const at = Math.min(Math.max(0, offset), Math.max(0, body.length - 1));
  return { from: bodyFrom + at, to: bodyFrom + at + 1, message };
}
