/** The tokenizers by type, and by name where an analyzer names one that has no definition. */
import { notOffered } from '../errors.js';
import { StageKind } from '../core/abi/stages.js';
import { corePart, type TokenizerPart } from './part.js';
import { DefinitionSettings } from './settings.js';
import { classicTokenizer } from './tokenizers/classic.js';
import { edgeNgramTokenizer, ngramTokenizer } from './tokenizers/grams.js';
import { keywordTokenizer } from './tokenizers/keyword.js';
import { pathHierarchyTokenizer } from './tokenizers/pathHierarchy.js';
import { patternTokenizer } from './tokenizers/pattern.js';
import { standardTokenizer } from './tokenizers/standard.js';
import { uaxUrlEmailTokenizer } from './tokenizers/uaxUrlEmail.js';

/** Makes a tokenizer of its settings; throws an {@link ElasticsearchError} that says what is wrong with them. */
export type TokenizerFactory = (settings: DefinitionSettings) => TokenizerPart;

const LOWER_CASE = 1;

export const tokenizers: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['standard', standardTokenizer],
  ['keyword', keywordTokenizer],
  ['whitespace', () => corePart(StageKind.whitespace, (args) => args.u8(0))],
  ['letter', () => corePart(StageKind.letter, (args) => args.u8(0))],
  ['lowercase', () => corePart(StageKind.letter, (args) => args.u8(LOWER_CASE))],
  ['classic', classicTokenizer],
  ['uax_url_email', uaxUrlEmailTokenizer],
  ['ngram', ngramTokenizer],
  ['nGram', ngramTokenizer],
  ['edge_ngram', edgeNgramTokenizer],
  ['edgeNGram', edgeNgramTokenizer],
  ['pattern', patternTokenizer],
  ['path_hierarchy', pathHierarchyTokenizer],
  ['PathHierarchy', pathHierarchyTokenizer],
  [
    'thai',
    () => {
      throw notOffered('the thai tokenizer, which needs a dictionary of the language,');
    },
  ],
]);

/** Lucene's own default, which counts where the tokenizer is named alone: the first character. */
const FIRST_CHARACTER = new DefinitionSettings('edge_ngram', { max_gram: 1 });

/** What names mean that have no definition. */
export const tokenizersByName: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ...[...tokenizers].filter(([name]) => name !== 'PathHierarchy'),
  ['edge_ngram', () => edgeNgramTokenizer(FIRST_CHARACTER)],
  ['edgeNGram', () => edgeNgramTokenizer(FIRST_CHARACTER)],
]);
