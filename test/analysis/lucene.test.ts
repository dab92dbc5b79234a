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

/** The tokens recorded for a code point in all contexts, one a line. */
function expectedTokens(c: number, reading: readonly string[]): Token[] {
  const letter = String.fromCodePoint(c);
  const tokens: Token[] = [];
  let offset = 0;
  for (const [i, context] of codePoints.contexts.entries()) {
    const widths = [...context].map((x) => (x === 'X' ? letter.length : x.length));
    const place = (k: number): number => offset + widths.slice(0, k).reduce((sum, width) => sum + width, 0);
    const low = lowerCase.get(c);
    const lowered = context.replaceAll('X', low === undefined ? letter : String.fromCodePoint(low));
    for (const part of (reading[i] as string).split(' ').filter((p) => p !== '')) {
      const [, from, to, type] = part.match(/^(\d+)-(\d+):(.*)$/) as unknown as [
        string,
        string,
        string,
        string,
      ];
      tokens.push({
        token: [...lowered].slice(Number(from), Number(to)).join(''),
        start: place(Number(from)),
        end: place(Number(to)),
        position: tokens.length + 1,
        type,
      });
    }
    offset = place(widths.length) + 1;
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
      const reading = codePoints.readings[number] as string[];
      const text = codePoints.contexts.map((x) => x.replaceAll('X', String.fromCodePoint(c))).join('\n');
      demand(core.analyze(text), expectedTokens(c, reading), `U+${c.toString(16)}`);
    }
  });
});

describe('the model', () => {
  it('makes of texts what Lucene makes of them', () => {
    for (const recorded of texts) expect(standardTokens(recorded.text)).toEqual(tokensOf(recorded));
  });
});
