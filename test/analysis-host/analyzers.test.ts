import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';
import { loadCore } from '../../host/core/instance.js';
import { ChainRunner } from '../../host/analysis/chainRunner.js';
import { BUILDS, coreBuilds } from '../support/cores.js';

type Recorded = [token: string, start: number, end: number, type: string, position: number];

const file = resolve(import.meta.dirname, '../fixtures/analysis/analyzers.json.gz');
const { texts, analyzers } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
  texts: string[];
  analyzers: Record<string, Recorded[][]>;
};
const cores = await coreBuilds('resilin');

describe.each(BUILDS)('the analyzers of 1.7, %s build', async (build) => {
  const core = await loadCore(cores[build]);
  const registry = new AnalyzerRegistry(new ChainRunner(() => core).run);

  it.each(Object.keys(analyzers))('%s makes of texts what Lucene makes of them', (name) => {
    const analyzer = registry.analyzer(name)!;
    texts.forEach((text, i) => {
      const tokens = analyzer
        .analyze(text)
        .map(({ term, startOffset, endOffset, type, position }) => [
          term,
          startOffset,
          endOffset,
          type,
          position,
        ]);
      expect(tokens, JSON.stringify(text)).toEqual(analyzers[name]![i]);
    });
  });
});
