import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CompiledAnalyzer } from '../../host/analysis/compile.js';
import type { FilterContext } from '../../host/analysis/filterFactory.js';
import { filters, filtersByName } from '../../host/analysis/filters.js';
import { DefinitionSettings } from '../../host/analysis/settings.js';
import { tokenizers } from '../../host/analysis/tokenizers.js';
import { AnalysisCore, BUILDS } from '../analysis/core.js';

type Definition = string | { type: string };
interface Recorded {
  chain: { tokenizer: Definition; filter: Definition[] };
  tokens: [token: string, start: number, end: number, type: string, position: number][][];
}

const fixture = resolve(import.meta.dirname, '../fixtures/analysis/filters.jsonl');
const [textsLine, ...chainLines] = readFileSync(fixture, 'utf8').trimEnd().split('\n');
const texts = JSON.parse(textsLine!) as string[];
const chains = chainLines.map((line) => JSON.parse(line) as Recorded);

function settingsOf(definition: Definition): [type: string, settings: DefinitionSettings] {
  if (typeof definition === 'string') return [definition, new DefinitionSettings(definition, {})];
  return [definition.type, new DefinitionSettings('x', { ...definition })];
}

describe.each(BUILDS)('token filters, %s build', (build) => {
  const core = new AnalysisCore(build);
  const context: FilterContext = {
    tokenize: (tokenizer, text) =>
      analyzer({ tokenizer, filter: [] })
        .analyze(text, core.run)
        .map((t) => t.term),
  };

  function analyzer(chain: Recorded['chain']): CompiledAnalyzer {
    const [type, settings] = settingsOf(chain.tokenizer);
    return new CompiledAnalyzer({
      charFilters: [],
      tokenizer: tokenizers.get(type)!(settings),
      filters: chain.filter.flatMap((definition) => {
        const [filter, settingsOfFilter] = settingsOf(definition);
        const byName = typeof definition === 'string' ? filtersByName.get(filter) : undefined;
        return (byName ?? filters.get(filter))!(settingsOfFilter, context);
      }),
    });
  }

  it.each(chains.map((recorded) => [JSON.stringify(recorded.chain), recorded] as const))(
    'makes of texts what Lucene makes of them: %s',
    (_name, { chain, tokens }) => {
      const compiled = analyzer(chain);
      texts.forEach((text, i) => {
        const got = compiled
          .analyze(text, core.run)
          .map((t) => [t.term, t.startOffset, t.endOffset, t.type, t.position]);
        expect(got, text).toEqual(tokens[i]);
      });
    },
  );
});
