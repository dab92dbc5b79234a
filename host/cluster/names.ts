import { InvalidName } from './errors.js';

const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
/** Tokens of a subject, at most. */
const MAX_TOKENS = 8;

/**
 * The name, when it is one of letters, digits, `_` and `-`, with at most 128 of them. What users name, such as an index, is mapped to
 * such a name above this folder.
 * @throws InvalidName
 */
export function checkedName(what: 'log' | 'node' | 'question', name: string): string {
  if (!TOKEN.test(name)) throw new InvalidName(what, name);
  return name;
}

/**
 * The subject, when it is one: up to eight names with dots between them, as in `shard.3`.
 * @throws InvalidName
 */
export function checkedSubject(subject: string): string {
  const tokens = subject.split('.', MAX_TOKENS + 1);
  if (tokens.length > MAX_TOKENS || !tokens.every((token) => TOKEN.test(token)))
    throw new InvalidName('subject', subject);
  return subject;
}
