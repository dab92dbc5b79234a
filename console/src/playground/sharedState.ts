/**
 * A question as a link: an index with its settings, mappings and documents, and where one looks at it. All of it stands behind the `#` of the
 * address, which browsers send to no server: JSON, deflated, as Base64 of the alphabet for URLs.
 */
import type { Client } from '../api/client';
import { encodeNames } from '../api/client';
import { isObject, type JsonObject, parseJson, writeJson } from '../api/json';

/** A document of a link. */
interface SharedDocument {
  type: string;
  id: string;
  routing?: string;
  parent?: string;
  source: JsonObject;
}

/** What a link holds. */
export interface SharedState {
  index: string;
  settings: JsonObject;
  mappings: JsonObject;
  documents: SharedDocument[];
  /** The view with its parameters: `search?index=books&q=time`. */
  place: string;
}

/** The parameter that a link has. */
export const SHARED = 'shared';
/** Longer addresses are cut off by some programs that hand links on. */
export const MAX_LINK = 30_000;
const MAX_DOCUMENTS = 1000;
/** What a link may become: a small one must not fill the memory. */
const MAX_STATE_BYTES = 8 * 1024 * 1024;
const FORMAT = 1;

/** A link that holds more than it can. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Reads an index for a link. Throws {@link TooLong} where it has too many documents. */
export async function captureIndex(client: Client, index: string, place: string): Promise<SharedState> {
  const path = `/${encodeNames(index)}`;
  const described = await client.get<Record<string, { settings: JsonObject; mappings: JsonObject }>>(path);
  const [found] = Object.entries(described);
  if (found === undefined || Object.keys(described).length > 1) throw new Error('A link holds one index.');
  const [name, { settings, mappings }] = found;
  const { hits } = await client.json<{
    hits: { total: number; hits: FoundDocument[] };
  }>('POST', `/${encodeNames(name)}/_search`, {
    size: MAX_DOCUMENTS,
    sort: ['_doc'],
    fields: ['_source', '_routing', '_parent'],
    query: { match_all: {} },
  });
  if (hits.total > MAX_DOCUMENTS)
    throw new TooLong(`A link holds ${MAX_DOCUMENTS} documents at most; ${name} has ${hits.total}.`);
  return {
    index: name,
    settings: givenSettings(settings),
    mappings,
    documents: hits.hits.map(sharedDocument),
    place,
  };
}

/** A hit. */
interface FoundDocument {
  _type: string;
  _id: string;
  _source?: JsonObject;
  fields?: { _routing?: string; _parent?: string };
}

function sharedDocument({
  _type: type,
  _id: id,
  _source: source,
  fields = {},
}: FoundDocument): SharedDocument {
  if (source === undefined)
    throw new Error(`The sources of type ${type} are not kept, so a link can't hold them.`);
  const { _routing: routing, _parent: parent } = fields;
  return {
    type,
    id,
    source,
    ...(parent === undefined ? (routing === undefined ? {} : { routing }) : { parent }),
  };
}

/** Settings that an index can be made with: what the server has added by itself is left out. */
function givenSettings(settings: JsonObject): JsonObject {
  const { index } = settings;
  if (!isObject(index)) return {};
  const { uuid: _uuid, version: _version, creation_date: _created, ...given } = index;
  return { index: given };
}

/** Writes the part of a link behind `#/`. Throws {@link TooLong} where it would be longer than {@link MAX_LINK}. */
export async function writeShared(state: SharedState): Promise<string> {
  const text = writeJson({ format: FORMAT, ...state });
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const code = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  if (code.length > MAX_LINK)
    throw new TooLong(
      `The link would have ${code.length} characters; ${MAX_LINK} are what most programs hand on. Take fewer documents.`,
    );
  return `${SHARED}?state=${code}`;
}

/** Reads it. Throws where it is none that this version has written. */
export async function readShared(code: string): Promise<SharedState> {
  let text: string;
  try {
    const packed = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const bytes = await through(packed, new DecompressionStream('deflate-raw'));
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TooLong) throw error;
    throw new Error('The link is damaged: a part of it may be missing.');
  }
  const state = parseJson(text);
  if (!isObject(state) || state.format !== FORMAT) throw new Error('The link was made by another version.');
  const { index, settings, mappings, documents, place } = state;
  const isSound =
    typeof index === 'string' &&
    isObject(settings) &&
    isObject(mappings) &&
    Array.isArray(documents) &&
    documents.length <= MAX_DOCUMENTS &&
    documents.every(
      (each) =>
        isObject(each) &&
        typeof each.type === 'string' &&
        typeof each.id === 'string' &&
        isObject(each.source),
    ) &&
    typeof place === 'string';
  if (!isSound) throw new Error('The link holds no index.');
  return { index, settings, mappings, documents: documents as unknown as SharedDocument[], place };
}

/** Makes the index of a link anew. */
export async function restoreShared(
  client: Client,
  { index, settings, mappings, documents }: SharedState,
): Promise<void> {
  const path = `/${encodeNames(index)}`;
  const { status } = await client.send('HEAD', path, undefined, { quiet: true });
  if (status === 200) await client.json('DELETE', path);
  await client.json('PUT', path, { settings, mappings });
  if (documents.length > 0) {
    const lines = documents.map(
      ({ type, id, routing, parent, source }) =>
        `${writeJson({ index: { _type: type, _id: id, routing, parent } })}\n${writeJson(source)}\n`,
    );
    const answer = await client.json<{ errors: boolean }>('POST', `${path}/_bulk`, lines.join(''));
    if (answer.errors) throw new Error('Some documents of the link were refused.');
  }
  await client.json('POST', `${path}/_refresh`, undefined, { quiet: true });
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>)
    .getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > MAX_STATE_BYTES) {
      await reader.cancel();
      throw new TooLong(`The link holds more than ${MAX_STATE_BYTES / 1024 / 1024} MB.`);
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
