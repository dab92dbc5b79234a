/** `resilin export`: writes one index of a data folder to a file that engines elsewhere open. */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openEngine } from '../library/engine.js';
import { openData } from '../server/dataFolder.js';
import { compileCore } from '../server/wasm.js';

export const EXPORT_HELP = `resilin export - write an index of a data folder to one file

  resilin export INDEX FILE [--data FOLDER]

The folder's server must be stopped. The file has the index's segments, documents, mapping,
settings, analyzers and aliases. importIndex of the package resilin opens it in a browser, in
Deno or in Node without indexing anything again. An index that was merged before
(POST /INDEX/_optimize?max_num_segments=1) has a smaller file.

  --data FOLDER  where the index is kept             (RESILIN_DATA, default ./data)
`;

/** What is to be written, and where. */
export interface ExportOptions {
  index: string;
  file: string;
  data: string;
}

/** Writes the file; returns the exit status. */
export async function runExport(
  { index, file, data }: ExportOptions,
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  const aside = `${file}.part`;
  try {
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
    await writeFile(aside, bytes);
    await rename(aside, file);
    print(`${index}: ${bytes.length} bytes in ${file}`);
    return 0;
  } catch (e) {
    await rm(aside, { force: true });
    complain(`resilin: ${e instanceof Error ? e.message : e}`);
    return 1;
  }
}
