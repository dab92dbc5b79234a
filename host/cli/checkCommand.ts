/** `resilin check`: reads a data folder, and says what of it is damaged. */
import { checkFolder } from '../server/folderCheck.js';

export const CHECK_HELP = `resilin check - read all that a data folder has, and say what of it is damaged

  resilin check FOLDER

The folder's server must be stopped. Read are the pages of store/data.mdb, the checksums of
all rows (documents, ids, manifests, metadata), and those of the segments that manifests name.
Nothing is changed. What is damaged is printed, a line each. A damaged segment is made
again at the next start; a damaged document can be written or deleted again; an index with
damaged metadata can be deleted.

Exit status: 0 everything is as it was written, 1 something is damaged, 2 the folder can't
be checked.
`;

/** Checks a folder; returns the exit status. */
export async function runCheck(
  folder: string,
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const { pages, rows, segments, damaged } = await checkFolder(folder);
    for (const each of damaged) print(each);
    print(`${pages} pages, ${rows} rows, ${segments} segments; damaged: ${damaged.length}`);
    return damaged.length === 0 ? 0 : 1;
  } catch (e) {
    complain(`resilin: ${e instanceof Error ? e.message : e}`);
    return 2;
  }
}
