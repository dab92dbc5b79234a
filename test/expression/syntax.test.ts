import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../host/expression/evaluate.js';
import { parseExpression, partsOf, variablesOf } from '../../host/expression/syntax.js';
import { ExpressionError } from '../../host/expression/tokens.js';

interface Example {
  text: string;
  value?: string;
  variables?: string[];
  error?: string;
}

const examples = readFileSync(resolve(import.meta.dirname, '../fixtures/expression/lucene.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example);

function thrownBy(text: string): ExpressionError {
  try {
    parseExpression(text);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return thrown;
    throw thrown;
  }
  throw new Error(`${text} is read`);
}

describe('expressions', () => {
  it('have the values, variables and errors that Lucene 4.10.4 has', () => {
    for (const { text, value, variables, error } of examples) {
      if (error !== undefined) {
        expect(thrownBy(text).exception, text).toBe(error);
        continue;
      }
      const expression = parseExpression(text);
      const names = variablesOf(expression);
      expect(names, text).toEqual(variables);
      const got = evaluate(expression, (name) => (names.indexOf(name) === 0 ? 2.5 : -3.75));
      const wanted = Number(value);
      if (Number.isFinite(wanted))
        expect(Math.abs(got - wanted), text).toBeLessThanOrEqual(1e-7 * Math.abs(wanted));
      else expect(got, text).toBe(wanted);
    }
  });

  it('say where they are wrong', () => {
    expect(thrownBy('1 +').message).toBe(' unexpected end of expression.');
    expect(thrownBy('@').message).toBe(" unexpected character '@' at position (0).");
    expect(thrownBy('(1').message).toBe(' unexpected token end of expression at position (2).');
    expect(thrownBy('1)').message).toBe(" extraneous close parenthesis ')' at position (1).");
    expect(thrownBy('nosuch(1)').message).toBe('Unrecognized method call (nosuch).');
    expect(thrownBy('abs(1, 2)').message).toBe(
      'Expected (1) arguments for method call (abs), but found (2).',
    );
  });

  it('are refused where they are nested without bound', () => {
    expect(thrownBy(`${'('.repeat(5000)}1${')'.repeat(5000)}`).message).toMatch(/more than 200 levels/);
    expect(thrownBy('-'.repeat(5000)).message).toMatch(/more than 200 levels/);
    expect(thrownBy(`1${'+1'.repeat(50_000)}`).message).toMatch(/more than 65536 characters/);
  });

  it('name fields as steps', () => {
    expect(partsOf("doc['it\\'s'].value")).toEqual([
      { kind: 'member', text: 'doc' },
      { kind: 'string', text: "it's" },
      { kind: 'member', text: 'value' },
    ]);
  });
});

/** What Lucene 4.10.4's own compiler says, asked for these texts. */
describe('what is no expression is told of as by Lucene:', () => {
  it.each([
    ['1,2', " missing ',' at position (1)."],
    ['2.5 ) a[0]', " missing close parenthesis ')' at position (4)."],
    ['ln(2) 1.2.3', " missing decimal '1.2' at position (6)."],
    ['1 ? 2 3', " missing decimal '3' at position (6)."],
    ['(foo(*2', " missing multiplication '*' at position (5)."],
    ['1x', " extraneous 'x' at position (1)."],
    ['x 1', " invalid sequence of tokens near decimal '1' at position (2)."],
    ['x y', " invalid sequence of tokens near 'y' at position (2)."],
    ['(1+2~)*3', " extraneous bitwise not '~' at position (4)."],
    ['!foo(', ' unexpected token end of expression at position (5).'],
    ['foo(,^e', " unexpected token ',' at position (4)."],
    ['-!=x', " invalid sequence of tokens near '!=' at position (1)."],
    ['a.', " unexpected character '\uffff' at position (2)."],
    ['a..b', " unexpected character '.' at position (2)."],
    ['1e ', " unexpected character ' ' at position (2)."],
    ['0x x', " unexpected character ' ' at position (2)."],
    ['a = 1', " unexpected character ' ' at position (3)."],
    ["doc['n", " unexpected character '\uffff' at position (6)."],
    ['a[01]', " unexpected character '1' at position (3)."],
    ['1 +\n  #', " unexpected character '#' at position (2)."],
    // Nothing behind a mistake is looked at, but one token.
    ['* ~ #', " invalid sequence of tokens near multiplication '*' at position (0)."],
    [', #', " invalid sequence of tokens near ',' at position (0)."],
    ['1 2 #', " unexpected character '#' at position (4)."],
  ])('%j', (text, message) => {
    expect(() => parseExpression(text)).toThrow(new ExpressionError('ParseException', message));
  });

  it('calls only where all else is right, from outside to inside', () => {
    expect(() => parseExpression('foo(1')).toThrow(' unexpected token end of expression at position (5).');
    expect(() => parseExpression('foo(bar(1))')).toThrow('Unrecognized method call (foo).');
    expect(() => parseExpression('sqrt(1,bar())')).toThrow(
      'Expected (1) arguments for method call (sqrt), but found (2).',
    );
  });

  it('and texts in brackets stay as they are, whatever is in them', () => {
    const [variable] = variablesOf(parseExpression(`doc['a["n"]'].value`));
    expect(variable).toBe(`doc['a["n"]'].value`);
  });
});

/** Values that Lucene 4.10.4 computed of these texts. */
it.each([
  ['(4294967296<<0) ? 1 : 2', 2],
  ['4294967296 ? 1 : 2', 1],
  ['(4294967296>>(4294967296<<0))', 4294967296],
  ['!(4294967296<<0)', 1],
  ['((0?1:4294967296<<1) && 1) + 5', 5],
])('%s: what is a long is cut to its low half where Lucene wants an int', (text, value) => {
  expect(evaluate(parseExpression(text), () => 0)).toBe(value);
});
