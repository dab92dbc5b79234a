/** Rows of documents, packed and plain: they come back as they were, and no bytes are taken for a document that has parts outside of them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dictionary } from '../../host/storage/dictionary.js';
import { addDocument } from '../../host/storage/operationRows.js';
import { addPackedDocument } from '../../host/storage/packedDocuments.js';
import { decodeText } from '../../host/storage/records.js';
import { Rows } from '../../host/storage/rows.js';
import {
  decodeDocument,
  dictionaryOf,
  documentUid,
  documentVersion,
  type StoredDocument,
} from '../../host/storage/storedDocuments.js';
import { MalformedRow, putVarint, varintAt, varintBytes, varintEnd } from '../../host/storage/varints.js';

const utf8 = new TextEncoder();
const dictionary = new Dictionary(
  utf8.encode('{"title":"the quick brown fox","tags":["one","two"],"number":'.repeat(3)),
);
const dictionaries = { get: (number: number) => (number === 7 ? dictionary : never(number)) };

function never(number: number): never {
  throw new RangeError(`no dictionary ${number}`);
}

function packed(document: StoredDocument, number = 7): Uint8Array {
  const rows = new Rows();
  const row = addPackedDocument(rows, 1, 1, document, number, dictionary);
  return rows.valueOf(row ?? addDocument(rows, 1, 1, document));
}

const plain = (document: StoredDocument) => {
  const rows = new Rows();
  return rows.valueOf(addDocument(rows, 1, 1, document));
};

const source = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .record({ title: fc.string(), number: fc.nat(), tags: fc.array(fc.constantFrom('one', 'two')) })
    .map((value) => utf8.encode(JSON.stringify(value))),
);
const word = fc.string({ unit: 'grapheme', maxLength: 200 });
const document = fc.record({
  type: fc.constantFrom('doc', 'tweet', 'é'),
  id: word,
  version: fc.oneof(fc.constant(1), fc.nat(), fc.constant(2n ** 62n)),
  routing: fc.option(word, { nil: undefined }),
  parent: fc.option(word, { nil: undefined }),
  timestamp: fc.option(fc.nat(), { nil: undefined }),
  expires: fc.option(fc.nat(), { nil: undefined }),
  source,
});

describe('a packed document', () => {
  it('comes back', () => {
    fc.assert(
      fc.property(document, (doc) => {
        for (const row of [packed(doc), plain(doc)]) {
          expect(decodeDocument(row, dictionaries)).toEqual(doc);
          expect(decodeText(documentUid(row))).toBe(`${doc.type}#${doc.id}`);
          expect(documentVersion(row)).toBe(doc.version);
        }
      }),
    );
  });

  it('has these bytes', () => {
    const doc = {
      type: 'doc',
      id: 'x',
      version: 1,
      routing: undefined,
      source: utf8.encode('{"title":"the quick brown fox","number":12345678901234567890}'),
    };
    const bytes = '03000703646f6301783d0f3d000d042800f00631323334353637383930313233343536373839307d';
    expect(Buffer.from(packed(doc)).toString('hex')).toBe(bytes);
    expect(decodeDocument(Buffer.from(bytes, 'hex'), dictionaries)).toMatchObject(doc);
  });

  it('is plain where packing takes no less room', () => {
    const of = (bytes: Uint8Array) =>
      dictionaryOf(packed({ type: 't', id: 'i', version: 1, routing: undefined, source: bytes }));
    expect(of(new Uint8Array(0))).toBeUndefined();
    expect(of(utf8.encode('{}'))).toBeUndefined();
    expect(of(Uint8Array.from({ length: 256 }, (_, i) => i))).toBeUndefined();
    expect(of(new Uint8Array(100))).toBe(7);
  });

  it('may be larger than what is packed in one piece', () => {
    const line = utf8.encode('{"title":"the quick brown fox","number":1},\n');
    for (const length of [65_535, 65_536, 65_537, 131_072, 200_001]) {
      const bytes = Uint8Array.from({ length }, (_, i) => line[i % line.length]!);
      const row = packed({ type: 't', id: 'i', version: 3, routing: 'r', source: bytes });
      expect(row.length).toBeLessThan(length / 20);
      expect(decodeDocument(row, dictionaries)).toMatchObject({ version: 3, routing: 'r' });
      expect(Buffer.compare(decodeDocument(row, dictionaries).source, bytes)).toBe(0);
      // A piece that is longer than the row.
      for (const cut of [row.length - 1, row.length - 20, 12])
        expect(() => decodeDocument(row.subarray(0, cut), dictionaries)).toThrow();
    }
  });

  it('keeps its own bytes when others are read', () => {
    const docs = Array.from({ length: 500 }, (_, i) => ({
      type: 't',
      id: `${i}`,
      version: 1,
      routing: undefined,
      source: utf8.encode(`{"title":"the quick brown fox","number":${i},"tags":["one","two"]}`),
    }));
    const read = docs.map((doc) => decodeDocument(packed(doc), dictionaries));
    expect(read.map((doc) => decodeText(doc.source))).toEqual(docs.map((doc) => decodeText(doc.source)));
  });

  it('of any other bytes is refused, or another document of bytes that it has', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 5 }), fc.nat(), (doc, changes, cut) => {
        const whole = packed(doc).slice();
        for (const [at, value] of changes) whole[at % whole.length] = value;
        const row = cut % 2 === 0 ? whole.subarray(0, cut % (whole.length + 1)) : whole;
        let found: StoredDocument;
        try {
          found = decodeDocument(row, dictionaries);
        } catch (e) {
          expect(e instanceof MalformedRow || e instanceof RangeError).toBe(true);
          return;
        }
        expect(found.source.length).toBeLessThanOrEqual(255 * row.length);
      }),
      { numRuns: 3000 },
    );
  });
});

it('a length takes as few bytes as it needs', () => {
  for (const value of [0, 1, 127, 128, 16_383, 16_384, 2 ** 28 - 1, 2 ** 28, 2 ** 32, 2 ** 35 - 1]) {
    const bytes = new Uint8Array(8).fill(0xff);
    const end = putVarint(bytes, 1, value);
    expect(end).toBe(1 + varintBytes(value));
    expect([varintAt(bytes, 1), varintEnd()]).toEqual([value, end]);
    expect(() => varintAt(bytes.subarray(0, end - 1), 1)).toThrow(MalformedRow);
  }
  expect(() => varintAt(new Uint8Array(9).fill(0x80), 0)).toThrow(MalformedRow);
});
