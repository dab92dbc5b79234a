/** The completion suggester: what a text that is being typed may become. */
import { withAnythingBehind } from '../automata/behind.js';
import { fuzzyBytesAutomaton, MOST_BYTES } from '../automata/fuzzyAutomaton.js';
import type { TermMatcher } from '../plan/termMatcher.js';
import { editsOf, readFuzziness } from '../query/term/fuzziness.js';
import { fuzzyMatcher } from '../query/term/termMatchers.js';
import { ElasticsearchError, illegalArgument, ofLimit, parseFailure } from '../errors.js';
import { classCast } from '../compat17/javaCasts.js';
import { CompletionField, combinations } from '../mapping/completion.js';
import { behindContexts } from '../mapping/completionEntry.js';
import type { LeafField } from '../mapping/field.js';
import { booleanOf, strictIntOf, isCompound, isObject, type JsonObject } from '../json/values.js';
import {
  type Compiled,
  type Entry,
  noneTold,
  readCommon,
  type SuggestContext,
  type SuggestShard,
  underscored,
} from './context.js';
import { heaviest } from './heaviestEntries.js';
import { ownValue } from '../ownNames.js';

/** How far completions may be from what is typed. */
interface Fuzzy {
  edits: number;
  transpositions: boolean;
  /** Shorter texts are taken as they are. */
  minLength: number;
  prefixLength: number;
  /** Whether lengths and edits are of characters; else of their bytes. */
  unicodeAware: boolean;
}

const DEFAULT_FUZZY: Fuzzy = {
  edits: 1,
  transpositions: true,
  minLength: 3,
  prefixLength: 1,
  unicodeAware: false,
};

/** More ways to look a text up than this are refused. */
const MAX_LOOKUPS = 256;

export function completionSuggester(body: JsonObject, context: SuggestContext): Compiled {
  const common = noneTold();
  let fuzzy: Fuzzy | undefined;
  let contexts: JsonObject | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (isObject(value)) {
      if (name === 'fuzzy') fuzzy = readFuzzy(value);
      else if (name === 'context') contexts = value;
      else throw illegalArgument(`suggester [completion] doesn't support field [${name}]`);
    } else if (value === null || isCompound(value)) {
      throw illegalArgument(`suggester[completion]  doesn't support field [${name}]`);
    } else if (!readCommon(common, name, value, context) && name === 'fuzzy' && typeof value === 'boolean') {
      fuzzy = value ? DEFAULT_FUZZY : undefined;
    }
  }
  const { field: name, size } = common;
  const mapped = name === undefined ? undefined : context.model.find(name)?.field;
  if (mapped !== undefined && !(mapped instanceof CompletionField)) throw notCompletion(mapped);
  const heads = mapped === undefined ? [''] : headsOf(mapped, contexts);
  const of = (text: string) => ({
    size,
    order: 'score' as const,
    async run(shard: SuggestShard): Promise<Entry[]> {
      if (mapped === undefined)
        throw new ElasticsearchError(
          'ElasticsearchException',
          `Field [${name}] is not a completion suggest field`,
        );
      const refusal = (fuzzy && problemOf(fuzzy)) ?? reservedIn(text);
      // Only who has something to look the text up in looks at it.
      if (refusal !== undefined && (await hasEntries(shard, mapped.entries.number)))
        throw new ElasticsearchError('IllegalArgumentException', refusal);
      // An analyzer that is given must be there, and no more.
      const readings = mapped.readings(text, mapped.searchAnalyzer());
      const matchers = heads.flatMap((head) => readings.map((reading) => matcherOf(head, reading, fuzzy)));
      if (matchers.length > MAX_LOOKUPS)
        throw ofLimit(illegalArgument(`the completion has more than ${MAX_LOOKUPS} contexts and readings`));
      const options = await heaviest(shard, mapped.entries.number, matchers, size);
      return [{ text, offset: 0, length: text.length, options }];
    },
  });
  return { field: name, of };
}

/** What stands before the completions of a request's contexts. */
function headsOf(field: CompletionField, given: JsonObject | undefined): string[] {
  if (field.contexts.length === 0) {
    if (given !== undefined) throw illegalArgument("suggester [completion] doesn't expect any context");
    return [''];
  }
  if (given === undefined) throw illegalArgument('suggester [completion] requires context to be setup');
  const known = new Set(field.contexts.map(({ name }) => name));
  for (const name of Object.keys(given))
    if (!known.has(name)) throw parseFailure(`no mapping defined for [${name}]`);
  return combinations(field.contexts.map((each) => each.asked(ownValue(given, each.name)))).map(
    behindContexts,
  );
}

const MAPPERS: Record<string, string> = {
  string: 'core.StringFieldMapper',
  long: 'core.LongFieldMapper',
  integer: 'core.IntegerFieldMapper',
  short: 'core.ShortFieldMapper',
  byte: 'core.ByteFieldMapper',
  double: 'core.DoubleFieldMapper',
  float: 'core.FloatFieldMapper',
  date: 'core.DateFieldMapper',
  boolean: 'core.BooleanFieldMapper',
  binary: 'core.BinaryFieldMapper',
  token_count: 'core.TokenCountFieldMapper',
  ip: 'ip.IpFieldMapper',
  geo_point: 'geo.GeoPointFieldMapper',
  geo_shape: 'geo.GeoShapeFieldMapper',
};

/** 500: a field of another type, in Java's words. */
function notCompletion({ type }: LeafField): ElasticsearchError {
  const mapper = 'org.elasticsearch.index.mapper';
  return classCast(`${mapper}.${MAPPERS[type] ?? type}`, `${mapper}.core.CompletionFieldMapper`);
}

function readFuzzy(body: JsonObject): Fuzzy {
  const fuzzy = { ...DEFAULT_FUZZY };
  for (const [name, value] of Object.entries(body)) {
    if (value === null || isCompound(value)) continue;
    switch (underscored(name)) {
      case 'fuzziness':
      case 'edit_distance':
        fuzzy.edits = editsOf(readFuzziness(value), ANY_TEXT);
        break;
      case 'transpositions':
        fuzzy.transpositions = booleanOf(value);
        break;
      case 'unicode_aware':
        fuzzy.unicodeAware = booleanOf(value);
        break;
      case 'min_length':
        fuzzy.minLength = strictIntOf(value);
        break;
      case 'prefix_length':
        fuzzy.prefixLength = strictIntOf(value);
        break;
    }
  }
  return fuzzy;
}

/** As for a text of five characters, whatever the text is. */
const ANY_TEXT = 'xxxxx';

/** Settings that no text can be completed with, as Lucene's fuzzy suggester says it. */
function problemOf({ minLength, prefixLength }: Fuzzy): string | undefined {
  if (prefixLength < 0) return `nonFuzzyPrefix must not be >= 0 (got ${prefixLength})`;
  if (minLength < 0) return `minFuzzyLength must not be >= 0 (got ${minLength})`;
  return undefined;
}

const RESERVED: Record<string, string> = {
  '\u001e': 'HOLE character U+001E',
  '\u001f': 'unit separator character U+001F',
};

/** The first character of a text that divides entries, as Lucene's suggester says it. */
function reservedIn(text: string): string | undefined {
  const found = Array.from(text).find((character) => character in RESERVED);
  return found && `lookup key cannot contain ${RESERVED[found]}; this character is reserved`;
}

/** Whether a shard has completions of a field. */
async function hasEntries(shard: SuggestShard, field: number): Promise<boolean> {
  const { fields } = await shard.statistics([field]);
  return fields[0]!.segments > 0;
}

const utf8 = new TextEncoder();

/** The entries that begin with a reading, or with what is like it, behind contexts that are as they are. */
function matcherOf(head: string, reading: string, fuzzy: Fuzzy | undefined): TermMatcher {
  const exact = (): TermMatcher => ({ type: 'prefix', prefix: utf8.encode(head + reading) });
  if (fuzzy === undefined || fuzzy.edits === 0) return exact();
  const { edits, prefixLength, minLength, transpositions } = fuzzy;
  const bytes = utf8.encode(reading);
  const length = fuzzy.unicodeAware ? Array.from(reading).length : bytes.length;
  if (length <= prefixLength || length < minLength || bytes.length > MOST_BYTES) return exact();
  if (!fuzzy.unicodeAware) {
    const fixed = [...utf8.encode(head), ...bytes.subarray(0, prefixLength)];
    const rest = bytes.subarray(prefixLength);
    const automaton = fuzzyBytesAutomaton(Uint8Array.from(fixed), rest, edits, transpositions);
    return { type: 'wildcard', pattern: reading, automaton: withAnythingBehind(automaton) };
  }
  const fixed = Array.from(head).length + prefixLength;
  const matcher = fuzzyMatcher(head + reading, edits, fixed, transpositions);
  if (!('automaton' in matcher)) return matcher;
  return { type: 'wildcard', pattern: reading, automaton: withAnythingBehind(matcher.automaton) };
}
