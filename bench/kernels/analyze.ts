/**
 * How fast does text become terms?
 *
 * Measured: tokenStart and tokenNext to the end of each text (tokens, lower-cased, hashed; assembly/testing/analysis.ts), on texts of the
 * lengths that documents have, 2 MB in all. English, then Czech (many two-byte letters), Russian and Chinese sentences; they are made from a
 * few words each with a seeded generator. Not measured: the term table, UTF-16 offsets, copying the text in.
 */
import { compile } from './compile.js';
import type { Case, Question } from './question.js';

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
  const encoder = new TextEncoder();
  let state = 1;
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const texts: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < BYTES) {
    const count = 1 + random(2 * words_a_text);
    const parts = Array.from({ length: count }, () => {
      const word = words[random(words.length)] as string;
      return random(12) === 0 ? `${word},` : word;
    });
    const text = encoder.encode(`${parts.join(space)}.`);
    texts.push(text);
    bytes += text.length;
  }
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const text of texts) {
    all.set(text, at);
    at += text.length;
  }
  return [all, Uint32Array.from(texts, (text) => text.length)];
}

interface AnalysisExports {
  memory: WebAssembly.Memory;
  requestAlloc(bytes: number): number;
  tokenizeAll(texts: number, lengths: number, count: number): number;
}

/** The analysis modules, compiled now: they are not part of the kernels' build. */
function open(): AnalysisExports {
  const module = compile('assembly/testing/analysis.ts', 'build/analysis.release.wasm');
  const instance = new WebAssembly.Instance(module, {});
  return instance.exports as unknown as AnalysisExports;
}

function question(title: string, isAsked: (name: string) => boolean, target?: number): Question {
  function cases(): Case[] {
    const core = open();
    const asked = Object.entries(vocabularies).filter(([name]) => isAsked(name));
    return asked.map(([name, vocabulary]) => {
      const [texts, lengths] = makeTexts(vocabulary);
      const ptr = core.requestAlloc(texts.length);
      const lengthsPtr = core.requestAlloc(lengths.byteLength);
      new Uint8Array(core.memory.buffer).set(texts, ptr);
      new Uint32Array(core.memory.buffer).set(lengths, lengthsPtr >>> 2);
      return { name, work: texts.length, run: () => void core.tokenizeAll(ptr, lengthsPtr, lengths.length) };
    });
  }
  const figure = (bytes: number, ms: number): number => bytes / ms / 1e3;
  return {
    title,
    unit: 'MB/s',
    figure,
    better: 'higher',
    cases,
    ...(target === undefined ? {} : { target }),
  };
}

const isEnglish = (name: string): boolean => name.startsWith('English');
export const analyzeEnglish = question('standard analyzer, English', isEnglish, 150);
export const analyzeOthers = question('standard analyzer, other languages', (name) => !isEnglish(name));
