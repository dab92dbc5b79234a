/** Lists of words as the core's stages take them. */
import { illegalArgument } from '../../errors.js';
import { type IsDue, longPart } from '../../passes.js';
import { atOnce, type Turns } from '../../workLimit.js';
import { Args } from '../args.js';
import { MANY_WORDS } from '../wordLists.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

/** Each code point in lower case on its own, as Java's `Character.toLowerCase(int)` has it. */
export function lowerCase(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  let lower = '';
  for (const letter of text) {
    const [first] = letter.toLowerCase();
    lower += first ?? letter;
  }
  return lower;
}

/** A word list's flag that it is compared in lower case. */
const IGNORE_CASE = 1;

/** What a word costs in steps of a long part. */
const WORD_STEPS = 4;

/** The arguments of `assembly/analysis/wordList.ts`; `flags` from bit 1 on are the stage's. */
export function writeWordList(args: Args, words: Iterable<string>, ignoreCase: boolean, flags = 0): Args {
  return atOnce(wordListInTurns(args, words, ignoreCase, flags, () => false));
}

function* wordListInTurns(
  args: Args,
  words: Iterable<string>,
  ignoreCase: boolean,
  flags: number,
  isDue: IsDue,
): Turns<Args> {
  const set = new Set<string>();
  for (const word of words) {
    if (isDue(WORD_STEPS)) yield;
    set.add(ignoreCase ? lowerCase(word) : word);
  }
  return yield* args.u8((ignoreCase ? IGNORE_CASE : 0) | flags).wordsInTurns(set, isDue);
}

/** A stage that takes nothing but a word list; a long one is a long part (passes.ts) of the list that {@link wordList} gave. */
export function wordListPart(
  kind: number,
  words: Iterable<string>,
  ignoreCase: boolean,
  flags = 0,
): CorePart {
  if (!Array.isArray(words) || words.length <= MANY_WORDS)
    return corePart(kind, (args) => writeWordList(args, words, ignoreCase, flags));
  const args = longPart(words, `stage ${kind} ${ignoreCase} ${flags}`, function* (isDue) {
    return (yield* wordListInTurns(new Args(), words, ignoreCase, flags, isDue)).bytes();
  });
  return { kind, args };
}

/** The texts of a list that can also lie in a file, which is refused; undefined where there is neither. */
export function inlineList(settings: DefinitionSettings, key: string): string[] | undefined {
  refuseFile(settings, `${key}_path`);
  return settings.list(key);
}

/** Refuses a setting that names a file: an index depends on nothing outside of it. */
export function refuseFile(settings: DefinitionSettings, key: string): void {
  if (settings.has(key)) throw illegalArgument(`[${key}] is not supported, give the list inline`);
}
