/** Rows that share a buffer are what was put into them, however many there are, and whoever had the buffer before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeDocument } from '../../host/storage/storedDocuments.js';
import { LmdbStorage } from '../../host/storage/lmdb.js';
import { addDocument, addIdRecord } from '../../host/storage/operationRows.js';
import { decodeIdRecord, idKey, seqKey } from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';
import { compareBytes } from '../../host/storage/storage.js';
import { NO_DICTIONARIES } from '../support/noDictionaries.js';

const utf8 = new TextEncoder();

test('rows come back as they were given, and as copies', () => {
  const entries = Array.from({ length: 300 }, (_, i) => [
    utf8.encode(`key ${i}`),
    new Uint8Array(i).fill(i),
  ]) as [Uint8Array, Uint8Array][];
  const rows = Rows.of(entries);
  expect(rows.length).toBe(300);
  expect(rows.longestKey).toBe(7);
  const back = [...rows];
  rows.bytes.fill(0);
  expect(back).toEqual(entries);
});

test('what a store has taken stays when the buffer is used again', async () => {
  const path = mkdtempSync(join(tmpdir(), 'resilin-rows-'));
  const storage = new LmdbStorage(path);
  const source = (seq: number) => utf8.encode(JSON.stringify({ text: `${seq} `.repeat(seq % 400) }));
  const commits: Promise<void>[] = [];
  for (let first = 1; first <= 4000; first += 1000) {
    const rows = new Rows();
    for (let seq = first; seq < first + 1000; seq++) {
      const id = `é${(seq * 7919) % 4001}`;
      addIdRecord(rows, 7, `type#${id}`, { seq, version: 1, deletedAt: 0 });
      addDocument(rows, 7, seq, { type: 'type', id, version: 1, routing: undefined, source: source(seq) });
    }
    commits.push(storage.commit(rows, []).then(() => rows.release()));
    if (first > 2000) await commits.shift();
  }
  await Promise.all(commits);
  const wrong: number[] = [];
  for (let seq = 1; seq <= 4000; seq++) {
    const document = decodeDocument(storage.get(seqKey('d', 7, seq))!, NO_DICTIONARIES);
    const found = decodeIdRecord(storage.get(idKey(7, `type#${document.id}`))!).seq;
    if (found !== seq || compareBytes(document.source, source(seq)) !== 0) wrong.push(seq);
  }
  expect(wrong).toEqual([]);
  await storage.close();
  rmSync(path, { recursive: true, force: true });
});
