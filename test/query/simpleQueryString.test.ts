import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printed } from './printed.js';

const parsed = (query: string, more: object = {}) =>
  printed({ simple_query_string: { query, fields: ['plain'], ...more } });

describe('the simple syntax', () => {
  test.each([
    ['red fox', 'plain:red plain:fox'],
    ['red + fox', '+plain:red +plain:fox'],
    ['red | fox + mill', '+(plain:red plain:fox) +plain:mill'],
    ['red -fox', 'plain:red (-plain:fox *:*)'],
    ['--fox', 'plain:fox'],
    ['"old mill"~2', 'plain:"old mill"~2'],
    ['"old mill" x', 'plain:"old mill" plain:x'],
    ['riv*', 'plain:riv*'],
    ['rivr~1 foxy~9 hen~', 'plain:rivr~1 plain:foxy~2 plain:hen'],
    ['(red | old) + mill', '+(plain:red plain:old) +plain:mill'],
    ['"unclosed', 'plain:unclosed'],
    ['(unclosed', 'plain:unclosed'],
    ['red\\*', 'plain:red'],
    ['() "" red', 'plain:red'],
    ['+ | ', 'MatchNoDocsQuery'],
    ['', 'MatchNoDocsQuery'],
  ])('%s', (query, expected) => expect(parsed(query)).toBe(expected));

  test.each([
    ['red fox', { default_operator: 'and' }, '+plain:red +plain:fox'],
    ['red + fox', { flags: 'OR' }, 'plain:red plain:fox'],
    ['riv* -x', { flags: 'NONE' }, 'plain:riv plain:x'],
    ['RIV*', { lowercase_expanded_terms: false }, 'plain:RIV*'],
    ['a b', { fields: ['plain^2', 'other'] }, '(other:a plain:a^2.0) (other:b plain:b^2.0)'],
    ['a b c', { minimum_should_match: 2 }, '(plain:a plain:b plain:c)~2'],
  ])('%s with %j', (query, options, expected) => expect(parsed(query, options)).toBe(expected));

  test('no text is wrong', () => {
    const characters = [...'ab "\\+-|()*~ 12'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...characters), { maxLength: 30 }), (text) => {
        expect(parsed(text.join(''))).not.toContain('Exception');
      }),
    );
    expect(parsed(`${'('.repeat(3000)}a${')'.repeat(3000)}`)).toContain('a');
  });
});
