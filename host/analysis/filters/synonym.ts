import { illegalArgument } from '../../errors.js';
import { Args } from '../args.js';
import type { FilterContext } from '../filterFactory.js';
import { StageKind } from '../../core/abi/stages.js';
import type { CorePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { readSynonyms, type SynonymEntry } from './synonymRules.js';
import { lowerCase, refuseFile } from './words.js';

/** Java's white space, and the length at which the whitespace tokenizer cuts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some are white space
const WHITESPACE = /[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+/;
const LONGEST = 255;

/** The filter `synonym`: `synonyms`, `format`, `expand`, `ignore_case`, `tokenizer`. */
export function synonym(settings: DefinitionSettings, context: FilterContext): CorePart[] {
  const rules = settings.list('synonyms');
  if (rules === undefined) {
    if (!settings.has('synonyms_path')) {
      throw illegalArgument('synonym requires either `synonyms` or `synonyms_path` to be configured');
    }
    refuseFile(settings, 'synonyms_path');
  }
  const ignoreCase = settings.flag('ignore_case', false);
  const tokenizer = settings.text('tokenizer', 'whitespace');
  const split = (text: string): string[] => {
    if (tokenizer === 'whitespace') {
      const words = text.split(WHITESPACE).filter((word) => word !== '');
      if (words.every((word) => word.length < LONGEST)) return words;
    }
    return context.tokenize(tokenizer, text, settings);
  };
  const entries = readSynonyms(rules ?? [], {
    wordnet: settings.text('format')?.toLowerCase() === 'wordnet',
    expand: settings.flag('expand', true),
    words: ignoreCase ? (text) => split(text).map(lowerCase) : split,
  });
  if (entries.length === 0) return [];
  return [{ kind: StageKind.synonym, args: encodeSynonyms(entries, ignoreCase) }];
}

const NONE = 0xffff_ffff;

/** The automaton of `assembly/analysis/synonyms.ts`. */
export function encodeSynonyms(entries: readonly SynonymEntry[], ignoreCase: boolean): Uint8Array {
  const words = new Map<string, number>();
  const numberOf = (word: string): number => {
    let number = words.get(word);
    if (number === undefined) {
      number = words.size;
      words.set(word, number);
    }
    return number;
  };
  for (const { input } of entries) numberOf(input[0]!);
  const heads = words.size;

  // State 0 is the beginning, 1 + w the one behind head w; only they need no moves that lead to them.
  const moves = new Moves(heads + 1);
  const phrases = new RepositoryLocations((args, phrase: readonly string[]) => {
    args.u32(phrase.length);
    for (const word of phrase) args.text(word);
  });
  const outputs = new Args();
  const outputPlaces: number[] = new Array(heads + 1).fill(NONE);
  let outputBytes = 0;
  let context = 1;
  for (const { input, outputs: texts } of entries) {
    let state = 1 + numberOf(input[0]!);
    for (let i = 1; i < input.length; i++) {
      state = moves.to(state, numberOf(input[i]!));
      if (state === outputPlaces.length) outputPlaces.push(NONE);
    }
    outputPlaces[state] = outputBytes;
    outputs.u32(texts.length);
    for (const text of texts) {
      outputs.u32(phrases.of(text.join('\0'), text));
      context = Math.max(context, text.length);
    }
    outputBytes += 4 + texts.length * 4;
    context = Math.max(context, input.length);
  }

  const args = new Args()
    .u8(ignoreCase ? 1 : 0)
    .u32(context)
    .u32(heads)
    .words(words)
    .u32(moves.states);
  const table = new Args();
  let count = 0;
  for (let state = 0; state < moves.states; state++) {
    args.u32(count).u32(outputPlaces[state]!);
    for (const [word, to] of moves.sorted(state)) {
      table.u32(word).u32(to);
      count++;
    }
  }
  args.u32(count).raw(table.bytes());
  for (const part of [outputs.bytes(), phrases.bytes()]) args.u32(part.length).raw(part);
  return args.bytes();
}

/** From this number of moves on, a state looks them up. */
const MANY = 16;

/** Which word leads from which state to which. */
class Moves {
  /** Per state its moves, a word and a state each, one after the other; a million states have one or none. */
  readonly #lists: (number[] | undefined)[];
  readonly #maps = new Map<number, Map<number, number>>();

  constructor(states: number) {
    this.#lists = new Array(states).fill(undefined);
  }

  get states(): number {
    return this.#lists.length;
  }

  /** The state that a word leads to, a new one where it led nowhere. */
  to(state: number, word: number): number {
    let list = this.#lists[state];
    if (list === undefined) {
      list = [];
      this.#lists[state] = list;
    }
    let map = this.#maps.get(state);
    if (map === undefined) {
      for (let i = 0; i < list.length; i += 2) if (list[i] === word) return list[i + 1]!;
      if (list.length >= 2 * MANY) {
        map = new Map(this.sorted(state));
        this.#maps.set(state, map);
      }
    } else {
      const known = map.get(word);
      if (known !== undefined) return known;
    }
    const to = this.#lists.push(undefined) - 1;
    list.push(word, to);
    map?.set(word, to);
    return to;
  }

  /** A state's moves by ascending word. */
  sorted(state: number): [word: number, to: number][] {
    const list = this.#lists[state] ?? [];
    const pairs: [number, number][] = [];
    for (let i = 0; i < list.length; i += 2) pairs.push([list[i]!, list[i + 1]!]);
    return pairs.sort(([a], [b]) => a - b);
  }
}

/** Things written once each, found again by a key. */
class RepositoryLocations<T> {
  readonly #places = new Map<string, number>();
  readonly #args = new Args();
  readonly #write: (args: Args, thing: T) => void;
  #length = 0;

  constructor(write: (args: Args, thing: T) => void) {
    this.#write = write;
  }

  of(key: string, thing: T): number {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#length;
      this.#places.set(key, place);
      this.#write(this.#args, thing);
      this.#length = this.#args.length;
    }
    return place;
  }

  bytes(): Uint8Array {
    return this.#args.bytes();
  }
}
