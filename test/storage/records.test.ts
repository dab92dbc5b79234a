import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDocument } from '../../host/storage/storedDocuments.js';
import { decodeIdRecord, encodeIdRecord, kindRange, seqKey, seqOfKey } from '../../host/storage/records.js';
import { addDocument } from '../../host/storage/operationRows.js';
import { Rows } from '../../host/storage/rows.js';
import { compareBytes } from '../../host/storage/storage.js';
import { NO_DICTIONARIES } from '../support/noDictionaries.js';

describe('records', () => {
  it('documents come back as they were', () => {
    const document = fc.record({
      type: fc.string({ unit: 'grapheme' }),
      id: fc.string({ unit: 'grapheme' }),
      version: fc.maxSafeNat(),
      routing: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
      parent: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
      source: fc.uint8Array(),
    });
    fc.assert(
      fc.property(document, (doc) => {
        const rows = new Rows();
        const back = decodeDocument(rows.valueOf(addDocument(rows, 1, 1, doc)), NO_DICTIONARIES);
        expect({ ...back, source: [...back.source] }).toEqual({ ...doc, source: [...doc.source] });
      }),
    );
  });

  it('records of ids come back as they were', () => {
    for (const record of [
      { seq: 2 ** 40, version: Number.MAX_SAFE_INTEGER, deletedAt: 1_700_000_000_000 },
      { seq: 0, version: 1, deletedAt: 1_700_000_000_000 },
      { seq: 2 ** 48 - 2, version: 1, deletedAt: 0 },
      { seq: 2 ** 32 - 1, version: 1, deletedAt: 0 },
      { seq: 7, version: 2, deletedAt: 0 },
    ]) {
      expect(decodeIdRecord(encodeIdRecord(record))).toEqual(record);
    }
  });

  it('records of ids of older servers are read', () => {
    const bytes = new Uint8Array(25);
    const view = new DataView(bytes.buffer, 1);
    for (const [i, value] of [2 ** 40 + 1, 1, 0].entries()) view.setFloat64(8 * i, value);
    expect(decodeIdRecord(bytes.subarray(1))).toEqual({ seq: 2 ** 40 + 1, version: 1, deletedAt: 0 });
  });

  it('keys sort by number and lie in the range of their shard', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(2 ** 31), fc.nat({ max: 2 ** 31 }), (shard, a, b) => {
        const [x, y] = [a * 1000, b * 1000];
        const [kx, ky] = [seqKey('d', shard, x), seqKey('d', shard, y)];
        expect(Math.sign(compareBytes(kx, ky))).toBe(Math.sign(x - y));
        expect(seqOfKey(kx)).toBe(x);
        const [from, to] = kindRange('d', shard);
        expect(compareBytes(from, kx) <= 0 && compareBytes(kx, to) < 0).toBe(true);
      }),
    );
  });
});
