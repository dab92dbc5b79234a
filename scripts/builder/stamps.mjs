import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a file that others read meanwhile: they see the old one or the new one. */
export function replaceFile(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, content);
  renameSync(aside, file);
}

/** What a file was when it was built: whoever overwrites it makes it another. */
export function imprint(file) {
  const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return size === undefined ? undefined : `${size} ${mtimeMs}`;
}

/** A stamp: what was built from what. `undefined` where there is none. */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
