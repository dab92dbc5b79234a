/** LZ4 blocks: what is compressed comes back, any reader of the format can read it, and no bytes make the decoder do anything else than refuse. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Dictionary, MOST_DICTIONARY_BYTES, MOST_TEXT_BYTES } from '../../host/storage/dictionary.js';
import { compress, decompress } from '../../host/storage/lz4.js';

const NONE = new Dictionary(new Uint8Array(0));
const utf8 = new TextEncoder();
const bytesOf = (text: string) => utf8.encode(text);

/** A block as the description of the format says, byte by byte; undefined where it is none of a text of that length. */
function model(dictionary: Uint8Array, block: Uint8Array, length: number): Uint8Array | undefined {
  const text: number[] = [];
  let at = 0;
  const rest = (count: number): number => {
    if (count !== 15) return count;
    let sum = 15;
    for (;;) {
      const byte = block[at++];
      if (byte === undefined) return Number.POSITIVE_INFINITY;
      sum += byte;
      if (byte !== 255) return sum;
    }
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = rest(token >> 4);
    if (at + literals > block.length || text.length + literals > length) return undefined;
    for (let i = 0; i < literals; i++) text.push(block[at++]!);
    if (at === block.length) return text.length === length ? Uint8Array.from(text) : undefined;
    if (at + 2 > block.length) return undefined;
    const back = block[at]! + 256 * block[at + 1]!;
    at += 2;
    const match = 4 + rest(token & 15);
    if (back === 0 || back > text.length + dictionary.length || text.length + match > length)
      return undefined;
    for (let i = 0; i < match; i++) {
      const from = text.length - back;
      text.push(from < 0 ? dictionary[dictionary.length + from]! : text[from]!);
    }
  }
  return undefined;
}

/** What is behind the room that was given stays as it was. */
function decoded(dictionary: Dictionary, block: Uint8Array, length: number): Uint8Array | undefined {
  const room = new Uint8Array(length + 64).fill(0xa5);
  const isDone = decompress(dictionary, block, room.subarray(32, 32 + length));
  expect([...room.subarray(0, 32), ...room.subarray(32 + length)]).toEqual(new Array(64).fill(0xa5));
  return isDone ? room.slice(32, 32 + length) : undefined;
}

const words = [
  '"title":',
  '"body":"',
  'the ',
  'fox',
  ' and ',
  '2019-07-20',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'é',
  '\n',
  '{}',
];
const text = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(fc.constantFrom(...words), { maxLength: 200 }).map((list) => bytesOf(list.join(''))),
  fc
    .tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 20 }))
    .map(([length, period]) => Uint8Array.from({ length }, (_, i) => (i % period) * 37)),
);

it('what was compressed comes back, by the model as well', () => {
  fc.assert(
    fc.property(text, text, (prior, source) => {
      const dictionary = new Dictionary(prior);
      const block = compress(dictionary, source).slice();
      expect(model(prior, block, source.length)).toEqual(source);
      expect(decoded(dictionary, block, source.length)).toEqual(source);
    }),
    { numRuns: 2000 },
  );
});

it('ends with five literals, and begins no match in the last twelve bytes', () => {
  const source = bytesOf('0123456789'.repeat(30));
  const block = compress(NONE, source);
  expect(block.length).toBeLessThan(40);
  // The last sequence: a token for five literals, and these.
  expect([...block.subarray(-6)]).toEqual([0x50, ...bytesOf('56789')]);
  const short = bytesOf('aaaaaaaaaaaa');
  expect([...compress(NONE, short)]).toEqual([0xc0, ...short]);
});

it('decompresses what the description of the format allows', () => {
  const dictionary = new Dictionary(bytesOf('dictionary'));
  const of = (block: number[], length: number) => {
    const found = decoded(dictionary, Uint8Array.from(block), length);
    return found === undefined ? undefined : new TextDecoder().decode(found);
  };
  const [a, b] = bytesOf('ab') as unknown as [number, number];
  // Overlapping matches, of each distance and length.
  for (let back = 1; back <= 40; back++) {
    for (const more of [0, 1, 11, 14, 15, 40, 300]) {
      const literals = Array.from({ length: back }, (_, i) => 65 + i);
      const head = back < 15 ? [back << 4] : [0xf0, back - 15];
      const rest = more < 15 ? [] : more < 270 ? [more - 15] : [255, more - 270];
      head[0]! |= Math.min(more, 15);
      const block = Uint8Array.from([...head, ...literals, back, 0, ...rest, 0x10, a]);
      const length = back + more + 5;
      expect(decoded(NONE, block, length)).toEqual(model(NONE.bytes, block, length));
      expect(decoded(NONE, block, length)).toBeDefined();
    }
  }
  // All of the dictionary, and on into the text; its end.
  expect(of([0x27, a, b, 12, 0, 0x10, a], 14)).toBe('abdictionaryaa');
  expect(of([0x00, 4, 0, 0x10, a], 5)).toBe('narya');
  expect(of([0x00], 0)).toBe('');
  // Refused: a distance of 0, one beyond the dictionary, a text of another length, no end, cut off.
  expect(of([0x00, 0, 0, 0x10, a], 5)).toBeUndefined();
  expect(of([0x00, 11, 0, 0x10, a], 5)).toBeUndefined();
  expect(of([0x00, 4, 0, 0x10, a], 6)).toBeUndefined();
  expect(of([0x00, 4, 0, 0x10, a], 4)).toBeUndefined();
  expect(of([0x00, 4, 0], 4)).toBeUndefined();
  expect(of([0x00, 4], 4)).toBeUndefined();
  expect(of([0xf0, 255, 255], 600)).toBeUndefined();
  expect(of([0x0f, 4, 0, 255], 600)).toBeUndefined();
  expect(of([], 0)).toBeUndefined();
});

it('refuses all other bytes, and writes nothing elsewhere', () => {
  const change = fc.tuple(fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(change, { maxLength: 4 }),
      fc.nat(),
      fc.nat(),
      (prior, source, changes, cut, more) => {
        const dictionary = new Dictionary(prior);
        const whole = compress(dictionary, source).slice();
        for (const [at, value] of changes) whole[at % whole.length] = value;
        const block = cut % 3 === 0 ? whole.subarray(0, cut % (whole.length + 1)) : whole;
        const length = more % 3 === 0 ? more % 5000 : source.length;
        expect(decoded(dictionary, block, length)).toEqual(model(prior, block, length));
      },
    ),
    { numRuns: 4000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(400), (block, length) => {
      expect(decoded(NONE, block, length)).toEqual(model(NONE.bytes, block, length));
    }),
    { numRuns: 4000 },
  );
});

it('knows more dictionaries than it has room for', () => {
  const dictionaries = Array.from(
    { length: 70 },
    (_, i) => new Dictionary(bytesOf(`the dictionary number ${i}, `.repeat(9))),
  );
  const source = (i: number) => bytesOf(`a text for the dictionary number ${i}, and no other`);
  const blocks = dictionaries.map((dictionary, i) => compress(dictionary, source(i)).slice());
  for (const i of [0, 69, 1, 33, 0, 40, ...dictionaries.keys()])
    expect(decoded(dictionaries[i]!, blocks[i]!, source(i).length)).toEqual(source(i));
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(40);
});

it('takes texts and dictionaries of the largest size, and none beyond', () => {
  const noise = (length: number, seed: number) => {
    let state = seed;
    return Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return state >>> 24;
    });
  };
  const dictionary = new Dictionary(noise(MOST_DICTIONARY_BYTES, 1));
  expect(() => new Dictionary(noise(MOST_DICTIONARY_BYTES + 1, 1))).toThrow(RangeError);
  for (const source of [noise(MOST_TEXT_BYTES, 2), new Uint8Array(MOST_TEXT_BYTES), dictionary.bytes]) {
    const block = compress(dictionary, source).slice();
    expect(block.length).toBeLessThanOrEqual(source.length + Math.ceil(source.length / 255) + 16);
    expect(decoded(dictionary, block, source.length)).toEqual(source);
  }
  // A match at the largest distance, and what is one byte further away.
  for (const gap of [65_500, 65_535, 65_536]) {
    const source = new Uint8Array(MOST_TEXT_BYTES).map((_, i) => noise(256, 5)[i & 255]! ^ (i >> 8));
    source.copyWithin(Math.min(gap, MOST_TEXT_BYTES - 40), 0, 30);
    expect(decoded(dictionary, compress(dictionary, source).slice(), source.length)).toEqual(source);
  }
  expect(decompress(NONE, new Uint8Array(10), new Uint8Array(MOST_TEXT_BYTES + 1))).toBe(false);
  expect(decompress(NONE, new Uint8Array(200_000), new Uint8Array(10))).toBe(false);
});
