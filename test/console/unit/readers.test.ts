/** The console reads files as `resilin import` does: the same documents, ids and refusals, whatever the pieces they come in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Format, formatOf, readerOf } from '../../../console/src/views/transfer/reading/format.js';
import { formatOf as formatOfCommand, readerOf as readerOfCommand } from '../../../host/cli/import/format.js';
import { BEGINNING } from '../../../host/cli/remote/place.js';

const MOST = 60;
type Options = { isIndexNamed: boolean; id: string | undefined };

/** What was found, one line each: long documents without their sources, whose bytes and characters differ. */
function told(kind: string, line: number, ...rest: unknown[]): string {
  const [reason] = rest;
  const isLong = typeof reason === 'string' && reason.startsWith('longer than');
  if (typeof reason === 'string' && reason.startsWith('no _index')) rest[0] = 'no _index';
  return JSON.stringify([kind, line, ...(isLong ? ['too long'] : rest)]);
}

function readHere(format: Format, text: string, pieces: readonly number[], options: Options): string[] {
  const found: string[] = [];
  const reader = readerOf(
    format,
    {
      document: (head, id, source, line) => found.push(told('document', line, head, id, source)),
      unnamed: (meta, source, line) => found.push(told('unnamed', line, meta, source)),
      refuse: (reason, source, line) => found.push(told('refused', line, reason, source)),
    },
    { ...options, most: MOST, delimiter: undefined, isText: false },
  );
  try {
    let at = 0;
    for (const piece of pieces) {
      reader.push(text.slice(at, at + piece));
      at += piece;
    }
    reader.push(text.slice(at));
    reader.end();
  } catch (error) {
    found.push(ended(error));
  }
  return found;
}

function readByCommand(format: Format, text: string, options: Options): string[] {
  const found: string[] = [];
  const textOf = (source: Uint8Array | undefined) =>
    source === undefined ? undefined : Buffer.from(source).toString();
  const reader = readerOfCommand(
    format,
    {
      document: (head, id, source, { line }) => found.push(told('document', line, head, id, textOf(source))),
      unnamed: (meta, source, { line }) => found.push(told('unnamed', line, meta, textOf(source))),
      refuse: (reason, source, { line }) => found.push(told('refused', line, reason, source)),
    },
    { ...options, most: MOST, delimiter: undefined, isText: false },
    BEGINNING,
    0,
  );
  try {
    reader.push(Buffer.from(text));
    reader.end();
  } catch (error) {
    found.push(ended(error));
  }
  return found;
}

/** Places are bytes there and characters here. */
function ended(error: unknown): string {
  return (error as Error).message
    .replace(/^(byte|character) \d+/, 'place')
    .replace(/ \(--max-document\)$/, '');
}

/** Only of one byte each: the longest document is counted in bytes there and in characters here. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '\\', ',', '\n', '[', ']', '{', '}', ' ', '\r'),
  maxLength: 40,
});
const object = fc.dictionary(
  fc.constantFrom('a', 'b', 'id', 'x.y'),
  fc.oneof(text, fc.integer(), fc.constant(null)),
);
const line = fc.oneof(
  { weight: 5, arbitrary: object.map((value) => JSON.stringify(value)) },
  fc.constantFrom('', ' ', 'x', '{', '{"id":12345678901234567890}', '{"x":{"y":1.50}}'),
);
const action = fc.constantFrom(
  '{"index":{"_id":"1"}}',
  '{"create":{}}',
  '{"delete":{"_id":"2"}}',
  '{"delete":{}}',
  '{"update":{"_id":3}}',
  '{"update":{}}',
  '{"index":{"_index":"i","_type":"t"}}',
);
const lines = (of: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(fc.tuple(of, fc.constantFrom('\n', '\r\n'))), fc.boolean())
    .map(([all, isCut]) => (isCut ? all.flat().join('').slice(0, -1) : all.flat().join('')));
const cell = fc.oneof(
  fc.constantFrom('', '1', '1.50', '-0', '01', '1e5', 'true', '123456789012345678', '1234567890123456789'),
  text.map((value) => `"${value.replaceAll('"', '""')}"`),
);
const rows = (delimiter: string) =>
  lines(fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(delimiter))).map(
    (all) => `id${delimiter}y\n${all}`,
  );
const texts: Record<Format, fc.Arbitrary<string>> = {
  jsonl: lines(line),
  hits: lines(
    fc.oneof(
      line,
      object.map(
        (value) =>
          `{"_id":"1","_version":2,"fields":{"_ttl":[5],"_routing":"r"},"_source":${JSON.stringify(value)}} `,
      ),
    ),
  ),
  bulk: lines(fc.oneof(line, action)),
  json: fc
    .tuple(
      fc.array(
        fc.oneof(
          object.map((value) => JSON.stringify(value, null, 1)),
          fc.constantFrom('5', '""', '[]', ''),
        ),
      ),
      fc.boolean(),
    )
    .map(([all, isCut]) => (isCut ? `[${all.join(' ,\n')}` : ` [${all.join(',')}] `)),
  csv: rows(','),
  tsv: rows('\t'),
};

describe.each(Object.keys(texts) as Format[])('%s', (format) => {
  it.each([undefined, 'id', 'x.y'])('with ids from %s', (id) => {
    const isTable = format === 'csv' || format === 'tsv';
    fc.assert(
      fc.property(
        texts[format],
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }),
        fc.boolean(),
        (content, pieces, isIndexNamed) => {
          const options = { id: isTable && id === 'x.y' ? undefined : id, isIndexNamed };
          expect(readHere(format, content, pieces, options)).toEqual(readByCommand(format, content, options));
        },
      ),
      { numRuns: 150 },
    );
  });
});

it.each([
  ['a.csv', 'a,b\n1,2\n'],
  ['a.tsv.gz', 'a\tb\n'],
  ['a.json', '\n [{"a":1}]'],
  ['a.json', '{"a":1}\n'],
  ['a.txt', '{"index":{}}\n{}\n'],
  ['a.txt', '{"_id":"1","_source":{}}\n'],
  ['a.bulk', 'x'],
  ['a.txt', 'x'],
  ['a.json', '{\n"a":1}'],
  ['a.ndjson', ''],
])('tells the format of %s that begins with %j alike', (name, head) => {
  const outcome = (tell: () => string) => {
    try {
      return tell();
    } catch {
      return 'none';
    }
  };
  expect(outcome(() => formatOf(name, head))).toBe(outcome(() => formatOfCommand(name, Buffer.from(head))));
});
