/** The first documents of a file. */
import { type Json, parseJson } from '../../api/json';
import type { DocumentSink, ReaderOptions } from './reading/documents';
import { type Encoding, fileText } from './reading/fileText';
import { type Format, formatOf, readerOf } from './reading/format';

/** Documents that are looked at, at most, and characters. */
const DOCUMENTS = 1000;
const CHARACTERS = 16 * 1024 * 1024;

/** Enough to tell a format. */
const HEAD = 64 * 1024;

export interface Sample {
  documents: readonly Json[];
  /** Reasons, with the lines. */
  refused: readonly string[];
}

export async function tellFormat(name: string, file: Blob, encoding: Encoding): Promise<Format> {
  let head = '';
  for await (const text of fileText(file, { encoding })) {
    head += text;
    if (head.length >= HEAD || head.includes('\n')) break;
  }
  return formatOf(name, head);
}

export async function sampleOf(
  file: Blob,
  { encoding, format, reader: options }: { encoding: Encoding; format: Format; reader: ReaderOptions },
): Promise<Sample> {
  const documents: Json[] = [];
  const refused: string[] = [];
  const add = (source: string | undefined, line: number) => {
    if (source === undefined || documents.length >= DOCUMENTS) return;
    try {
      documents.push(parseJson(source));
    } catch (error) {
      refused.push(`line ${line}: ${(error as Error).message}`);
    }
  };
  const sink: DocumentSink = {
    // The source of an update is no document.
    document: (head, _, source, line) => head?.startsWith('{"update"') !== true && add(source, line),
    unnamed: (_, source, line) => add(source, line),
    refuse: (reason, _, line) => {
      if (documents.length < DOCUMENTS) refused.push(`line ${line}: ${reason}`);
    },
  };
  const reader = readerOf(format, sink, options);
  let characters = 0;
  let isCut = false;
  for await (const text of fileText(file, { encoding })) {
    reader.push(text);
    characters += text.length;
    isCut = documents.length >= DOCUMENTS || characters >= CHARACTERS;
    if (isCut) break;
  }
  if (!isCut) reader.end();
  return { documents, refused };
}
