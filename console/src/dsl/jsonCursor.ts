/** Where a cursor stands in JSON that is being written: what is before it counts, and need not be complete. */

export interface JsonCursor {
  /** Names and numbers of what it stands in, from the outside; without the name of the value that is written. */
  path: readonly (string | number)[];
  /** Whether a name is wanted here; otherwise a value is. */
  isName: boolean;
  /** The name whose value is written. */
  name: string | undefined;
  /** Where the text begins that is being written: a string's quote, the first letter of a word. */
  from: number;
  /** Whether a string has been begun. */
  isInString: boolean;
  /** The names that stand in the same object before it. */
  names: readonly string[];
}

interface Frame {
  isObject: boolean;
  /** The name whose value comes, or the number of the value. */
  key: string | number;
  wantsName: boolean;
  names: string[];
}

const WORD = /[\w.+-]/;

/** The cursor at an offset of a text. Comments are lines that begin with `#` or `//`. */
export function jsonCursor(text: string, offset: number): JsonCursor {
  const frames: Frame[] = [];
  let from = offset;
  let isInString = false;
  for (let at = 0; at < offset; ) {
    const top = frames.at(-1);
    const c = text[at]!;
    if (c === '"') {
      const end = endOfString(text, at);
      if (end > offset || end === -1) {
        from = at;
        isInString = true;
        break;
      }
      if (top?.isObject === true && top.wantsName) {
        top.key = unquoted(text.slice(at, end));
        top.names.push(top.key);
      }
      at = end;
      continue;
    }
    if (WORD.test(c)) {
      const start = at;
      while (at < offset && WORD.test(text[at]!)) at++;
      if (at === offset) from = start;
      continue;
    }
    if (isComment(text, at)) {
      const end = text.indexOf('\n', at);
      at = end === -1 || end > offset ? offset : end;
      continue;
    }
    if (c === '{' || c === '[')
      frames.push({ isObject: c === '{', key: c === '{' ? '' : 0, wantsName: c === '{', names: [] });
    else if (c === '}' || c === ']') frames.pop();
    else if (c === ':' && top !== undefined) top.wantsName = false;
    else if (c === ',' && top !== undefined) {
      if (top.isObject) top.wantsName = true;
      else (top.key as number)++;
    }
    at++;
  }
  const top = frames.at(-1);
  const isName = top?.isObject === true && top.wantsName;
  return {
    path: frames.slice(0, -1).map(({ key }) => key),
    isName,
    name: top === undefined || isName || !top.isObject ? undefined : String(top.key),
    from,
    isInString,
    names: top?.names ?? [],
    ...(top !== undefined && !top.isObject ? { path: frames.map(({ key }) => key) } : {}),
  };
}

/** Behind the string's last quote; -1 where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
    else if (text[at] === '\n') return -1;
  }
  return -1;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

function isComment(text: string, at: number): boolean {
  if (text[at] !== '#' && !text.startsWith('//', at)) return false;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return line.trim() === '';
}
