/** The import that is prepared or under way. It goes on while one looks at other views, so it isn't any view's own. */
import { computed, signal } from '@preact/signals';
import { type Client, encodeNames, RequestError } from '../../api/client';
import type { JsonObject } from '../../api/json';
import { fieldsOf, type MappedField } from '../../api/mappingFields';
import { Importing, type ImportOptions, type Progress } from './importing';
import { type Proposal, type ProposedField, propertiesOf, proposeMapping } from './proposal/proposal';
import type { ReaderOptions } from './reading/documents';
import { type Encoding, encodingOf } from './reading/fileText';
import type { Format } from './reading/format';
import { type Sample, sampleOf, tellFormat } from './sample';

/** Characters of a document. */
const MOST = 32 * 1024 * 1024;
const SHOWN_MS = 200;

export const file = signal<File | undefined>(undefined);
export const format = signal<Format>('jsonl');
export const encoding = signal<Encoding>('utf-8');
/** Between cells; empty for the format's own. */
export const delimiter = signal('');
export const isText = signal(false);
/** The field that has ids; empty where ids are made. */
export const idField = signal('');
export const index = signal('');
export const type = signal('doc');
export const shards = signal('');
export const sample = signal<Sample | undefined>(undefined);
export const proposal = signal<Proposal | undefined>(undefined);
/** As they were proposed or changed since. */
export const fields = signal<readonly ProposedField[]>([]);
export const hasPoint = signal(true);
/** What is wrong with the file. */
export const fileError = signal<unknown>(undefined);
/** Fields that the index has; undefined where there is no such index. */
export const existing = signal<readonly MappedField[] | undefined>(undefined);
export const progress = signal<Progress | undefined>(undefined);
/** What ended it early. */
export const importError = signal<unknown>(undefined);
export const running = signal<Importing | undefined>(undefined);
/** It has ended. */
export const ended = signal<Importing | undefined>(undefined);

/** Fields that the index doesn't have yet, as a mapping. */
export const newProperties = computed<JsonObject>(() => {
  const known = new Set(existing.value?.map(({ path }) => path));
  const point = hasPoint.value ? proposal.value?.point : undefined;
  return propertiesOf(
    fields.value.filter(({ path }) => !known.has(path.join('.'))),
    point !== undefined && known.has(point.field) ? undefined : point,
  );
});

/** The request that makes the index, or adds to it; undefined where nothing is to be made. */
export const preparing = computed<{ method: string; path: string; body: JsonObject } | undefined>(() => {
  if (index.value === '') return undefined;
  const properties = newProperties.value;
  const path = `/${encodeNames(index.value)}`;
  if (existing.value === undefined) {
    const count = Number(shards.value);
    return {
      method: 'PUT',
      path,
      body: {
        ...(shards.value !== '' && count > 0 ? { settings: { number_of_shards: count } } : {}),
        mappings: { [type.value]: { properties } },
      },
    };
  }
  if (Object.keys(properties).length === 0) return undefined;
  const mapping = { [type.value]: { properties } };
  return { method: 'PUT', path: `${path}/_mapping/${encodeURIComponent(type.value)}`, body: mapping };
});

let looking = 0;

/** Takes a file: tells what it is, and proposes a mapping. */
export async function choose(chosen: File): Promise<void> {
  file.value = chosen;
  idField.value = '';
  delimiter.value = '';
  ended.value = undefined;
  progress.value = undefined;
  importError.value = undefined;
  index.value = indexNameOf(chosen.name);
  encoding.value = await encodingOf(chosen);
  await look(true);
}

/** Looks at the file again, with what was changed. */
export async function look(tellsFormat = false): Promise<void> {
  const chosen = file.value;
  if (chosen === undefined) return;
  const mine = ++looking;
  fileError.value = undefined;
  try {
    const found = tellsFormat ? await tellFormat(chosen.name, chosen, encoding.value) : format.peek();
    const reader = { ...readerOptions(), id: undefined };
    const read = await sampleOf(chosen, { encoding: encoding.value, format: found, reader });
    if (mine !== looking) return;
    format.value = found;
    sample.value = read;
    const proposed = proposeMapping(read.documents);
    proposal.value = proposed;
    fields.value = proposed.fields;
    hasPoint.value = proposed.point !== undefined;
  } catch (error) {
    if (mine !== looking) return;
    fileError.value = error;
    sample.value = undefined;
    proposal.value = undefined;
    fields.value = [];
  }
}

export function forget(): void {
  looking++;
  file.value = undefined;
  sample.value = undefined;
  proposal.value = undefined;
  fields.value = [];
  fileError.value = undefined;
  progress.value = undefined;
  ended.value = undefined;
  importError.value = undefined;
}

/** Makes the index or its new fields, then imports. */
export async function start(client: Client): Promise<void> {
  const chosen = file.peek();
  if (chosen === undefined || running.peek() !== undefined) return;
  importError.value = undefined;
  ended.value = undefined;
  progress.value = undefined;
  const options: ImportOptions = {
    file: chosen,
    encoding: encoding.peek(),
    format: format.peek(),
    reader: readerOptions(),
    index: index.peek(),
    type: type.peek(),
    point: hasPoint.peek() ? proposal.peek()?.point : undefined,
  };
  const importing = new Importing(client, options, shownNowAndThen());
  running.value = importing;
  addEventListener('beforeunload', stay);
  try {
    const made = preparing.peek();
    if (made !== undefined) await client.json(made.method, made.path, made.body);
    await importing.run();
  } catch (error) {
    importError.value = error;
  } finally {
    await client
      .send('POST', `${index.peek() === '' ? '' : `/${encodeNames(index.peek())}`}/_refresh`)
      .catch(() => {});
    removeEventListener('beforeunload', stay);
    running.value = undefined;
    ended.value = importing;
    await askExisting(client, index.peek(), new AbortController().signal);
  }
}

/** Asks what the index has. */
export async function askExisting(client: Client, name: string, signal: AbortSignal): Promise<void> {
  existing.value = undefined;
  if (name === '') return;
  try {
    const answer = await client.get(`/${encodeNames(name)}/_mapping`, { quiet: true, signal });
    // An index without mappings is there as well.
    if (!signal.aborted) existing.value = fieldsOf(answer);
  } catch (error) {
    if (!signal.aborted && !(error instanceof RequestError && error.status === 404)) existing.value = [];
  }
}

function readerOptions(): ReaderOptions {
  return {
    isIndexNamed: index.peek() === '',
    id: idField.peek() === '' ? undefined : idField.peek(),
    most: MOST,
    delimiter: delimiter.peek() === '' ? undefined : delimiter.peek(),
    isText: isText.peek(),
  };
}

/** Names of indices are lower case, and hold none of a few signs. */
export function indexNameOf(name: string): string {
  const bare = name.toLowerCase().replace(/(\.(gz|csv|tsv|json|jsonl|ndjson|bulk|txt))+$/, '');
  return bare.replaceAll(/[^\p{Ll}\p{N}_-]+/gu, '-').replace(/^[-_]+|-+$/g, '');
}

function stay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Shows how far it is a few times a second; the last is always shown. */
function shownNowAndThen(): (now: Progress) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (now) => {
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      shownAt = performance.now();
      progress.value = now;
    };
    clearTimeout(timer);
    if (performance.now() - shownAt >= SHOWN_MS) show();
    else timer = setTimeout(show, SHOWN_MS);
  };
}
