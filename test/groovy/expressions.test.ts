/** Scripts for the core: as expressions they come to what the interpreter makes of them. */
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../host/expression/evaluate.js';
import { expressionOf } from '../../host/groovy/expressions.js';
import { runGroovy } from '../../host/groovy/interpreter.js';
import { parseGroovy } from '../../host/groovy/syntax.js';
import { HostObject, isNumberValue, isTrue, toDouble, type Value } from '../../host/groovy/values.js';

/** A field, or all of them. */
class Members extends HostObject {
  readonly type = 'doc';
  readonly #members: Readonly<Record<string, Value>>;

  constructor(members: Readonly<Record<string, Value>>) {
    super();
    this.#members = members;
  }

  member(name: string): Value | undefined {
    return this.#members[name];
  }
}

const DOCUMENTS = [
  { n: 7n, x: 2.5, _score: 1.25 },
  { n: 0n, x: -0.75, _score: 0 },
  { n: -12n, x: 1000, _score: 3.5 },
];
const PARAMS = { factor: 1.5, limit: 3 };

const number = (value: Value) =>
  value !== null && isNumberValue(value) ? toDouble(value) : isTrue(value) ? 1 : 0;

describe('an expression has the value of its script', () => {
  it.each([
    "doc['n'].value * 2 + 1",
    "doc['n'].value / 2",
    'doc.n.value % 5',
    "_score * doc['x'].value - factor",
    "doc['n'].value > limit ? 10 : doc['x'].value",
    "doc['n'].value && _score ? 1 : 0",
    "!doc['n'].value || doc['x'].value < 0",
    "doc['n'].value ?: 42",
    "Math.log(Math.abs(doc['x'].value) + 1) * Math.pow(_score, 2)",
    "Math.round(doc['x'].value)",
    "Math.max(doc['n'].value, doc['x'].value)",
    "Math.hypot(doc['n'].value, 3)",
    "(int) (doc['x'].value * 3)",
    "def a = doc['n'].value; a += 2; a * a",
    "def a = 1; if (doc['n'].value > 0) { a = 5 } else { a++ }; return a * factor",
    "if (_score > 1) { return doc['x'].value }; doc['n'].value",
    "doc['n'].value <=> 0",
    "doc['x'].value.intValue() + doc['n'].value.doubleValue()",
    '-_score ** 2',
    "doc['n'].value == 7 && doc['x'].value != 3",
    'true ? 1.5 : 2',
    "int k = doc['x'].value; k",
    "(doc['n'].value & 3) | 8",
    '0.5 ? 1 : 2',
  ])('%s', (text) => {
    const script = parseGroovy(text);
    for (const { n, x, _score } of DOCUMENTS) {
      const doc = new Members({ n: new Members({ value: n }), x: new Members({ value: x }) });
      const given = new Map<string, Value>([...Object.entries(PARAMS), ['doc', doc], ['_score', _score]]);
      const read: Record<string, number> = { "doc['n'].value": Number(n), "doc['x'].value": x, _score };
      const value = evaluate(expressionOf(script, PARAMS), (name) => read[name]!);
      expect(value).toBeCloseTo(number(runGroovy(script, given)), 9);
    }
  });
});

it.each([
  ["doc['tag'].values", '.values of a field'],
  ["doc['tag'].value == 'a'", 'a text'],
  ["doc['tag'].lats", '.lats of a field'],
  ['doc[name].value', 'a field whose name is worked out'],
  ['_source.n', '_source'],
  ['[1, 2].sum()', 'a list'],
  ['def s = 0; for (i in 1..3) s += i; s', 'a loop'],
  ['Math.random()', 'Math.random() of 0'],
  ['word', 'the parameter [word], which is no number,'],
  ["x = (doc['n'].value = 1)", 'an assignment within a value'],
  ['', 'a script without a value'],
  [`def a = _score; ${'a = a + a;'.repeat(1100)} a`, 'more than 1024 parts'],
])('%s is refused by its name', (text, what) => {
  expect(() => expressionOf(parseGroovy(text), { word: 'x', name: 'n' })).toThrow(what);
});
