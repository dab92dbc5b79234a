/** `resilin check` names what is damaged in a stopped data folder, and nothing else. */
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CHECK_HELP, runCheck } from '../../host/cli/checkCommand.js';
import { parseCommand } from '../../host/cli/options.js';
import { createEngine } from '../../host/index.js';
import { openData } from '../../host/server/dataFolder.js';
import { checkFolder } from '../../host/server/folderCheck.js';
import { dropShards } from '../../host/shard/garbageCollection.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { faultsOf } from '../../host/storage/lmdbFile.js';
import { shardOfKey } from '../../host/storage/records.js';
import { coreBytes } from '../support/core.js';

let whole: string;
let folder: string;
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'resilin-check-'));
  const { storage, blobs, release } = await openData(whole);
  const wasm = await WebAssembly.compile(coreBytes());
  const resilin = await createEngine({ wasm, storage, blobs });
  await resilin.request('PUT', '/books', { settings: { number_of_shards: 1 } });
  for (let i = 0; i < 200; i++)
    await resilin.request('PUT', `/books/b/${i}`, { title: `title ${i}`, long: 'x'.repeat(99 * (i % 90)) });
  await resilin.request('POST', '/books/_flush');
  await resilin.close();
  release();
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));
beforeEach(() => {
  folder = `${whole}.copy`;
  cpSync(whole, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = () => join(folder, 'store', 'data.mdb');

/** Changes a byte of the rows of a kind that are meant. */
async function damageRow(prefix: string, isMeant: (value: Buffer) => boolean = () => true): Promise<void> {
  const db = openLmdb<Buffer, Buffer>({
    path: join(folder, 'store'),
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  for (const { key, value } of [...db.getRange()]) {
    if (!key.toString('latin1').startsWith(prefix) || !isMeant(value)) continue;
    const changed = Buffer.from(value);
    changed[changed.length - 6]! ^= 4;
    await db.put(Buffer.from(key), changed);
  }
  await db.close();
}

function damageFile(file: string, at: number): void {
  const fd = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  byte[0]! ^= 0x57;
  writeSync(fd, byte, 0, 1, at);
  closeSync(fd);
}

it('nothing, where nothing is', async () => {
  const found = await checkFolder(folder);
  expect(found.damaged).toEqual([]);
  expect(found.pages).toBeGreaterThan(20);
  expect(found.rows).toBeGreaterThan(400);
  expect(found.segments).toBeGreaterThan(0);
});

it('documents, ids, manifests and metadata, by their names', async () => {
  await damageRow('d', (value) => value.includes('"title 7"'));
  expect((await checkFolder(folder)).damaged).toEqual(['store/data.mdb: [books][0] document b/7']);
  await damageRow('c');
  await damageRow('mi');
  expect((await checkFolder(folder)).damaged).toEqual([
    expect.stringMatching(/shard \d+ of no index the manifest/),
    expect.stringMatching(/shard \d+ of no index document b\/7/),
    'store/data.mdb: [books] the metadata',
  ]);
});

it('segments', async () => {
  const segments = join(folder, 'segments');
  const [name] = readdirSync(segments);
  damageFile(join(segments, name!), 200);
  expect((await checkFolder(folder)).damaged).toEqual([
    `segments/${name}: [books][0] its checksum is another`,
  ]);
  truncateSync(join(segments, name!), 100);
  expect((await checkFolder(folder)).damaged[0]).toContain('it has 100 bytes and must have');
  rmSync(join(segments, name!));
  expect((await checkFolder(folder)).damaged).toEqual([`segments/${name}: [books][0] it is not there`]);
});

it('no segments of an index whose deletion has not ended', async () => {
  const storage = new LmdbStorage(join(folder, 'store'));
  const [key] = storage.range(Uint8Array.of(0x63), Uint8Array.of(0x64), { keysOnly: true });
  await dropShards(storage, [shardOfKey(key![0])], []);
  await storage.close();
  for (const name of readdirSync(join(folder, 'segments'))) rmSync(join(folder, 'segments', name));
  expect((await checkFolder(folder)).damaged).toEqual([]);
});

it('pages of the store, each of them', async () => {
  const { pages } = await checkFolder(folder);
  const { length } = readFileSync(store());
  let named = 0;
  for (let page = 2; page < length / 4096; page++) {
    // The number of a page, and then its kind.
    for (const at of [0, 18]) {
      damageFile(store(), page * 4096 + at);
      if (faultsOf(store()).faults.some((each) => each.startsWith(`page ${page} `))) named++;
      damageFile(store(), page * 4096 + at);
    }
  }
  // Pages that are free are nobody's, nor are those behind the first of a large value.
  expect(named).toBeGreaterThanOrEqual(pages);
});

it('a folder in use, and what is none, can’t be checked', async () => {
  const { storage, release } = await openData(folder);
  const said: string[] = [];
  const check = (path: string) =>
    runCheck(
      path,
      (line) => said.push(line),
      (line) => said.push(line),
    );
  try {
    expect(await check(folder)).toBe(2);
  } finally {
    await storage.close();
    release();
  }
  expect(await check(join(folder, 'none'))).toBe(2);
  expect(said[1]).toContain('is no data folder');
  expect(await check(folder)).toBe(0);
  expect(said[2]).toMatch(/^\d+ pages, \d+ rows, \d+ segments; damaged: 0$/);
  await damageRow('mi');
  expect(await check(folder)).toBe(1);
});

it('is a command', () => {
  expect(parseCommand(['check', 'data'], {})).toEqual({ kind: 'check', folder: 'data' });
  expect(parseCommand(['check', '--help'], {})).toEqual({ kind: 'checkHelp' });
  expect(parseCommand(['check'], {})).toMatchObject({ kind: 'mistake' });
  expect(parseCommand(['check', 'a', 'b'], {})).toMatchObject({ kind: 'mistake' });
  expect(CHECK_HELP).toContain('resilin check FOLDER');
});
