import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { type Operation, readBatch } from '../model/naiveDocuments.js';

const utf8 = new TextEncoder();

test('batches read back as they were written, whatever the texts', () => {
  const field = fc.nat(0xfffe);
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 200 }));
  const value = fc.oneof(
    fc.record({ field, text }),
    fc.record({ field, bytes: fc.uint8Array({ maxLength: 30 }) }),
  );
  const operation = fc.oneof(
    fc.record({ index: fc.maxSafeNat(), values: fc.array(value, { maxLength: 6 }) }),
    fc.record({ delete: fc.maxSafeNat() }),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
      const batch = new BatchWriter(1);
      const expected: Operation[] = [];
      for (const each of operations) {
        if ('delete' in each) {
          batch.delete(each.delete);
          expected.push({ delete: each.delete });
          continue;
        }
        batch.index(each.index, () => {
          for (const value of each.values) {
            if ('text' in value) batch.text(value.field, value.text);
            else batch.term(value.field, value.bytes);
          }
        });
        const values = each.values.map((v) => ({
          field: v.field,
          bytes: 'text' in v ? utf8.encode(v.text) : v.bytes,
        }));
        expected.push({ index: each.index, values });
      }
      expect(batch.operations).toBe(operations.length);
      expect(readBatch(batch.bytes())).toEqual(expected);
      batch.reset();
      expect(batch.bytes().length).toBe(0);
    }),
  );
});

test('a document that fails leaves nothing behind', () => {
  const batch = new BatchWriter(4);
  batch.delete(1);
  expect(() =>
    batch.index(2, () => {
      batch.text(3, 'x'.repeat(1000));
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(readBatch(batch.bytes())).toEqual([{ delete: 1 }]);
});
