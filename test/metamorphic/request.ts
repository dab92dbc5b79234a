import { type Json, toJson } from './json.js';

/** A request whose answer is compared. */
export interface Request {
  method: string;
  uri: string;
  body?: Json;
  /** A body of several lines, of which each is JSON. */
  lines?: Json[];
  /** Asked again: what a search leaves behind, cached filters say, doesn't change the answer. */
  twice?: boolean;
}

export function bodyOf({ body, lines }: Request): string | undefined {
  if (lines !== undefined) return lines.map((line) => `${toJson(line)}\n`).join('');
  return body === undefined ? undefined : toJson(body);
}
