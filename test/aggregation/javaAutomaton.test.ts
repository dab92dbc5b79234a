import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { javaAutomaton, listAutomaton } from '../../host/query/term/javaAutomaton.js';
import { ElasticsearchError } from '../../host/errors.js';
import { flagsFromNames } from '../../host/regex/flags.js';
import { accepts } from '../automata/run.js';

type Case = [pattern: string, text: string, matches: boolean];

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/regex/javaMatches.json'), 'utf8'),
) as Case[];

describe('automata of include and exclude', () => {
  it('take the words that Java takes', () => {
    const known = new Map<string, Uint8Array | undefined>();
    let taken = 0;
    for (const [pattern, text, matches] of cases) {
      if (!known.has(pattern)) known.set(pattern, automatonOf(pattern));
      const automaton = known.get(pattern);
      if (automaton === undefined) continue;
      taken++;
      expect([pattern, text, accepts(automaton, text) !== 0]).toEqual([pattern, text, matches]);
    }
    expect(taken).toBeGreaterThan(cases.length / 2);
  });

  it.each([
    ['(?!foo).*', 'bar', 'food'],
    ['.*(?<!\\.tmp)', 'a.txt', 'a.tmp'],
    ['a++b', 'aab', 'aaab?'],
    ['[\\p{L}&&[^\\p{Lu}]]+', 'é', 'É'],
    ['^(?i:red|blue)$', 'BLUE', 'BLU'],
    ['(?=.*\\d)\\w+', 'ab1', 'ab'],
  ])('%s takes %s, not %s', (pattern, yes, no) => {
    const automaton = javaAutomaton(pattern, 0);
    expect([accepts(automaton, yes) !== 0, accepts(automaton, no) !== 0]).toEqual([true, false]);
  });

  it('have flags', () => {
    expect(accepts(javaAutomaton('a.', flagsFromNames('CASE_INSENSITIVE|DOTALL')), 'A\n')).not.toBe(0);
    expect(accepts(javaAutomaton('a.', flagsFromNames('LITERAL')), 'ab')).toBe(0);
  });

  it('are of lists too', () => {
    const automaton = listAutomaton(['a|b', '', '猫']);
    expect(['a|b', '', '猫', 'a'].map((word) => accepts(automaton, word) !== 0)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(accepts(listAutomaton([]), '')).toBe(0);
  });

  it('tell what is wrong', () => {
    expect(() => javaAutomaton('(', 0)).toThrow('Unclosed group near index 1');
    expect(() => javaAutomaton('a\\b', 0)).toThrow('is not supported');
    expect(() => javaAutomaton('(a|b)*a(a|b){30}', 0)).toThrow('Determinizing');
  });
});

/** Undefined for patterns that aren't offered as automata. */
function automatonOf(pattern: string): Uint8Array | undefined {
  try {
    return javaAutomaton(pattern, 0);
  } catch (error) {
    if (error instanceof ElasticsearchError && /is not supported/.test(error.message)) return undefined;
    throw error;
  }
}
