/** Readers find the same documents whatever the pieces they are given, and from the place of any of them on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentSink, ReaderOptions } from '../../host/cli/import/documents.js';
import { type Format, HAS_LINES, readerOf } from '../../host/cli/import/format.js';
import { BEGINNING, type Place } from '../../host/cli/remote/place.js';

/** Small, so that some documents are too long. */
const MOST = 60;
const options: ReaderOptions = {
  isIndexNamed: false,
  id: undefined,
  most: MOST,
  delimiter: undefined,
  isText: false,
};

interface Found {
  what: string;
  place: Place;
}

class Finds implements DocumentSink {
  readonly found: Found[] = [];

  document(head: string | undefined, id: string | undefined, source: Uint8Array | undefined, place: Place) {
    this.#add({ head, id, source: source === undefined ? undefined : Buffer.from(source).toString() }, place);
  }
  unnamed(meta: object, source: Uint8Array, place: Place) {
    this.#add({ meta, source: Buffer.from(source).toString() }, place);
  }
  refuse(reason: string, source: string, place: Place) {
    // Of what is too long, a part is told.
    this.#add(reason.startsWith('longer than') ? { reason } : { reason, source }, place);
  }
  #add(what: object, place: Place) {
    this.found.push({ what: JSON.stringify(what), place });
  }
}

/** What a reader finds in a text that comes in pieces, from a place on; and what it throws. */
function read(format: Format, bytes: Buffer, pieces: readonly number[], from: Place = BEGINNING) {
  const finds = new Finds();
  const begin = HAS_LINES.has(format) ? from.offset : 0;
  const reader = readerOf(format, finds, options, from, begin);
  let problem = '';
  try {
    let at = begin;
    for (const piece of pieces) {
      // A reader may not keep what it was given.
      const chunk = Buffer.from(bytes.subarray(at, at + piece));
      reader.push(chunk);
      chunk.fill(0x21);
      at += piece;
    }
    reader.push(Buffer.from(bytes.subarray(at)));
    reader.end();
  } catch (e) {
    problem = String(e);
  }
  return { found: finds.found, place: reader.place, problem };
}

const text = fc.string({
  unit: fc.constantFrom('a', 'ü', '"', '\\', ',', '\n', '[', ']', '{', '}', ' ', '\r'),
  maxLength: 40,
});
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(text, fc.integer(), fc.constant(null)));
const line = fc.oneof(
  { weight: 5, arbitrary: object.map((value) => JSON.stringify(value)) },
  fc.constantFrom('', ' ', 'x', '{'),
);
const end = fc.constantFrom('\n', '\r\n');
const lines = (of: fc.Arbitrary<string>) =>
  fc.tuple(fc.array(fc.tuple(of, end)), fc.boolean()).map(([all, isCut]) => {
    const whole = all.flat().join('');
    return isCut ? whole.slice(0, -1) : whole;
  });
const action = fc.constantFrom(
  '{"index":{"_id":"1"}}',
  '{"create":{}}',
  '{"delete":{"_id":"2"}}',
  '{"update":{"_id":"3"}}',
);
const cell = fc.oneof(
  fc.constantFrom('', '1', '1.5', '01', 'true'),
  text.map((value) => `"${value.replaceAll('"', '""')}"`),
);

const texts: Record<Format, fc.Arbitrary<string>> = {
  jsonl: lines(line),
  hits: lines(
    fc.oneof(
      line,
      object.map((value) => `{"_id":"1","_version":2,"_source":${JSON.stringify(value)}}`),
    ),
  ),
  bulk: lines(fc.oneof(line, action)),
  json: fc
    .tuple(
      fc.array(
        fc.oneof(
          object.map((value) => JSON.stringify(value, null, 1)),
          fc.constantFrom('5', '""', '[]'),
        ),
      ),
      fc.boolean(),
    )
    .map(([all, isCut]) => (isCut ? `[${all.join(' ,\n')}` : ` [${all.join(',')}] `)),
  csv: lines(fc.array(cell, { minLength: 2, maxLength: 2 }).map((cells) => cells.join(','))).map(
    (rows) => `x,y\n${rows}`,
  ),
  tsv: lines(fc.array(cell, { minLength: 2, maxLength: 2 }).map((cells) => cells.join('\t'))).map(
    (rows) => `x\ty\n${rows}`,
  ),
};
const pieces = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });

describe.each(Object.keys(texts) as Format[])('%s', (format) => {
  it('whatever the pieces', () => {
    fc.assert(
      fc.property(texts[format], pieces, (whole, cuts) => {
        const bytes = Buffer.from(whole);
        expect(read(format, bytes, cuts)).toEqual(read(format, bytes, []));
      }),
    );
  });

  it('from the place of any document on', () => {
    fc.assert(
      fc.property(texts[format], fc.nat(), pieces, (whole, which, cuts) => {
        const bytes = Buffer.from(whole);
        const all = read(format, bytes, []);
        if (all.found.length === 0) return;
        const at = which % all.found.length;
        const from = all.found[at]!.place;
        const rest = read(format, bytes, cuts, from);
        expect(rest.found).toEqual(all.found.slice(at));
        expect([rest.place, rest.problem]).toEqual([all.place, all.problem]);
        expect(read(format, bytes, cuts, all.place).found).toEqual(
          all.problem === '' ? [] : expect.any(Array),
        );
      }),
    );
  });
});
