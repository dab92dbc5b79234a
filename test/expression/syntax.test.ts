import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../host/expression/evaluate.js';
import { ExpressionError, parseExpression, partsOf, variablesOf } from '../../host/expression/syntax.js';

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
