/** Settings that are no JSON: lines of YAML where there is a colon, of a properties file otherwise. */
import { putOwn } from '../../ownNames.js';

const MAX_DEPTH = 100;

/** The settings of a text, flat. Of YAML it reads what settings are written in: keys, nested by indentation, and lists of values. */
export function settingsOfText(text: string): Record<string, string> {
  return text.includes(':') ? fromYaml(text) : fromProperties(text);
}

interface Level {
  indent: number;
  /** With its dot. */
  prefix: string;
  /** Values that a list there has so far. */
  items: number;
}

function fromYaml(text: string): Record<string, string> {
  const out: Record<string, string> = {};
  const levels: Level[] = [{ indent: 0, prefix: '', items: 0 }];
  for (const line of text.split(/\r?\n/)) {
    const [, space = '', rest = ''] = /^(\s*)(.*?)\s*$/s.exec(line)!;
    if (rest === '' || rest.startsWith('#') || rest === '---') continue;
    while (levels.length > 1 && levels.at(-1)!.indent > space.length) levels.pop();
    const level = levels.at(-1)!;
    const item = /^-\s+(.+)$/.exec(rest)?.[1];
    if (item !== undefined) {
      out[`${level.prefix}${level.items++}`] = unquoted(item);
      continue;
    }
    const [, key, value = ''] = /^(.+?)\s*:(?:\s+(.*))?$/s.exec(rest) ?? [];
    if (key === undefined) continue;
    const name = `${level.prefix}${unquoted(key)}`;
    if (value !== '') putOwn(out, name, unquoted(value));
    else if (levels.length < MAX_DEPTH)
      levels.push({ indent: space.length + 1, prefix: `${name}.`, items: 0 });
  }
  return out;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function fromProperties(text: string): Record<string, string> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#!]/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, key = '', value = ''] = /^([^\s=]*)\s*=?\s*(.*)$/s.exec(line)!;
      return [key, value];
    }),
  );
}
