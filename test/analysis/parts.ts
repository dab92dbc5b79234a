import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { charFilters } from '../../host/analysis/charFilters.js';
import { CompiledAnalyzer } from '../../host/analysis/compile.js';
import { filters } from '../../host/analysis/filters.js';
import { DefinitionSettings } from '../../host/analysis/settings.js';
import { tokenizers } from '../../host/analysis/tokenizers.js';

/** A part by name, or its definition. */
export type PartDefinition = string | ({ type: string } & Record<string, unknown>);

/** An analyzer as in index settings, its parts in place. */
export interface ChainDefinition {
  char_filter?: PartDefinition[];
  tokenizer: PartDefinition;
  filter?: PartDefinition[];
}

/** A line of a file of recorded chains. */
export interface RecordedChain {
  chain: ChainDefinition;
  cases: [
    text: string,
    tokens: [token: string, start: number, end: number, type: string, position: number][],
  ][];
}

export function readChains(name: string): RecordedChain[] {
  return readFileSync(resolve(import.meta.dirname, '../fixtures/analysis', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedChain);
}

function make<P>(
  factories: ReadonlyMap<string, (settings: DefinitionSettings, context: never) => P>,
  part: PartDefinition,
): P {
  const definition = typeof part === 'string' ? { type: part } : part;
  const factory = factories.get(definition.type);
  if (factory === undefined) throw new Error(`there is no ${definition.type}`);
  return factory(new DefinitionSettings('x', definition), undefined as never);
}

/** What the host makes of a definition. */
export function compileChain(chain: ChainDefinition): CompiledAnalyzer {
  return new CompiledAnalyzer({
    charFilters: (chain.char_filter ?? []).map((part) => make(charFilters, part)),
    tokenizer: make(tokenizers, chain.tokenizer),
    filters: (chain.filter ?? []).flatMap((part) => make(filters, part)),
  });
}
