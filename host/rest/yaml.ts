/** Writes answers as YAML, as 1.7 does: texts in double quotes, broken at blanks where a line gets too long. */
import { isRawObject, parseRaw, type Raw as RawTree } from '../json/rawJson.js';

const WIDTH = 80;
const utf8 = new TextDecoder();

/** JSON as YAML. */
export function yamlOf(json: Uint8Array): Uint8Array {
  const tree = parseRaw(utf8.decode(json));
  const body = typeof tree === 'string' ? ` ${scalar(tree, 4, 0)}\n` : `\n${block(tree, 0)}`;
  return new TextEncoder().encode(isEmpty(tree) ? `--- ${flow(tree)}\n` : `---${body}`);
}

function isEmpty(tree: RawTree): boolean {
  return typeof tree !== 'string' && (Array.isArray(tree) ? tree : tree.entries).length === 0;
}

function flow(tree: RawTree): string {
  return Array.isArray(tree) ? '[]' : '{}';
}

/** An object or a list with something in it. */
function block(tree: RawTree, indent: number): string {
  const margin = ' '.repeat(indent);
  if (Array.isArray(tree)) {
    return tree
      .map((each) => {
        if (typeof each === 'string' || isEmpty(each)) return `${margin}-${inline(each, indent + 1, indent)}`;
        // The first line of what is nested stands behind the dash.
        return `${margin}- ${block(each, indent + 2).slice(indent + 2)}`;
      })
      .join('');
  }
  if (!isRawObject(tree)) return '';
  return tree.entries
    .map(([key, each]) => {
      const name = `${margin}${keyText(key)}:`;
      if (typeof each === 'string' || isEmpty(each)) return `${name}${inline(each, name.length, indent)}`;
      return `${name}\n${block(each, Array.isArray(each) ? indent : indent + 2)}`;
    })
    .join('');
}

function inline(each: RawTree, column: number, indent: number): string {
  return ` ${typeof each === 'string' ? scalar(each, column + 1, indent) : flow(each)}\n`;
}

function keyText(key: string): string {
  return /^[\w./-][\w./ -]*$/.test(key) && !/^[\d.+-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A scalar; a text is broken before the blank that follows the end of the line. */
function scalar(json: string, column: number, indent: number): string {
  if (!json.startsWith('"')) return json;
  const text = JSON.stringify(JSON.parse(json)).slice(1, -1);
  let out = '"';
  let at = column + 1;
  let start = 0;
  for (let end = 0; end < text.length; end++) {
    if (text[end] !== ' ' || end === 0 || end >= text.length - 1 || at + (end - start) <= WIDTH) continue;
    out += `${text.slice(start, end)}\\\n${' '.repeat(indent + 2)}\\`;
    at = indent + 3;
    start = end;
  }
  return `${out}${text.slice(start)}"`;
}
