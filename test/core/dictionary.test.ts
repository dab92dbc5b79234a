import { describe, expect, it } from 'vitest';
import { CompiledAnalyzer } from '../../host/analysis/compile.js';
import { filters } from '../../host/analysis/filters.js';
import { DefinitionSettings } from '../../host/analysis/settings.js';
import { tokenizers } from '../../host/analysis/tokenizers.js';
import { Core } from '../../host/core/instance.js';
import { coreBytes } from '../support/core.js';

function analyzer(language: string): CompiledAnalyzer {
  const settings = new DefinitionSettings('x', { language });
  return new CompiledAnalyzer({
    charFilters: [],
    tokenizer: tokenizers.get('standard')!(settings),
    filters: [filters.get('stemmer')!(settings, { tokenize: () => [] })].flat(),
  });
}

describe('the dictionary of KStem', () => {
  it('is handed over when an analyzer needs it', () => {
    const core = new Core(new WebAssembly.Module(coreBytes()));
    const stems = (language: string) =>
      analyzer(language)
        .analyze('Swiss ponies running definitions agreed', (chain, text) => {
          const handle = core.defineAnalyzer(chain);
          const tokens = core.analyze(handle, text);
          core.dropAnalyzer(handle);
          return tokens;
        })
        .map((token) => token.term);
    const before = core.memoryUsed();
    expect(stems('minimal_english')).toEqual(['Swiss', 'pony', 'running', 'definition', 'agreed']);
    expect(core.memoryUsed()).toBeLessThan(before + 10_000);
    expect(stems('light_english')).toEqual(['Swiss', 'pony', 'running', 'definition', 'agree']);
    expect(core.memoryUsed()).toBeGreaterThan(before + 400_000);
    const once = core.memoryUsed();
    stems('kstem');
    expect(core.memoryUsed()).toBe(once);
  });
});
