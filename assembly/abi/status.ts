// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// Status codes of the core's calls.

// What a call of the core has come to.
export const OK: i32 = 0;
/** An argument is out of range or refers to nothing: shard, field, segment. */
export const ERR_ARGUMENT: i32 = -1;
/** Linear memory is exhausted (4 GiB, or what the embedder allows). The call changed nothing. */
export const ERR_MEMORY: i32 = -2;
/** A plan that is truncated, too deep, or not a plan. */
export const ERR_PLAN: i32 = -3;
/** A batch of operations that is truncated or names unknown fields. */
export const ERR_BATCH: i32 = -4;
/** A segment image with a wrong magic number, version, size, checksum or structure. */
export const ERR_IMAGE: i32 = -5;
/** A request that exceeds a bound of the core: clauses, depth, hits. */
export const ERR_LIMIT: i32 = -6;
/** A query that would have more than 1,024 clauses, had its terms been filled in. */
export const ERR_CLAUSES: i32 = -7;
/** An analyzer that needs the dictionary of KStem, which `kstemDefine` has not got yet. */
export const ERR_DICTIONARY: i32 = -8;
/** A function score needs the value of a field that a document lacks. */
export const ERR_VALUE: i32 = -9;
/** A function of a value is no finite number. The result is the value as f64, and the function's modifier as u8. */
export const ERR_NUMBER: i32 = -10;
/** A search needs the uids of documents: `segmentSetUids` for every segment that lacks them. */
export const ERR_UIDS: i32 = -11;
/** The host has stopped the call (search/budget.ts), which has no answer in parts. */
export const ERR_INTERRUPTED: i32 = -12;
/** An analyzer that needs the automaton of uax_url_email, which `uaxUrlEmailDefine` has not got yet. */
export const ERR_AUTOMATON: i32 = -13;
/** A search needs more values of a field in memory than `fielddataLimit` allows: this less the field's number. */
export const ERR_FIELDDATA: i32 = -0x10000;
/** A phrase has a word that occurs where its field has no positions: this less the field's number. The result is the word. */
export const ERR_PHRASE_POSITIONS: i32 = -0x20000;
/** The same of a word of a span query. */
export const ERR_SPAN_POSITIONS: i32 = -0x30000;
