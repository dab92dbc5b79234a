/**
 * How fast does text become terms?
 *
 * Measured: tokenStart and tokenNext to the end of each text (tokens, lower-cased, hashed; assembly/kernels/loops.ts), on texts of the
 * lengths that documents have, 2 MB in all. English, then Czech (many two-byte letters), Russian and Chinese sentences; they are made from a
 * few words each with a seeded generator. Not measured: the term table, UTF-16 offsets, copying the text in.
 */
import { joined } from '../kernels.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const BYTES = 2 << 20;

const vocabularies: Record<string, { words: string[]; space: string; words_a_text: number }> = {
  'English, 90 words': {
    words:
      'the of and in a to is for was with that by it as on this from at which be has function returns window pointer value created during system government population American university information international'.split(
        ' ',
      ),
    space: ' ',
    words_a_text: 90,
  },
  'English, 6 words': {
    words: 'the Portrait of a Young Man with landscape and Figures untitled Study for Composition'.split(' '),
    space: ' ',
    words_a_text: 6,
  },
  'Czech, 20 words': {
    words:
      'a v se na je že který příklad společnost může být několik počítač důležité světa roku státní'.split(
        ' ',
      ),
    space: ' ',
    words_a_text: 20,
  },
  'Russian, 20 words': {
    words: 'и в не на что он с по это как город человек время который государство язык России'.split(' '),
    space: ' ',
    words_a_text: 20,
  },
  'Chinese, 40 characters': {
    words: [...'的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会'],
    space: '',
    words_a_text: 40,
  },
};

/** Texts one after the other, and their lengths. */
function makeTexts({ words, space, words_a_text }: (typeof vocabularies)[string]): [Uint8Array, Uint32Array] {
  let state = 1;
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const encoder = new TextEncoder();
  const texts: string[] = [];
  for (let bytes = 0; bytes < BYTES; ) {
    const count = 1 + random(2 * words_a_text);
    const parts = Array.from({ length: count }, () => {
      const word = words[random(words.length)] as string;
      return random(12) === 0 ? `${word},` : word;
    });
    const text = `${parts.join(space)}.`;
    texts.push(text);
    bytes += encoder.encode(text).length;
  }
  return joined(texts);
}

function question(title: string, isAsked: (name: string) => boolean): Question {
  function cases(subjects: Subjects): Case[] {
    const asked = Object.entries(vocabularies).filter(([name]) => isAsked(name));
    return asked.map(([name, vocabulary]) => {
      const kernels = subjects.kernels();
      const { calls } = kernels;
      const [texts, lengths] = makeTexts(vocabulary);
      const [at, sizes] = [kernels.block(texts.length), kernels.block(lengths.byteLength)];
      kernels.bytes.set(texts, at);
      kernels.bytes.set(new Uint8Array(lengths.buffer), sizes);
      const bytes = texts.length;
      return { name, items: bytes, bytes, run: () => void calls.tokenizeAll(at, sizes, lengths.length) };
    });
  }
  return { title, item: 'byte', cases };
}

const isEnglish = (name: string): boolean => name.startsWith('English');
export const analyzeEnglish = question('standard analyzer, English', isEnglish);
export const analyzeOthers = question('standard analyzer, other languages', (name) => !isEnglish(name));
