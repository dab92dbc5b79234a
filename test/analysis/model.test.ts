import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardTokens } from '../model/standardTokenizer.js';
import { longText, text } from './arbitraries.js';
import { AnalysisCore, BUILDS } from './core.js';

describe.each(BUILDS)('the standard analyzer, %s build', (build) => {
  const core = new AnalysisCore(build);

  it('finds the tokens that the grammar gives', () => {
    fc.assert(
      fc.property(text, (t) => {
        expect(core.analyze(t)).toEqual(standardTokens(t));
      }),
      { numRuns: 3000 },
    );
  });

  it('cuts long words where the grammar does', () => {
    fc.assert(
      fc.property(longText, (t) => {
        expect(core.analyze(t)).toEqual(standardTokens(t));
      }),
      { numRuns: 60 },
    );
  });
});
