/** `resilin package`: writes one index of a server or of a data folder to a file that engines elsewhere open. */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openEngine } from '../library/engine.js';
import { openData } from '../server/dataFolder.js';
import { compileCore } from '../server/wasm.js';
import { downloadExport, isServerUrl } from './serverExport.js';

export const PACKAGE_HELP = `resilin package - write an index to one file, which browsers open

  resilin package http://localhost:9200/INDEX FILE   of a running server
  resilin package INDEX FILE [--data FOLDER]         of the folder of a stopped one

A server may go on writing: the file has what was there when it was asked. It wants the
privilege manage of the index. The name and password of a user stand before the host
(https://ann:secret@search.example.org/books), or what the header Authorization has to
say in RESILIN_AUTHORIZATION. The file has the index's segments, documents, mapping,
settings, analyzers and aliases. importIndex of the package resilin opens it in a browser, in
Deno or in Node without indexing anything again. An index that was merged before
(POST /INDEX/_optimize?max_num_segments=1) has a smaller file.

  --data FOLDER  where the index is kept             (RESILIN_DATA, default ./data)

resilin export INDEX FILE means the same; resilin export INDEX -o FILE writes documents as JSON lines.
`;

/** What is to be written, and where. */
export interface PackageOptions {
  /** Its name in the folder, or its URL. */
  index: string;
  file: string;
  data: string;
  /** The header of that name, for a server. */
  authorization?: string;
}

/** Writes the file; returns the exit status. */
export async function runPackage(
  { index, file, data, authorization }: PackageOptions,
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  const aside = `${file}.part`;
  try {
    const bytes = isServerUrl(index)
      ? await downloadExport(index, aside, authorization)
      : await exportFromFolder(index, aside, data, complain);
    await rename(aside, file);
    // A URL may have a password in it.
    const name = isServerUrl(index) ? new URL(index).pathname.slice(1) : index;
    print(`${name}: ${bytes} bytes in ${file}`);
    return 0;
  } catch (e) {
    await rm(aside, { force: true });
    complain(`resilin: ${e instanceof Error ? e.message : e}`);
    return 1;
  }
}

async function exportFromFolder(
  index: string,
  file: string,
  data: string,
  complain: (line: string) => void,
): Promise<number> {
  if (!existsSync(join(data, 'store/data.mdb')))
    throw new Error(`${resolve(data)} is no data folder: it has no store/data.mdb`);
  const warn = (warning: string) => complain(`resilin: ${warning}`);
  const engine = await openEngine({ data, warn }, { compileCore, openData });
  let bytes: Uint8Array;
  try {
    bytes = await engine.exportIndex(index);
  } finally {
    await engine.close();
  }
  await writeFile(file, bytes);
  return bytes.length;
}
