/** The suggestions of a request: `{"text"?, name: {"text"?, "term" | "phrase" | "completion": {…}}}`. */
import { illegalArgument, ofLimit } from '../errors.js';
import { isCompound, isObject, type JsonObject, textOf } from '../json/values.js';
import { completionSuggester } from './completionSuggester.js';
import type { Compiled, SuggestContext, Suggestion } from './context.js';
import { stage } from '../passes.js';
import { phraseSuggester } from './phraseSuggester.js';
import { checkReach, type Reach } from '../query/reach.js';
import { termSuggester } from './termSuggester.js';

type Suggester = (body: JsonObject, context: SuggestContext) => Compiled;

/** What is suggested are words of all documents, and completions are such documents. */
export const SUGGESTER_KINDS: ReadonlyMap<string, { read: Suggester; reach: Reach }> = new Map([
  ['term', { read: termSuggester, reach: 'index' }],
  ['phrase', { read: phraseSuggester, reach: 'index' }],
  ['completion', { read: completionSuggester, reach: 'index' }],
]);

/** Lists in lists are looked into as deep as this. */
const MAX_DEPTH = 16;

/** Characters of a text: a word takes automata that are as large as it is long. */
const MAX_TEXT = 256 * 1024;

/** Compiles them for an index, by name. */
export function compileSuggest(body: unknown, context: SuggestContext): Map<string, Suggestion> {
  const read = new Map<string, { compiled: Compiled; text: string | undefined }>();
  let shared: string | undefined;
  for (const [name, value] of entriesOf(body)) {
    if (isObject(value)) {
      // Of thousands, others may have a turn between.
      const one = stage(value, 'suggestion', () => readOne(value, context));
      if (one !== undefined) read.set(name, one);
    } else if (value !== null && !isCompound(value)) {
      if (name !== 'text') throw illegalArgument(`[suggest] does not support [${name}]`);
      shared = textOf(value);
    }
  }
  const suggestions = new Map<string, Suggestion>();
  for (const [name, { compiled, text = shared }] of read) {
    if (compiled.field === undefined) throw illegalArgument('The required field option is missing');
    if (text === undefined) throw illegalArgument('The required text option is missing');
    if (text.length > MAX_TEXT)
      throw ofLimit(
        illegalArgument(
          `a text to suggest for may have at most ${MAX_TEXT} characters, this one has ${text.length}`,
        ),
      );
    suggestions.set(name, compiled.of(text));
  }
  return suggestions;
}

/** The members of an object; 1.7 reads over the brackets of lists, and takes what is in them one after the other. */
function entriesOf(body: unknown): [string, unknown][] {
  return Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.flat(MAX_DEPTH).map((each): [string, unknown] => [name, each])
      : [[name, value]],
  );
}

function readOne(
  body: JsonObject,
  context: SuggestContext,
): { compiled: Compiled; text: string | undefined } | undefined {
  let text: string | undefined;
  let compiled: Compiled | undefined;
  for (const [key, value] of entriesOf(body)) {
    if (isObject(value)) {
      const kind = SUGGESTER_KINDS.get(key);
      if (kind === undefined) throw illegalArgument(`Suggester[${key}] not supported`);
      checkReach(key, kind.reach, context.confined);
      compiled = kind.read(value, context);
    } else if (value !== null && !isCompound(value)) {
      if (key !== 'text') throw illegalArgument(`[suggest] does not support [${key}]`);
      text = textOf(value);
    }
  }
  return compiled === undefined ? undefined : { compiled, text };
}
