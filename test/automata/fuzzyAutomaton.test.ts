import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeDfa } from '../../host/automata/dfa.js';
import { fuzzyAutomaton } from '../../host/automata/fuzzyAutomaton.js';
import { levenshtein } from '../../host/automata/levenshtein.js';

/** The states of an automaton's bytes. */
function states(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  const list = Array.from({ length: view.getUint32(0, true) }, () => {
    const [accept, least, n] = [view.getUint8(at), view.getUint8(at + 1), view.getUint16(at + 2, true)];
    const to = new Int32Array(256).fill(-1);
    let above = -1;
    for (let edge = 0; edge < n; edge++) {
      const from = at + 4 + 8 * edge;
      const [low, high] = [view.getUint8(from), view.getUint8(from + 1)];
      expect(low).toBeGreaterThan(above);
      expect(high).toBeGreaterThanOrEqual(low);
      above = high;
      to.fill(view.getUint32(from + 4, true), low, high + 1);
    }
    at += 4 + 8 * n;
    return { accept, least, to };
  });
  expect(at).toBe(bytes.length);
  return list;
}

/** Walks both at once: wherever the same bytes lead, both accept with the same, and can still accept with the same. */
function same(a: Uint8Array, b: Uint8Array): void {
  const [first, second] = [states(a), states(b)];
  const met = new Set(['0,0']);
  const pairs: [number, number][] = [[0, 0]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = [first[pair[0]]!, second[pair[1]]!];
    if (x.accept !== y.accept || x.least !== y.least) throw new Error(`${x.least}, ${y.least} at ${pair}`);
    for (let byte = 0; byte < 256; byte++) {
      const [to, other] = [x.to[byte]!, y.to[byte]!];
      if (to < 0 !== other < 0) throw new Error(`${byte.toString(16)} leads on in one alone, at ${pair}`);
      if (to < 0 || met.has(`${to},${other}`)) continue;
      met.add(`${to},${other}`);
      pairs.push([to, other]);
    }
  }
}

it('is the automaton that is made of a word by itself', () => {
  const letter = fc.constantFrom(
    'a',
    'b',
    'c',
    '\0',
    '\x7f',
    'é',
    'è',
    'д',
    'ж',
    '検',
    '索',
    '퟿',
    '😀',
    '😁',
    '\u{10ffff}',
  );
  fc.assert(
    fc.property(
      fc.array(letter, { maxLength: 7 }),
      fc.constantFrom(0, 1, 1, 2, 2, 2),
      fc.nat(3),
      fc.boolean(),
      (letters, most, prefix, transpositions) => {
        const word = letters.join('');
        same(
          fuzzyAutomaton(word, most, prefix, transpositions),
          encodeDfa(levenshtein(word, most, prefix, transpositions)),
        );
      },
    ),
    { seed: 5, numRuns: 60 },
  );
});

it('is so for long words, words of one letter and halves of characters', () => {
  for (const word of [
    '',
    'a',
    'aaaaaaaaaaaa',
    'abababababab',
    'electroencephalogram',
    'распределённый',
    'a\ud800b',
  ])
    for (const most of [1, 2])
      for (const transpositions of [false, true])
        same(
          fuzzyAutomaton(word, most, 0, transpositions),
          encodeDfa(levenshtein(word, most, 0, transpositions)),
        );
});
