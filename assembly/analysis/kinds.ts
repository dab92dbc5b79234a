/**
 * The kinds of stages, as they stand in a chain's definition (README.md, *Chains*); `host/analysis/kinds.ts` names the
 * same numbers.
 */
export const KIND_MAPPING: u32 = 1;
export const KIND_HTML_STRIP: u32 = 2;

/** From here on tokenizers. */
export const FIRST_TOKENIZER: u32 = 32;
export const KIND_STANDARD: u32 = 32;
export const KIND_KEYWORD: u32 = 33;
export const KIND_WHITESPACE: u32 = 34;
export const KIND_LETTER: u32 = 35;
export const KIND_NGRAM_TOKENIZER: u32 = 36;
export const KIND_EDGE_NGRAM_TOKENIZER: u32 = 37;
export const KIND_PATH_HIERARCHY: u32 = 38;
export const KIND_CLASSIC: u32 = 39;
export const KIND_UAX_URL_EMAIL: u32 = 40;
/** Reads tokens that were made elsewhere. */
export const KIND_GIVEN: u32 = 41;
export const KIND_CHINESE: u32 = 42;
export const KIND_STANDARD_LIMITED: u32 = 43;

/** From here on token filters. */
export const FIRST_FILTER: u32 = 64;
export const KIND_LOWERCASE: u32 = 64;
export const KIND_STOP: u32 = 65;
export const KIND_STEM: u32 = 66;
export const KIND_KEYWORD_MARKER: u32 = 67;
