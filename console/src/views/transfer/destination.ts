/** Where an export goes: a file on the disk, written as it comes, or one that is kept by the browser until it is whole. */
import { saveFile } from '../../components/saveFile';

export interface Destination {
  write: (text: string) => Promise<void>;
  /** It is whole. */
  finish: () => Promise<void>;
  /** It won't be. */
  abandon: () => Promise<void>;
}

/** Kept by the browser, at most: characters. */
export const MOST_KEPT = 512 * 1024 * 1024;
/** Pieces that are put together, so that the browser may keep them outside of its memory. */
const PIECE = 8 * 1024 * 1024;

interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{
    createWritable: () => Promise<{
      write: (text: string) => Promise<void>;
      close: () => Promise<void>;
      abort: () => Promise<void>;
    }>;
  }>;
}

/** Whether a file can be written as it comes. */
export function canStream(): boolean {
  return (globalThis as Picker).showSaveFilePicker !== undefined;
}

/** Undefined where the person has chosen no file. */
export async function openDestination(name: string, type: string): Promise<Destination | undefined> {
  const pick = (globalThis as Picker).showSaveFilePicker;
  if (pick === undefined) return kept(name, type);
  try {
    const handle = await pick({ suggestedName: name });
    const file = await handle.createWritable();
    return { write: (text) => file.write(text), finish: () => file.close(), abandon: () => file.abort() };
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined;
    throw error;
  }
}

function kept(name: string, type: string): Destination {
  let blobs: Blob[] = [];
  let piece: string[] = [];
  let length = 0;
  let all = 0;
  return {
    write: async (text) => {
      piece.push(text);
      length += text.length;
      all += text.length;
      if (all > MOST_KEPT)
        throw new Error(
          'The export is larger than 512 MB, and this browser can’t write to a file as it comes. Narrow it by a query, or use: resilin export',
        );
      if (length < PIECE) return;
      blobs.push(new Blob(piece));
      piece = [];
      length = 0;
    },
    finish: async () => saveFile(name, type, [...blobs, ...piece]),
    abandon: async () => {
      blobs = [];
      piece = [];
    },
  };
}
