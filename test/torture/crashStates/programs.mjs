/**
 * What is run while its calls are logged: `node programs.mjs NAME HOST FOLDER MARKS CYCLE`. A program tells what it will write before it
 * does so (`try`), and what was acknowledged (`done`; `late` where that need not be durable before the next `done`, `asked` where it need not
 * be durable at all): NAME WHAT, a line each. It ends without closing what it has opened, unless that is what it is about.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , program, host, folder, marks, cycleText] = process.argv;
const cycle = Number(cycleText);
const load = (module) => import(String(pathToFileURL(join(host, module))));
const told = openSync(marks, 'a');
const tell = (...words) => writeSync(told, `${words.join(' ')}\n`);

/** The key of a row, and its value: no two sectors of any are alike. checks.ts makes the same. */
const keyOf = (i) => Uint8Array.of(0x78, i >> 8, i & 255);
const contentOf = (i, round, length) =>
  Uint8Array.from({ length }, (_, at) => at * 3 + (at >> 9) * 17 + i * 7 + round * 29);

/** Tells of a step before and after it. */
async function step(name, what, work, acknowledged = 'done') {
  tell('try', name, what);
  await work();
  tell(acknowledged, name, what);
}

const put = (storage, i, round, length) =>
  step(`row/${i}`, `${round}:${length}`, () => storage.commit([[keyOf(i), contentOf(i, round, length)]], []));
const remove = (storage, i) => step(`row/${i}`, 'none', () => storage.commit([], [keyOf(i)]));
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const PROGRAMS = {
  /** Commits one by one and in groups, deletions, closing, opening. */
  async store() {
    const { checkStore, LmdbStorage } = await load('storage/lmdb.js');
    checkStore(join(folder, 'store'));
    let storage = new LmdbStorage(join(folder, 'store'));
    const round = 10 * cycle;
    for (const [i, length] of [10, 300, 2000, 5000, 13_000, 40, 800].entries())
      await put(storage, i, round, length);
    await Promise.all([1, 2, 8, 9].map((i) => put(storage, i, round + 1, 700 * i)));
    for (const i of [0, 4]) await remove(storage, i);
    await put(storage, 4, round + 2, 9000);
    await storage.close();
    storage = new LmdbStorage(join(folder, 'store'));
    await put(storage, 3, round + 3, 60);
    await put(storage, 10 + cycle, round + 3, 4000);
  },

  /** The copy of a store takes its place while writes go on. */
  async shrinking() {
    const { checkStore, LmdbStorage } = await load('storage/lmdb.js');
    checkStore(join(folder, 'store'));
    const storage = new LmdbStorage(join(folder, 'store'), undefined, { shrinksFrom: 1 << 16, lookEvery: 1 });
    const round = 100 * cycle;
    await Promise.all(Array.from({ length: 24 }, (_, i) => put(storage, i, round, 6000)));
    await Promise.all(Array.from({ length: 20 }, (_, i) => remove(storage, i)));
    for (let n = 1; n < 60 && storage.shrunk === 0; n++) {
      if (storage.shrinkFailure !== undefined) throw storage.shrinkFailure;
      await put(storage, 30 + (n % 3), round + n, 50);
      await turn();
    }
    if (storage.shrunk === 0) throw new Error('the store has not become smaller');
    for (let i = 40; i < 44; i++) await put(storage, i, round, 500);
    if (cycle % 2 === 1) await storage.close();
  },

  /** The copy of a store takes its place at a start. */
  async compaction() {
    const { checkStore, LmdbStorage } = await load('storage/lmdb.js');
    const { compactStore } = await load('storage/compaction.js');
    for (let n = 0; n < 2; n++) {
      checkStore(join(folder, 'store'));
      await compactStore(join(folder, 'store'), 1 << 15);
      const storage = new LmdbStorage(join(folder, 'store'), undefined, { lookEvery: 1 << 30 });
      const round = 10 * cycle + 5 * n;
      await put(storage, 100 + n, round, 90);
      await Promise.all(Array.from({ length: 16 }, (_, i) => put(storage, i, round, 6000)));
      await Promise.all(Array.from({ length: 14 }, (_, i) => remove(storage, i)));
      await put(storage, 50, round, 90);
      await storage.close();
    }
  },

  /** Commits that are acknowledged before they are durable, and others between them. */
  async late() {
    const { checkStore, LmdbStorage } = await load('storage/lmdb.js');
    const { WriteBehind } = await load('storage/writeBehind.js');
    checkStore(join(folder, 'store'));
    const after = (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    };
    const storage = new WriteBehind(new LmdbStorage(join(folder, 'store')), { after }, (text) =>
      tell('warn', text),
    );
    for (let n = 0; n < 24; n++) {
      const i = n % 5;
      const round = 100 * cycle + n;
      const isLate = n % 6 !== 5;
      const commit = () =>
        storage.commit([[keyOf(i), contentOf(i, round, 100 + 300 * i)]], [], isLate ? { within: 3 } : {});
      await step(`row/${i}`, `${round}:${100 + 300 * i}`, commit, isLate ? 'late' : 'done');
      if (n % 4 === 0) await turn();
    }
    await storage.close();
    tell('done', 'all', 'closed');
  },

  /** Files of segments. */
  async blobs() {
    const { FileBlobs } = await load('storage/files.js');
    const blobs = await FileBlobs.open(join(folder, 'segments'));
    const name = (i) => `b${cycle}-${i}`;
    const putBlob = (i, length) =>
      step(`blob/${name(i)}`, `${i}:${length}`, () => blobs.put(name(i), contentOf(i, i, length)));
    for (const [i, length] of [10, 5000, 70_000, 0, 1200].entries()) await putBlob(i, length);
    await step(`blob/${name(1)}`, 'none', () => blobs.delete(name(1)), 'asked');
    await Promise.all([5, 6, 7].map((i) => putBlob(i, 600 * i)));
    await step(`blob/${name(6)}`, 'none', () => blobs.delete(name(6)), 'asked');
    await putBlob(8, 3000);
  },

  /** A journal in two files. */
  async journal() {
    const { FileJournal } = await load('storage/fileJournal.js');
    const { JournaledStorage } = await load('storage/journal.js');
    const storage = await JournaledStorage.open(new FileJournal(journalFiles(folder)), 0);
    const round = 100 * cycle;
    for (let n = 0; n < 14; n++) await put(storage, n % 4, round + n, 150 + 400 * (n % 4));
    await Promise.all([5, 6, 7].map((i) => put(storage, i, round, 300 * i)));
    await remove(storage, 6);
    for (let n = 20; n < 26; n++) await put(storage, n % 4, round + n, 500);
  },

  /** A whole engine: documents, flushes, merges, indices that come and go, snapshots. */
  async engine() {
    const { createEngine } = await load('index.js');
    const resilin = await createEngine({ data: join(folder, 'data') });
    const ask = async (method, path, body) => {
      const answer = await resilin.request(method, path, body);
      if (answer.status >= 300 && answer.status !== 404)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const text = 'the quick brown fox jumps over the lazy dog '.repeat(8);
    /** Versions: what was acknowledged as. */
    const doc = async (index, id, n, acknowledged = 'done') => {
      tell('try', `doc/${index}/${id}`, n);
      const { _version } = await ask('PUT', `/${index}/t/${id}`, { n, id, text });
      tell(acknowledged, `doc/${index}/${id}`, n, _version);
    };
    const gone = async (index, id) => {
      tell('try', `doc/${index}/${id}`, 'none');
      await ask('DELETE', `/${index}/t/${id}`);
      tell('done', `doc/${index}/${id}`, 'none');
    };
    const made = async (name, body) => {
      tell('try', `index/${name}`, 'there');
      await ask('PUT', `/${name}`, body);
      tell('done', `index/${name}`, 'there');
    };
    const n = 100 * cycle;
    const settings = {
      number_of_shards: 1,
      'index.translog.durability': 'async',
      'index.translog.sync_interval': '100ms',
    };
    const { error } = await ask('GET', '/a');
    if (error !== undefined) await made('a', { settings: { number_of_shards: 2 } });
    for (let id = 1; id <= 5; id++) await doc('a', id, n + id);
    await ask('POST', '/a/_flush');
    await gone('a', 2);
    await Promise.all([6, 7, 8].map((id) => doc('a', id, n + id)));
    await doc('a', 1, n + 10);
    await ask('POST', '/a/_flush');
    const temporary = `b${cycle}`;
    await made(temporary, { settings });
    for (let id = 1; id <= 6; id++) await doc(temporary, id, n + id, 'late');
    await ask('POST', `/${temporary}/_flush`);
    tell('done', 'all', 'synced');
    for (let id = 7; id <= 9; id++) await doc(temporary, id, n + id, 'late');
    await doc('a', 11, n + 11);
    await ask('POST', '/a/_optimize?max_num_segments=1');
    await ask('POST', '/a/_flush');
    await ask('PUT', '/_snapshot/box', { type: 'fs', settings: { location: 'box' } });
    tell('done', 'repository/box', 'there');
    const snapshot = `s${cycle}`;
    tell('try', `snapshot/${snapshot}`, 'there');
    const answer = await ask('PUT', `/_snapshot/box/${snapshot}?wait_for_completion=true`, { indices: 'a' });
    if (answer.snapshot.state !== 'SUCCESS') throw new Error(JSON.stringify(answer));
    tell('done', `snapshot/${snapshot}`, 'there');
    await doc('a', 3, n + 12);
    tell('try', `index/${temporary}`, 'none');
    await ask('DELETE', `/${temporary}`);
    tell('done', `index/${temporary}`, 'none');
    await doc('a', 12, n + 13);
    if (cycle % 2 === 0) await resilin.close();
  },
};

/** Two files in the place of a browser's, which are there before a page has them. */
function journalFiles(into) {
  return ['a', 'b'].map((name) => {
    const fd = openSync(join(into, name), 'a');
    closeSync(fd);
    const file = openSync(join(into, name), 'r+');
    fsyncSync(file);
    const at = openSync(into, 'r');
    fsyncSync(at);
    closeSync(at);
    return {
      getSize: () => fstatSync(file).size,
      read: (bytes, { at }) => readSync(file, bytes, 0, bytes.length, at),
      write: (bytes, { at }) => writeSync(file, bytes, 0, bytes.length, at),
      truncate: (size) => ftruncateSync(file, size),
      flush: () => fsyncSync(file),
      close: () => closeSync(file),
    };
  });
}

await PROGRAMS[program]();
process.exit(0);
