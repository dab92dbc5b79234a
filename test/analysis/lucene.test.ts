import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standardTokens, type Token } from '../model/standardTokenizer.js';
import { AnalysisCore, BUILDS } from './core.js';

const read = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../fixtures/analysis', name), 'utf8');

interface Recorded {
  text: string;
  tokens: [token: string, start: number, end: number, type: string][];
}
const texts = read('texts.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);

interface CodePoints {
  contexts: string[];
  readings: string[][];
  runs: [first: number, reading: number][];
  lower: [codePoint: number, lowerCase: number][];
}
const codePoints = JSON.parse(read('code-points.json')) as CodePoints;
const lowerCase = new Map(codePoints.lower);

/** Every `step`-th code point of planes that have letters, every 64th of the others, and where classes change. */
function* sweep(step: number): Generator<[codePoint: number, reading: number]> {
  const { runs } = codePoints;
  for (const [i, [first, reading]] of runs.entries()) {
    const next = runs[i + 1]?.[0] ?? 0x110000;
    for (let c = first; c < next; c++) {
      if (c >= 0xd800 && c < 0xe000) continue;
      const sparse = (c >= 0x30000 && c < 0xe0000) || c >= 0xe0400;
      if (c === first || c === next - 1 || c % (sparse ? 64 : step) === 0) yield [c, reading];
    }
  }
}

const CONTEXTS = codePoints.contexts.map((context) => [...context]);
/** What is recorded of each reading: for each context, its tokens from one character to another. */
const READINGS = codePoints.readings.map((reading) =>
  reading.map((line) =>
    line
      .split(' ')
      .filter((part) => part !== '')
      .map((part) => {
        const [, from, to, type] = part.match(/^(\d+)-(\d+):(.*)$/) as unknown as [
          string,
          string,
          string,
          string,
        ];
        return { from: Number(from), to: Number(to), type };
      }),
  ),
);

/** The tokens recorded for a code point in all contexts, one a line. */
function expectedTokens(c: number, reading: number): Token[] {
  const letter = String.fromCodePoint(c);
  const low = lowerCase.get(c);
  const lowered = low === undefined ? letter : String.fromCodePoint(low);
  const tokens: Token[] = [];
  let offset = 0;
  for (const [i, context] of CONTEXTS.entries()) {
    /** Where each character of the line begins in the text, and where the line ends. */
    const places = [offset];
    for (const x of context) places.push((places.at(-1) as number) + (x === 'X' ? letter.length : x.length));
    for (const { from, to, type } of READINGS[reading]![i]!) {
      let token = '';
      for (let k = from; k < to; k++) token += context[k] === 'X' ? lowered : context[k];
      tokens.push({
        token,
        start: places[from] as number,
        end: places[to] as number,
        position: tokens.length + 1,
        type,
      });
    }
    offset = (places.at(-1) as number) + 1;
  }
  return tokens;
}

/** Like `expect(got).toEqual(wanted)`, at the speed that a million calls need. */
function demand(got: readonly Token[], wanted: readonly Token[], what: string): void {
  const equal =
    got.length === wanted.length &&
    got.every((g, i) => {
      const w = wanted[i] as Token;
      return g.token === w.token && g.start === w.start && g.end === w.end && g.type === w.type;
    });
  if (!equal) expect(got, what).toEqual(wanted);
}

function tokensOf({ tokens }: Recorded): Token[] {
  return tokens.map(([token, start, end, type], i) => ({ token, start, end, position: i + 1, type }));
}

describe.each(BUILDS)('the standard analyzer, %s build', (build) => {
  const core = new AnalysisCore(build);

  it('makes of texts what Lucene makes of them', () => {
    for (const recorded of texts) expect(core.analyze(recorded.text)).toEqual(tokensOf(recorded));
  });

  it('takes every code point as Lucene takes it', () => {
    for (const [c, number] of sweep(build === 'release' ? 1 : 7)) {
      const text = codePoints.contexts.map((x) => x.replaceAll('X', String.fromCodePoint(c))).join('\n');
      demand(core.analyze(text), expectedTokens(c, number), `U+${c.toString(16)}`);
    }
  });
});

describe('the model', () => {
  it('makes of texts what Lucene makes of them', () => {
    for (const recorded of texts) expect(standardTokens(recorded.text)).toEqual(tokensOf(recorded));
  });
});
