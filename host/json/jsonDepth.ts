/** How deep JSON may be nested: what is deeper is refused before anything recurses into it. */
import { ElasticsearchError } from '../errors.js';
import type { Turns, WorkLimit } from '../workLimit.js';
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
  // Each level has two brackets.
  return text.length > 2 * MAX_JSON_DEPTH && new DepthScan(text).isTooDeepUpTo(text.length);
}

/** The same in turns; `work` counts the steps. */
export function* isTooDeepInTurns(text: string, work: WorkLimit): Turns<boolean> {
  const scan = new DepthScan(text);
  for (let end = SLICE; scan.at < text.length; end += SLICE) {
    if (scan.isTooDeepUpTo(Math.min(end, text.length))) return true;
    if (work.isDue(SLICE_STEPS)) yield;
  }
  return false;
}

/** Characters that are looked at in one go, and what that costs in steps of a work limit. */
const SLICE = 64 * 1024;
const SLICE_STEPS = 4096;

class DepthScan {
  readonly #text: string;
  #depth = 0;
  /** Where it goes on. */
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether it is too deep somewhere before `end`. */
  isTooDeepUpTo(end: number): boolean {
    const text = this.#text;
    let depth = this.#depth;
    let { at } = this;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) at = endOfString(text, at);
      else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
        if (++depth > MAX_JSON_DEPTH) return true;
      } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth--;
    }
    this.at = at;
    this.#depth = depth;
    return false;
  }
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
