/** Rows are put into an order in which neighbours of the tree stand together, and none is lost or overtakes one of its own key. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inKeyOrder } from '../../host/storage/keyOrder.js';
import { idKey, seqKey, tombstoneKey } from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';
import { compareBytes, type Entry } from '../../host/storage/storage.js';

const row = (key: Uint8Array, i: number): Entry => [key, Uint8Array.of(i, i >> 8)];
const inOrder = (rows: readonly Entry[]) => Array.from(inKeyOrder(Rows.of(rows)), (n) => rows[n]!);

test('rows of a kind and a shard are sorted by what tells them apart', () => {
  const ids = Array.from({ length: 3000 }, (_, i) => `type#prefix-${(i * 7919) % 3000}`);
  const rows = ids.flatMap((id, i) => [row(idKey(3, id), i), row(seqKey('d', 3, i), i)]);
  const ordered = inOrder(rows);
  expect(new Set(ordered)).toEqual(new Set(rows));
  const kinds = ordered.map(([key]) => key[0]);
  expect(kinds.filter((kind, i) => kind !== kinds[i - 1]).length).toBe(2);
  for (const kind of ['i', 'd']) {
    const keys = ordered.filter(([key]) => key[0] === kind.charCodeAt(0)).map(([key]) => key.subarray(0, 22));
    expect(keys).toEqual([...keys].sort(compareBytes));
  }
});

test('rows of one key stay in their order, whatever stands between them', () => {
  const key = fc.oneof(
    fc.stringMatching(/^[ab]{1,8}$/).map((id) => idKey(1, id)),
    fc.nat(9).map((seq) => seqKey('k', 2, seq)),
    fc.nat(9).map((seq) => tombstoneKey(1, 5, seq)),
    fc.uint8Array({ maxLength: 7 }),
  );
  fc.assert(
    fc.property(fc.array(key, { minLength: 60, maxLength: 90 }), (keys) => {
      const rows = keys.map(row);
      const ordered = inOrder(rows);
      expect(ordered.length).toBe(rows.length);
      for (const each of rows) {
        const same = ([key]: Entry) => compareBytes(key, each[0]) === 0;
        expect(ordered.filter(same)).toEqual(rows.filter(same));
      }
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('a few rows stay as they come', () => {
  const rows = [row(idKey(1, 'b'), 0), row(idKey(1, 'a'), 1)];
  expect(inOrder(rows)).toEqual(rows);
});
