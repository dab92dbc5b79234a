/** What each part of an analyzer makes of a text. */
import { StageKind } from '../core/abi/stages.js';
import type { Token } from './analyzer.js';
import { CompiledAnalyzer, type RunChain } from './compile.js';
import { corePart } from './part.js';
import type { StagedParts } from './stages.js';

/** What a part has made of what it was given. */
export interface Stage<Kind extends 'charFilter' | 'tokenizer' | 'filter'> {
  kind: Kind;
  name: string;
  type: string;
}

/** A stage that can be run: the analyzer up to it. */
export type RunnableStage =
  | (Stage<'charFilter'> & { text: (text: string) => string })
  | (Stage<'tokenizer' | 'filter'> & { tokens: (text: string) => Token[] });

/**
 * The stages of an analyzer in their order. Each runs the analyzer from its beginning up to that part, as a field would, so that what it gives is
 * what the next part is given: offsets are those of the text before any char filter.
 */
export function stagesOf({ charFilters, tokenizer, filters }: StagedParts, run: RunChain): RunnableStage[] {
  const texts = charFilters.map(({ parts: [part] }) => part);
  const [tokens] = tokenizer.parts;
  return [
    ...charFilters.map(({ name, type }, i): RunnableStage => {
      const upToHere = new CompiledAnalyzer({
        charFilters: texts.slice(0, i + 1),
        tokenizer: corePart(StageKind.filteredText),
        filters: [],
      });
      // The first token is the filtered text.
      return { kind: 'charFilter', name, type, text: (text) => upToHere.analyze(text, run)[0]?.term ?? '' };
    }),
    ...[undefined, ...filters].map((filter, i): RunnableStage => {
      const upToHere = new CompiledAnalyzer({
        charFilters: texts,
        tokenizer: tokens,
        filters: filters.slice(0, i).flatMap(({ parts }) => parts),
      });
      const { name, type } = filter ?? tokenizer;
      const kind = filter === undefined ? 'tokenizer' : 'filter';
      return { kind, name, type, tokens: (text) => upToHere.analyze(text, run) };
    }),
  ];
}
