/** Formats besides JSON are written and read in turns, to the same bytes as at once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cborInTurns, cborToJson, writeCbor } from '../../host/formats/cbor.js';
import { encodeFormat } from '../../host/formats/binaryFormats.js';
import { smileInTurns, smileToJson, writeSmile } from '../../host/formats/smile.js';
import { parseRaw } from '../../host/json/rawJson.js';
import { yamlOf } from '../../host/rest/yaml.js';
import { atOnce, type Turns } from '../../host/workLimit.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What work in turns comes to, each of which is over at once, and how many they are. */
function inTurns(make: (isDue: () => boolean) => Turns<Uint8Array>): { bytes: Uint8Array; turns: number } {
  const work = make(() => true);
  for (let turns = 0; ; turns++) {
    const { done, value } = work.next();
    if (done === true) return { bytes: value, turns };
  }
}

const FORMATS = [
  { format: 'cbor', write: writeCbor, read: cborToJson, readInTurns: cborInTurns },
  { format: 'smile', write: writeSmile, read: smileToJson, readInTurns: smileInTurns },
] as const;

describe.each(FORMATS)('$format', ({ format, write, read, readInTurns }) => {
  it('is what the value is, whatever the blanks in its text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1), (value, blanks) => {
        const text = JSON.stringify(value, undefined, blanks);
        const { bytes } = inTurns((isDue) => encodeFormat(format, bytesOf(text), isDue));
        expect(bytes).toEqual(write(parseRaw(text)));
        expect(textOf(inTurns((isDue) => readInTurns(bytes, undefined, isDue)).bytes)).toBe(
          textOf(read(bytes)),
        );
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('of what is JSON for 1.7 only is that of its value', () => {
    for (const [lax, strict] of [
      ['{a:1}', '{"a":1}'],
      ['{"a":{b:[1]}}', '{"a":{"b":[1]}}'],
      ['{"a":1} // so it is', '{"a":1}'],
    ])
      expect(atOnce(encodeFormat(format, bytesOf(lax!)))).toEqual(write(parseRaw(strict!)));
  });

  it('stops for others at each value', () => {
    const text = JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i })));
    const { bytes, turns } = inTurns((isDue) => encodeFormat(format, bytesOf(text), isDue));
    expect(turns).toBeGreaterThanOrEqual(499);
    expect(inTurns((isDue) => readInTurns(bytes, undefined, isDue)).turns).toBeGreaterThanOrEqual(499);
  });
});

describe('YAML', () => {
  const yaml = (value: unknown) => textOf(atOnce(yamlOf(bytesOf(JSON.stringify(value)))));

  it.each([
    [1, '--- 1\n'],
    ['a', '--- "a"\n'],
    [{}, '--- {}\n'],
    [[], '--- []\n'],
    [{ a: 1, b: 'c' }, '---\na: 1\nb: "c"\n'],
    [[1, [2, 3], {}], '---\n- 1\n- - 2\n  - 3\n- {}\n'],
    [{ a: { b: [] }, c: [{ d: 1, e: [2] }] }, '---\na:\n  b: []\nc:\n- d: 1\n  e:\n  - 2\n'],
    [[{ a: { b: 1 } }], '---\n- a:\n    b: 1\n'],
  ])('of %j', (value, text) => {
    expect(yaml(value)).toBe(text);
  });

  it('breaks long texts at blanks, further to the right below', () => {
    const text = Array.from({ length: 30 }, () => 'word').join(' ');
    const lines = yaml({ a: [{ b: text }] }).split('\n');
    expect(lines.slice(0, 2)).toEqual(['---', 'a:']);
    expect(lines[2]).toMatch(/^- b: "word( word)*\\$/);
    expect(lines[3]).toMatch(/^ {4}\\ word/);
  });

  it('stops for others at each value', () => {
    const json = bytesOf(JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i }))));
    expect(inTurns((isDue) => yamlOf(json, isDue)).turns).toBeGreaterThanOrEqual(499);
  });
});
