/** How deep JSON may be nested: what is deeper is refused before anything recurses into it. */
import { ElasticsearchError } from '../errors.js';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from './jsonSyntax.js';

/** Objects and lists within one another, the outermost included. */
export const MAX_JSON_DEPTH = 1000;

/** 400, wherever a body is read: a text that may be JSON, but is nested too deeply. */
export class TooDeep extends ElasticsearchError {
  constructor() {
    const detail = `objects and lists may be nested ${MAX_JSON_DEPTH} levels deep, not deeper`;
    super('ElasticsearchParseException', detail, { isLimit: true });
  }
}

/** Whether a text has more of them within one another; of a text that is no JSON the answer says nothing. */
export function isTooDeep(text: string): boolean {
  const { length } = text;
  // Each level has two brackets.
  if (length <= 2 * MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** The quote that closes a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes stand for themselves.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
