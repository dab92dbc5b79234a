/** Opens what a power cut has left of a program's folder (programs.mjs), with what the program opens it with, and compares it with what was promised. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type Resilin } from '../../../host/index.js';
import { checkFolder } from '../../../host/server/folderCheck.js';
import { compactStore } from '../../../host/storage/compaction.js';
import { FileBlobs } from '../../../host/storage/files.js';
import { FileJournal, type SyncFile } from '../../../host/storage/fileJournal.js';
import { JournaledStorage } from '../../../host/storage/journal.js';
import { checkStore, LmdbStorage } from '../../../host/storage/lmdb.js';
import { damageOf, faultsOf, isUnbegun } from '../../../host/storage/lmdbFile.js';
import type { Storage } from '../../../host/storage/storage.js';
import { type Found, NONE, type Promises } from './promises.js';

/** What is wrong, and what is there, in lines that programs tell: the truth from then on. */
export interface Verdict {
  problems: string[];
  found: string[];
}

/** Looks at a folder. @param core of the engine */
export type Check = (folder: string, promises: Promises, core: WebAssembly.Module) => Promise<Verdict>;

const contents = new Map<string, Uint8Array>();

/** As programs.mjs makes it. */
function contentOf(i: number, round: number, length: number): Uint8Array {
  const name = `${i} ${round} ${length}`;
  let content = contents.get(name);
  if (content === undefined) {
    content = new Uint8Array(length);
    for (let at = 0; at < length; at++) content[at] = at * 3 + (at >> 9) * 17 + i * 7 + round * 29;
    contents.set(name, content);
  }
  return content;
}

/** Throws if a page of a store isn't what its trees want it to be: LMDB would follow it, and may end the process. */
function demandWhole(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0 || isUnbegun(file)) return;
  const damage = damageOf(file);
  if (damage !== undefined) throw new Error(damage);
  const { faults } = faultsOf(file);
  if (faults.length > 0) throw new Error(faults.join('; '));
}

function foundLines(found: Found): string[] {
  return Array.from(found, ([name, { value, version }]) =>
    version === undefined ? `done ${name} ${value}` : `done ${name} ${value} ${version}`,
  );
}

/** What rows hold, by the rounds that promises know. */
function rowsIn(storage: Storage, promises: Promises): Found {
  const found: Found = new Map();
  for (const [key, bytes] of storage.range(Uint8Array.of(0), Uint8Array.of(0xff))) {
    const i = key[1]! * 256 + key[2]!;
    found.set(`row/${i}`, {
      value: valueFound(promises, `row/${i}`, bytes, (round, length) => contentOf(i, round, length)),
    });
  }
  return found;
}

/** Which of the values that were tried it is. */
function valueFound(
  promises: Promises,
  name: string,
  bytes: Uint8Array,
  contentOf: (round: number, length: number) => Uint8Array,
): string {
  for (const value of promises.tried(name)) {
    if (value === NONE) continue;
    const [round, length] = value.split(':').map(Number);
    if (length === bytes.length && Buffer.compare(contentOf(round!, length), bytes) === 0) return value;
  }
  return `${bytes.length} other bytes`;
}

const checkRows: Check = async (folder, promises) => {
  const store = join(folder, 'store');
  demandWhole(join(store, 'data.mdb'));
  checkStore(store);
  await compactStore(store);
  const storage = new LmdbStorage(store);
  try {
    const found = rowsIn(storage, promises);
    return { problems: promises.problems('row/', found), found: foundLines(found) };
  } finally {
    await storage.close();
  }
};

const checkBlobs: Check = async (folder, promises) => {
  const blobs = await FileBlobs.open(join(folder, 'segments'));
  const found: Found = new Map();
  for (const file of await blobs.list()) {
    const name = `blob/${file}`;
    const bytes = (await blobs.get(file))!;
    found.set(name, { value: valueFound(promises, name, bytes, (i, length) => contentOf(i, i, length)) });
  }
  return { problems: promises.problems('blob/', found), found: foundLines(found) };
};

const checkJournal: Check = async (folder, promises) => {
  const files = ['a', 'b'].map((name) => bytesOf(join(folder, name))) as [SyncFile, SyncFile];
  const storage = await JournaledStorage.open(new FileJournal(files));
  const found = rowsIn(storage, promises);
  return { problems: promises.problems('row/', found), found: foundLines(found) };
};

/** A file of a journal that is only read; what is written is kept here. */
function bytesOf(path: string): SyncFile {
  let bytes: Buffer = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  return {
    getSize: () => bytes.length,
    read: (into, { at }) => bytes.copy(into, 0, at, at + into.length),
    write: (more, { at }) => {
      const out = Buffer.alloc(Math.max(bytes.length, at + more.length));
      out.set(bytes);
      out.set(more, at);
      bytes = out;
      return more.length;
    },
    truncate: (size) => {
      bytes = Buffer.concat([bytes.subarray(0, size), Buffer.alloc(Math.max(0, size - bytes.length))]);
    },
    flush() {},
    close() {},
  };
}

const checkEngine: Check = async (folder, promises, core) => {
  const data = join(folder, 'data');
  const problems: string[] = [];
  if (existsSync(join(data, 'store', 'data.mdb'))) problems.push(...(await checkFolder(data)).damaged);
  // LMDB may end the process.
  if (problems.length > 0) return { problems, found: [] };
  const resilin = await createEngine({ data, wasm: core, warn: (message) => problems.push(message) });
  try {
    const found: Found = new Map();
    await findDocuments(resilin, found, problems);
    const isGone = (name: string) => !found.has(`index/${name.split('/')[1]}`);
    problems.push(...promises.problems('index/', found), ...promises.problems('doc/', found, isGone));
    await checkSnapshots(resilin, promises, problems);
    return { problems, found: foundLines(found) };
  } finally {
    await resilin.close();
  }
};

/** Documents by searching, each compared with what reading it by its id says. */
async function findDocuments(resilin: Resilin, found: Found, problems: string[]): Promise<void> {
  const indices = Object.keys((await resilin.request<object>('GET', '/_all')).body);
  for (const index of indices) {
    found.set(`index/${index}`, { value: 'there' });
    await resilin.request('GET', '/_cluster/health?wait_for_status=yellow');
    await resilin.request('POST', `/${index}/_refresh`);
    const search = { size: 1000, version: true };
    const { hits } = await resilin.search<{ n: number }>(index, search as object);
    for (const { _id, _version, _source } of hits.hits as unknown as {
      _id: string;
      _version: number;
      _source: { n: number };
    }[]) {
      const name = `doc/${index}/${_id}`;
      if (found.has(name)) problems.push(`${name}: a search finds it twice`);
      found.set(name, { value: String(_source.n), version: _version });
      const { body } = await resilin.request<{ _version: number; _source: { n: number } }>(
        'GET',
        `/${index}/t/${_id}`,
      );
      if (body._version !== _version || body._source.n !== _source.n)
        problems.push(`${name}: a search finds another version than reading does`);
    }
    const { body } = await resilin.request<{ count: number }>('GET', `/${index}/_count?q=text:fox`);
    if (body.count !== hits.hits.length)
      problems.push(`${index}: ${body.count} documents have a word that all ${hits.hits.length} have`);
  }
}

async function checkSnapshots(resilin: Resilin, promises: Promises, problems: string[]): Promise<void> {
  const ask = (method: string, path: string) => resilin.request<Record<string, unknown>>(method, path);
  for (const name of promises.names('snapshot/')) {
    if (!promises.isThere(name)) continue;
    const { status, body } = await ask('GET', `/_snapshot/box/${name.split('/')[1]}`);
    const [snapshot] = (body.snapshots ?? []) as { state: string }[];
    if (snapshot?.state !== 'SUCCESS') problems.push(`${name}: ${status} ${JSON.stringify(body)}`);
  }
  if (!promises.isThere('repository/box')) return;
  const { status, body } = await ask('POST', '/_snapshot/box/_verify');
  if (status !== 200) problems.push(`repository: ${JSON.stringify(body)}`);
}

/** Each program's. */
export const CHECKS: Readonly<Record<string, Check>> = {
  store: checkRows,
  late: checkRows,
  shrinking: checkRows,
  compaction: checkRows,
  blobs: checkBlobs,
  journal: checkJournal,
  engine: checkEngine,
};
