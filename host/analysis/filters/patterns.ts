/** The filters with regular expressions. */
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import type { Token, TokenList } from '../../core/result.js';
import { compileRegex, type Regex, type Span, STEPS_AT_ONCE } from '../../regex/regex.js';
import { Replacement } from '../../regex/replacement.js';
import type { Turns } from '../../workLimit.js';
import type { HostTokenFilter } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/** The filter `pattern_replace`: `pattern`, `flags`, `replacement`, `all`. */
export function patternReplace(settings: DefinitionSettings): HostTokenFilter {
  const text = settings.text('pattern');
  if (text === undefined) {
    throw illegalArgument(`pattern is missing for [${settings.name}] token filter of type 'pattern_replace'`);
  }
  const pattern = compileRegex(text, settings.text('flags'));
  const all = settings.flag('all', true);
  let replacement: Replacement;
  try {
    replacement = new Replacement(settings.text('replacement', ''), pattern);
  } catch (e) {
    // Java reads the replacement when there is something to replace.
    if (e instanceof ElasticsearchError) return failing(e);
    throw e;
  }
  return {
    stepsOfCharacter: pattern.stepsOf('a'),
    *filterTokens(list: TokenList): Turns<TokenList> {
      let steps = 0;
      for (const token of list.tokens) {
        steps += pattern.stepsOf(token.term);
        if (steps >= STEPS_AT_ONCE) {
          steps = 0;
          yield;
        }
        token.term = yield* replacement.apply(token.term, all);
      }
      return list;
    },
  };
}

/** The filter `pattern_capture`: `patterns`, `preserve_original`. */
export function patternCapture(settings: DefinitionSettings): HostTokenFilter {
  const texts = settings.list('patterns');
  if (texts === undefined) {
    throw illegalArgument(`required setting 'patterns' is missing for token filter [${settings.name}]`);
  }
  const patterns = texts.map((text) => compileRegex(text));
  const preserve = settings.flag('preserve_original', true);
  return {
    stepsOfCharacter: patterns.reduce((sum, pattern) => sum + pattern.stepsOf('a'), 0),
    *filterTokens(list: TokenList): Turns<TokenList> {
      const tokens: Token[] = [];
      let steps = 0;
      for (const token of list.tokens) {
        for (const pattern of patterns) steps += pattern.stepsOf(token.term);
        if (steps >= STEPS_AT_ONCE) {
          steps = 0;
          yield;
        }
        const captures = yield* capturesOf(token.term, patterns, preserve);
        if (preserve || captures.length === 0) tokens.push(token);
        for (const term of captures) tokens.push({ ...token, term });
      }
      return { ...list, tokens };
    },
  };
}

/** What the groups of all matches of all patterns captured, by where it starts, then by pattern. */
function* capturesOf(term: string, patterns: readonly Regex[], preserve: boolean): Turns<string[]> {
  // Per pattern, the captures in the order of its matches and groups: Lucene merges them by the start of the next one.
  const queues: { queue: Span[]; at: number }[] = [];
  for (const pattern of patterns) {
    const queue: Span[] = [];
    for (const match of pattern.findAllInTurns(term)) {
      if (match === undefined) {
        yield;
        continue;
      }
      for (let i = 1; i <= pattern.groupCount; i++) {
        const span = match.group(i);
        if (span === undefined || span[0] === span[1]) continue;
        if (!preserve || span[0] > 0 || span[1] < term.length) queue.push(span);
      }
    }
    if (queue.length > 0) queues.push({ queue, at: 0 });
  }
  const captures: string[] = [];
  for (let steps = 0; ; steps += queues.length) {
    if (steps >= STEPS_AT_ONCE) {
      steps = 0;
      yield;
    }
    let next: (typeof queues)[number] | undefined;
    for (const each of queues) {
      const capture = each.queue[each.at];
      if (capture === undefined) continue;
      if (next === undefined || capture[0] < next.queue[next.at]![0]) next = each;
    }
    if (next === undefined) return captures;
    const [start, end] = next.queue[next.at++]!;
    captures.push(term.slice(start, end));
  }
}
