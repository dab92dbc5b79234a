import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { parsedSize } from '../../host/json/parsedSize.js';
import { parseLax } from '../../host/json/laxJson.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const BYTES = 1_000_000;
const many = (piece: string | ((i: number) => string)) => {
  const pieces: string[] = [];
  for (let i = 0, length = 0; length < BYTES; i++) {
    const next = typeof piece === 'string' ? piece : piece(i);
    pieces.push(next);
    length += next.length + 1;
  }
  return pieces.join(',');
};
const list = (piece: string | ((i: number) => string)) => `["",${many(piece)}]`;

/** What the value of a text takes in the heap, as V8 says. */
function taken(json: Uint8Array): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const text = new TextDecoder().decode(json);
  const kept = [text, parseLax(text)];
  collect();
  const after = process.memoryUsage().heapUsed;
  expect(kept.length).toBe(2);
  return after - before;
}

it.each([
  ['lists', list('[]')],
  ['objects', list('{}')],
  ['lists in lists', list(`${'['.repeat(900)}${']'.repeat(900)}`)],
  ['objects in objects', list(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)],
  ['objects of shapes of their own', list((i) => `{"${i.toString(36)}":1}`)],
  ['names', `{${many((i) => `"${i.toString(36)}":1`)}}`],
  ['short numbers', list('1')],
  ['fractions', list('1.5')],
  ['numbers that keep how they are written', list('1e9')],
  ['numbers of many digits', list('12345678901234567890')],
  ['short texts', list((i) => `"${i.toString(36)}"`)],
  ['a long text', `["${'abcdefgh'.repeat(BYTES / 8)}"]`],
  ['a text of wide characters', `["${'中'.repeat(BYTES / 3)}"]`],
  ['a single wide character', `["中${'abcdefgh'.repeat(BYTES / 8)}"]`],
  ['clauses', list('{"term":{"a":"b"}}')],
])('the estimate for %s is about what they take', (_, text) => {
  const json = new TextEncoder().encode(text);
  const estimate = parsedSize(json);
  const real = taken(json);
  // Too little where all is at its worst, by less than a half; too much where all is harmless.
  expect(real / estimate).toBeLessThan(2);
  expect(estimate / real).toBeLessThan(13);
});
