/** A file of settings in YAML: names, nested or with dots, and where each of them stands. */
import { existsSync, readFileSync, statSync } from 'node:fs';

/** The file that is read where none is named, in the working folder. */
export const DEFAULT_FILE = 'resilin.yml';
/** Longer ones aren't read. */
const MAX_BYTES = 1024 * 1024;
/** Levels of names in names. */
const MAX_DEPTH = 20;

/** A line of the file. */
export interface FileSetting {
  /** With dots between its parts. */
  name: string;
  /** Lists with commas between. */
  value: string;
  /** From 1. */
  line: number;
}

/** What a file says, and what can't be understood of it. */
export interface SettingsFile {
  path: string;
  settings: FileSetting[];
  problems: string[];
}

/**
 * Reads the file of that name, or the one of the working folder; undefined where none is named and there is none.
 * @param env variables that `${NAME}` stands for in values
 */
export async function readSettingsFile(
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SettingsFile | undefined> {
  const path = named ?? DEFAULT_FILE;
  if (named === undefined && !existsSync(path)) return undefined;
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is longer than 1 MB');
    text = readFileSync(path, 'utf8');
  } catch (e) {
    return { path, settings: [], problems: [`${path} can't be read: ${(e as Error).message}`] };
  }
  return parseSettings(path, text, env);
}

async function parseSettings(
  path: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SettingsFile> {
  // Most servers are started without a file.
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const settings: FileSetting[] = [];
  const lineAt = (offset: number | undefined) => Math.max(1, lines.linePos(offset ?? 0).line);
  const problems = document.errors.map(({ pos, message }) => `${path}:${lineAt(pos[0])}: ${message}`);
  if (problems.length > 0 || document.contents === null) return { path, settings, problems };

  const placed = (line: number, message: string) => void problems.push(`${path}:${line}: ${message}`);
  /** A value as it is written: `09200` has a zero in front. */
  const textOf = (node: unknown, name: string, line: number): string | undefined => {
    if (!isScalar(node)) {
      placed(line, `${name} must be a text, a number, true or false, or a list of these`);
      return undefined;
    }
    if (node.value === null) {
      placed(line, `${name} needs a value`);
      return undefined;
    }
    const written = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    return written.replace(/\$\{([^${}]{1,200})\}/g, (whole, variable: string) => {
      const value = env[variable];
      if (value === undefined) placed(line, `there is no variable ${variable} for ${name}`);
      return value ?? whole;
    });
  };
  const walk = (node: unknown, prefix: string, depth: number): void => {
    if (!isMap(node)) {
      placed(
        lineAt((node as { range?: number[] }).range?.[0]),
        'names with values are wanted, as in port: 9200',
      );
      return;
    }
    for (const { key, value } of node.items) {
      const line = lineAt((key as { range?: number[] }).range?.[0]);
      const name = `${prefix}${isScalar(key) ? String(key.source ?? key.value) : '?'}`;
      if (depth > MAX_DEPTH) placed(line, `${name} is nested too deep`);
      else if (isMap(value)) walk(value, `${name}.`, depth + 1);
      else if (isSeq(value)) {
        const parts = value.items.map((item) => textOf(item, name, line));
        if (parts.every((part) => part !== undefined)) settings.push({ name, value: parts.join(','), line });
      } else {
        const written = textOf(value, name, line);
        if (written !== undefined) settings.push({ name, value: written, line });
      }
    }
  };
  walk(document.contents, '', 1);
  return { path, settings, problems };
}
