// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// The kinds of stages, as they stand in the definition of a chain (assembly/analysis/README.md, *Chains*).

// The kinds of stages: character filters below 32, then tokenizers, from 64 on token filters.
export const KIND_MAPPING: u32 = 1;
export const KIND_HTML_STRIP: u32 = 2;
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
/** Gives the filtered text and its map of offsets to the host. */
export const KIND_FILTERED_TEXT: u32 = 44;
export const KIND_LOWERCASE: u32 = 64;
export const KIND_STOP: u32 = 65;
export const KIND_STEM: u32 = 66;
export const KIND_KEYWORD_MARKER: u32 = 67;
export const KIND_UPPERCASE: u32 = 68;
export const KIND_ASCIIFOLDING: u32 = 69;
export const KIND_NGRAM: u32 = 70;
export const KIND_EDGE_NGRAM: u32 = 71;
export const KIND_SYNONYM: u32 = 72;
export const KIND_SHINGLE: u32 = 73;
export const KIND_UNIQUE: u32 = 74;
export const KIND_LENGTH: u32 = 75;
export const KIND_TRUNCATE: u32 = 76;
export const KIND_REVERSE: u32 = 77;
export const KIND_TRIM: u32 = 78;
export const KIND_LIMIT: u32 = 79;
export const KIND_WORD_DELIMITER: u32 = 80;
export const KIND_ELISION: u32 = 81;
export const KIND_APOSTROPHE: u32 = 82;
export const KIND_STEMMER_OVERRIDE: u32 = 83;
export const KIND_KEYWORD_REPEAT: u32 = 84;
export const KIND_COMMON_GRAMS: u32 = 85;
export const KIND_COMMON_GRAMS_QUERY: u32 = 86;
export const KIND_CJK_WIDTH: u32 = 87;
export const KIND_CJK_BIGRAM: u32 = 88;
export const KIND_KEEP_TYPES: u32 = 89;
export const KIND_DELIMITED_PAYLOAD: u32 = 90;
export const KIND_SUGGEST_STOP: u32 = 91;
export const KIND_NORMALIZE: u32 = 92;
export const KIND_CLASSIC_FILTER: u32 = 120;
