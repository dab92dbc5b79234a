/** Scripts in Groovy as a server is told of them: which may run, and those in files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GroovySettings } from '../groovy/settings.js';
import type { ScriptOptions } from './options.js';

const ENDING = '.groovy';
/** Files of a folder that are read. */
const MOST_FILES = 1000;

/** Reads the files; undefined where no script may run. */
export async function groovySettings({
  inline = false,
  indexed = false,
  folder,
}: ScriptOptions = {}): Promise<GroovySettings | undefined> {
  if (!inline && !indexed && folder === undefined) return undefined;
  const files = new Map<string, string>();
  const names =
    folder === undefined ? [] : (await readdir(folder)).filter((name) => name.endsWith(ENDING)).sort();
  if (names.length > MOST_FILES) throw new Error(`more than ${MOST_FILES} scripts in ${folder}`);
  for (const name of names)
    files.set(name.slice(0, -ENDING.length), (await readFile(join(folder!, name), 'utf8')).trim());
  return { inline, indexed, files };
}
