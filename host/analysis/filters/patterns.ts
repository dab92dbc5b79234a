/** The filters with regular expressions. */
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import type { Token, TokenList } from '../../core/result.js';
import { compilePattern, Replacement } from '../javaPattern.js';
import type { HostTokenFilter } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/** The filter `pattern_replace`: `pattern`, `flags`, `replacement`, `all`. */
export function patternReplace(settings: DefinitionSettings): HostTokenFilter {
  const text = settings.text('pattern');
  if (text === undefined) {
    throw illegalArgument(`pattern is missing for [${settings.name}] token filter of type 'pattern_replace'`);
  }
  const pattern = compilePattern(text, settings.text('flags'));
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
    filterTokens(list: TokenList): TokenList {
      for (const token of list.tokens) {
        const { term } = token;
        const matcher = pattern.matcher(term);
        let out = '';
        let from = 0;
        while (matcher.find()) {
          out += term.slice(from, matcher.start()) + replacement.of((i) => matcher.group(i));
          from = matcher.end();
          if (!all) break;
        }
        token.term = out + term.slice(from);
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
  const patterns = texts.map((text) => compilePattern(text));
  const preserve = settings.flag('preserve_original', true);
  return {
    filterTokens(list: TokenList): TokenList {
      const tokens: Token[] = [];
      for (const token of list.tokens) {
        const captures = capturesOf(
          token.term,
          patterns.map((pattern) => pattern.matcher(token.term)),
          preserve,
        );
        if (preserve || captures.length === 0) tokens.push(token);
        for (const term of captures) tokens.push({ ...token, term });
      }
      return { ...list, tokens };
    },
  };
}

type Matcher = ReturnType<ReturnType<typeof compilePattern>['matcher']>;

/** What the groups of all matches of all patterns captured, by where it starts, then by pattern. */
function capturesOf(term: string, matchers: readonly Matcher[], preserve: boolean): string[] {
  // Per pattern, the captures in the order of its matches and groups: Lucene merges them by the start of the next one.
  const queues = matchers.map((matcher) => {
    const queue: [start: number, end: number][] = [];
    while (matcher.find()) {
      for (let i = 1; i <= matcher.groupCount(); i++) {
        const start = matcher.start(i);
        const end = matcher.end(i);
        if (start === end || (preserve && start === 0 && end === term.length)) continue;
        queue.push([start, end]);
      }
    }
    return { queue, at: 0 };
  });
  const captures: string[] = [];
  while (true) {
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
