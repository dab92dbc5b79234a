import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeDocument, type StoredDocument } from '../../host/storage/storedDocuments.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { addDocument } from '../../host/storage/operationRows.js';
import {
  encodeIdRecord,
  encodeJson,
  encodeSeq,
  encodeText,
  idKey,
  indexKey,
  kindRange,
  liveKey,
  NODE_KEY,
  SETTINGS_KEY,
  seqKey,
  shardKey,
  tombstoneKey,
} from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';
import { DamagedRow, type Entry } from '../../host/storage/storage.js';
import { xxh32 } from '../../host/storage/xxh32.js';
import { NO_DICTIONARIES } from '../support/noDictionaries.js';

const END = new Uint8Array([255]);
const entries = (range: Iterable<Entry>) => [...range].map(([key, value]) => [key, Uint8Array.from(value)]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-checksums-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The rows as LMDB has them. */
async function raw<T>(use: (db: ReturnType<typeof openLmdb>) => Promise<T>): Promise<T> {
  const db = openLmdb({ path: join(folder, 'store'), encoding: 'binary', keyEncoding: 'binary' });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

const DOCUMENT: StoredDocument = {
  type: 't',
  id: '1',
  version: 3,
  routing: undefined,
  source: new TextEncoder().encode('{"a":"ä"}'),
};

function documentRow(): Entry {
  const rows = new Rows();
  addDocument(rows, 7, 5, DOCUMENT);
  return [...rows][0]!;
}

/** A row of each kind and shape. */
const ROWS: [string, () => Entry][] = [
  ['a document', documentRow],
  ['a first version', () => [idKey(7, 't#1'), encodeIdRecord({ seq: 5, version: 1, deletedAt: 0 })]],
  ['a later version', () => [idKey(7, 't#2'), encodeIdRecord({ seq: 5, version: 2, deletedAt: 0 })]],
  ['a deleted document', () => [seqKey('k', 7, 9), encodeSeq(5)]],
  ['a remembered deletion', () => [tombstoneKey(7, 1000, 9), encodeText('t#ä')]],
  ['a manifest', () => [shardKey('c', 7), encodeJson({ seq: 1, next: 2, segments: [] })]],
  ['a set of live documents', () => [liveKey(7, '7-1.seg'), new Uint8Array(48).fill(255)]],
  ['a dropped shard', () => [shardKey('g', 7), new Uint8Array(0)]],
  ['an index', () => [indexKey('ä'), encodeJson({ name: 'ä' })]],
  ['the settings', () => [SETTINGS_KEY, encodeJson({})]],
];

describe('the checksum', () => {
  it.each([
    ['', 0x02cc5d05],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('of %j is that of XXH32', (text, expected) => {
    const bytes = new Uint8Array([1, ...new TextEncoder().encode(text), 2]);
    expect(xxh32(new DataView(bytes.buffer), 1, bytes.length - 1) >>> 0).toBe(expected);
  });
});

describe.each(ROWS)('%s', (_name, row) => {
  it('comes back as it was put, one by one and in a range', async () => {
    const [key, value] = row();
    const storage = new LmdbStorage(join(folder, 'store'));
    await storage.commit([row()], []);
    expect(storage.get(key)).toEqual(value);
    expect(entries(storage.range(key, END))).toEqual([[key, value]]);
    await storage.close();
  });

  it('of an older server, which has no checksum, is read', async () => {
    const [key, value] = row();
    await raw((db) => db.put(key as Buffer, Buffer.from(value)));
    const storage = new LmdbStorage(join(folder, 'store'));
    expect(storage.get(key)).toEqual(value);
    expect(entries(storage.range(key, END))).toEqual([[key, value]]);
    await storage.close();
  });

  it('is refused with any bit changed, and the others are read', async () => {
    const [key] = row();
    const other: Entry = [seqKey('k', 8, 1), encodeSeq(1)];
    let storage = new LmdbStorage(join(folder, 'store'));
    await storage.commit([row(), other], []);
    await storage.close();
    const written = await raw(async (db) => Buffer.from(db.getBinary(key as Buffer)!));
    const length = row()[1].length;
    expect(written.length).toBe(length + 4);
    // Of the first byte one bit makes a document an older server's, of the last byte two bits a text.
    const bits = Array.from({ length: 8 * written.length }, (_, i) => i).filter((bit) => bit % 5 === 0);
    for (const bit of bits) {
      const damaged = Buffer.from(written);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      if (damaged[0] === 1 || damaged.at(-1)! < 0xc0) continue;
      await raw((db) => db.put(key as Buffer, damaged));
      storage = new LmdbStorage(join(folder, 'store'));
      expect(() => storage.get(key)).toThrow(DamagedRow);
      expect(() => [...storage.range(key, END)]).toThrow(DamagedRow);
      const told: Uint8Array[] = [];
      const range = storage.range(new Uint8Array([0]), END, {
        damaged: (e) => told.push(e.key),
      });
      expect(entries(range)).toEqual([other]);
      expect(told).toEqual([key]);
      await storage.close();
    }
  }, 60_000);

  it('is refused in the place of another', async () => {
    const [key] = row();
    const wrong = key.slice();
    wrong[wrong.length - 1]! ^= 1;
    let storage = new LmdbStorage(join(folder, 'store'));
    await storage.commit([row()], []);
    await storage.close();
    await raw(async (db) => db.put(wrong as Buffer, Buffer.from(db.getBinary(key as Buffer)!)));
    storage = new LmdbStorage(join(folder, 'store'));
    expect(() => storage.get(wrong)).toThrow(DamagedRow);
    await storage.close();
  });
});

describe('rows with checksums', () => {
  it("leave the node's metadata readable for older servers", async () => {
    const storage = new LmdbStorage(join(folder, 'store'));
    await storage.commit([[NODE_KEY, encodeJson({ format: 3 })]], []);
    await storage.close();
    await raw(async (db) => expect(db.getBinary(NODE_KEY as Buffer)!.toString()).toBe('{"format":3}'));
  });

  it('are what documents in memory are: both formats are read', () => {
    const [, value] = documentRow();
    const checked = value.slice();
    checked[0] = 2;
    expect(decodeDocument(checked, NO_DICTIONARIES)).toEqual(decodeDocument(value, NO_DICTIONARIES));
  });

  it('larger than the buffer that small ones are read into come back too', async () => {
    const storage = new LmdbStorage(join(folder, 'store'));
    const rows = new Rows();
    for (let seq = 1; seq <= 20; seq++)
      addDocument(rows, 1, seq, { ...DOCUMENT, source: new Uint8Array(seq * 3001).fill(seq) });
    await storage.commit(rows, []);
    for (const [key, value] of rows) {
      // As it was put.
      value[0] = 1;
      expect(Uint8Array.from(storage.get(key)!)).toEqual(value);
    }
    expect([...storage.range(...kindRange('d', 1))]).toHaveLength(20);
    await storage.close();
  });
});
