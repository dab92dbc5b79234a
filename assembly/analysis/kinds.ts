// The ranges of the kinds of stages (abi/stages.ts).

/** From here on tokenizers. */
export const FIRST_TOKENIZER: u32 = 32;

/** From here on token filters. */
export const FIRST_FILTER: u32 = 64;
