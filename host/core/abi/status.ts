// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

/** Status codes of the core's calls. */

/** What a call of the core has come to. */
export const Status = {
  ok: 0,
  /** An argument is out of range or refers to nothing: shard, field, segment. */
  argument: -1,
  /** Linear memory is exhausted (4 GiB, or what the embedder allows). The call changed nothing. */
  memory: -2,
  /** A plan that is truncated, too deep, or not a plan. */
  plan: -3,
  /** A batch of operations that is truncated or names unknown fields. */
  batch: -4,
  /** A segment image with a wrong magic number, version, size, checksum or structure. */
  image: -5,
  /** A request that exceeds a bound of the core: clauses, depth, hits. */
  limit: -6,
  /** A query that would have more than 1,024 clauses, had its terms been filled in. */
  clauses: -7,
  /** An analyzer that needs the dictionary of KStem, which `kstemDefine` has not got yet. */
  dictionary: -8,
  /** A function score needs the value of a field that a document lacks. */
  value: -9,
  /** A function of a value is no finite number. The result is the value as f64, and the function's modifier as u8. */
  number: -10,
  /** A search needs the uids of documents: `segmentSetUids` for every segment that lacks them. */
  uids: -11,
  /** The host has stopped the call (search/budget.ts), which has no answer in parts. */
  interrupted: -12,
  /** An analyzer that needs the automaton of uax_url_email, which `uaxUrlEmailDefine` has not got yet. */
  automaton: -13,
  /** A search needs more values of a field in memory than `fielddataLimit` allows: this less the field's number. */
  fielddata: -0x10000,
  /** A phrase has a word that occurs where its field has no positions: this less the field's number. The result is the word. */
  phrasePositions: -0x20000,
  /** The same of a word of a span query. */
  spanPositions: -0x30000,
} as const;
export type Status = (typeof Status)[keyof typeof Status];
