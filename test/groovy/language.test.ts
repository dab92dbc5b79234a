/** The language of scripts, as Groovy 2.4 has it: values, operators, methods, and what is refused. */
import { describe, expect, it } from 'vitest';
import { MOST_WORK, runGroovy } from '../../host/groovy/interpreter.js';
import { rawOf, valueOfJson } from '../../host/groovy/json.js';
import { parseGroovy } from '../../host/groovy/syntax.js';
import { GroovyError } from '../../host/groovy/tokens.js';
import { textOf, type Value } from '../../host/groovy/values.js';
import { parseRaw, print } from '../../host/json/rawJson.js';
import { Random } from '../torture/random.js';

/** The value of a script as a text, or what is wrong with it. */
function run(script: string, given: Record<string, Value> = {}): string {
  try {
    return textOf(runGroovy(parseGroovy(script), new Map(Object.entries(given))));
  } catch (e) {
    if (!(e instanceof GroovyError)) throw e;
    return `${e.exception}: ${e.message}`;
  }
}

const cases = (table: Record<string, string>) =>
  it.each(Object.entries(table))('%s is %s', (script, value) => expect(run(script)).toBe(value));

describe('numbers', () => {
  cases({
    '1 + 2 * 3': '7',
    '7 / 2': '3.5',
    '10 / 3': '3.3333333333',
    '22 / 7': '3.1428571429',
    '100 / 4': '25',
    '1 / 3 * 3': '0.9999999999',
    '0.1 + 0.2': '0.3',
    '0.1d + 0.2d': '0.30000000000000004',
    '1.10': '1.10',
    '1e3': '1E+3',
    '2147483647 + 1': '-2147483648',
    '2147483647L + 1': '2147483648',
    '9223372036854775807 + 1': '-9223372036854775808',
    '99999999999999999999 + 1': '100000000000000000000',
    '2 ** 10': '1024',
    '2 ** 70': '1180591620717411303424',
    '-2 ** 2': '-4',
    '2 ** -1': '0.5',
    '-7 % 3': '-1',
    '5.intdiv(2)': '2',
    '(int) 3.7': '3',
    '(long) -3.7': '-3',
    '"12".toInteger() + 1': '13',
    'Math.round(2.5)': '3',
    'Math.max(1, 2.5)': '2.5',
    'Math.max(3, 4L)': '4',
    '1 == 1.0': 'true',
    '1 <=> 2': '-1',
    '0x1F + 010': '39',
    '1_000': '1000',
    '~5': '-6',
    '-1 >>> 28': '15',
    '1 / 0': 'ArithmeticException: Division by zero',
    '1 % 0': 'ArithmeticException: / by zero',
    '1.5 % 1': 'UnsupportedOperationException: Cannot use mod() on this number type: java.math.BigDecimal',
    '9 ** 9 ** 9': 'ArithmeticException: a number of more than 1000 digits',
  });
});

describe('texts, lists and maps', () => {
  cases({
    '"a${1 + 1}b"': 'a2b',
    "'a${1 + 1}b'": 'a${1 + 1}b',
    'def m = [a: [b: 1]]; "$m.a.b!"': '1!',
    '"\\u0041\\n" == "A\\n"': 'true',
    "'''a\nb''' == 'a\\nb'": 'true',
    '"abc"[0..1] + "abc"[-1]': 'abc',
    '"abc".substring(1, 2)': 'b',
    '"a,b,,".split(",")': '[a, b]',
    '"a.b".split("\\\\.")': '[a, b]',
    '" a  b ".tokenize()': '[a, b]',
    '"a-b" - "-"': 'ab',
    '"ab" * 2': 'abab',
    '[1, 2] + 3 + [4]': '[1, 2, 3, 4]',
    '[1, 2, 3] - 2': '[1, 3]',
    '[1, 2, 3][-1]': '3',
    '[1, 2, 3][5]': 'null',
    'def l = [3, 1, 2]; l.sort(); l': '[1, 2, 3]',
    'def l = [1, 2]; l.remove(0); l': '[2]',
    "def l = ['a', 'b']; l.remove('a'); l": '[b]',
    'def l = [1, 2]; l << 3; l.add(0, 0); l': '[0, 1, 2, 3]',
    'def l = []; l[2] = 1; l': '[null, null, 1]',
    '[1, 2, 3].collect { it * 2 }.sum()': '12',
    '[1, 2, 3].findAll { it > 1 }.join("-")': '2-3',
    '[[1, 2], [3]].flatten()': '[1, 2, 3]',
    '[1, 2, 1].unique()': '[1, 2]',
    '[[n: 1], [n: 2]].n': '[1, 2]',
    '(1..3).collect { it }': '[1, 2, 3]',
    'def m = [a: 1]; m.b = 2; m["c"] = 3; m': '[a:1, b:2, c:3]',
    '[a: 1, b: 2].collect { k, v -> k + v }': '[a1, b2]',
    '[a: 1].each { it.key }': '[a:1]',
    '[a: 1].containsKey("a") && !([:].containsKey("a"))': 'true',
    '3 in [1, 2, 3]': 'true',
    "'a' in [a: 1]": 'true',
    '[:] ? 1 : 2': '2',
    '[1, 2].contains(2L)': 'true',
    "'a'.foo(1)":
      'MissingMethodException: No signature of method: java.lang.String.foo() is applicable for argument types: (java.lang.Integer) values: [1]',
  });
});

describe('statements', () => {
  cases({
    '': 'null',
    'a = 1\nb = 2\na + b': '3',
    'def s = 0; for (int i = 0; i < 5; i++) { if (i == 3) break; s += i }; s': '3',
    'def s = 0; for (i in 1..4) { if (i % 2) continue; s += i }; s': '6',
    'def s = ""; for (e in [a: 1, b: 2]) s += e.key + e.value; s': 'a1b2',
    'if (1 > 2) { "a" } else if (2 > 1) { "b" } else "c"': 'b',
    'if (true) return 1\n2': '1',
    'def f = 0; [1, 2].each { f += it }; f': '3',
    'def y = 1; y++ + ++y': '4',
    'null?.foo?.bar()': 'null',
    'null ?: 5': '5',
    'def c = { a, b -> a + b }; c.call(1, 2)': '3',
    '1; // one\n2 /* two */': '2',
    'int x = 3.9; x': '3',
    'x = [1,\n2]\nx\n.size()': '2',
  });
});

describe('what is refused', () => {
  const startup = (problem: string, column = 1) =>
    `MultipleCompilationErrorsException: startup failed: Script1.groovy: 1: ${problem} @ line 1, column ${column}.`;
  cases({
    'while (true) {}': startup("while loops can't be used in scripts here"),
    'for (;;) {}': startup("loops without a condition can't be used in scripts here", 7),
    'new Date()': startup("new objects can't be used in scripts here"),
    'class A {}': startup("classes can't be used in scripts here"),
    'import java.io.File': startup("imports can't be used in scripts here"),
    'def f(x) { x }': startup("methods can't be declared in scripts here"),
    'x =~ /a/': startup("regular expressions can't be used in scripts here", 3),
    'print(1)': startup("the method print can't be called in scripts here", 6),
    '"a': startup('a text without its end'),
    '1 +': startup('unexpected token: EOF', 4),
    'System.exit(0)': 'MissingPropertyException: No such property: System for class: Script1',
    '"".class': 'MissingPropertyException: No such property: class for class: java.lang.String',
    '"".getClass()':
      'MissingMethodException: No signature of method: java.lang.String.getClass() is applicable for argument types: () values: []',
    '[].metaClass': '[]',
    foo: 'MissingPropertyException: No such property: foo for class: Script1',
    constructor: 'MissingPropertyException: No such property: constructor for class: Script1',
    '"a".constructor': 'MissingPropertyException: No such property: constructor for class: java.lang.String',
    'Math.constructor': 'MissingPropertyException: No such property: constructor for class: java.lang.Class',
    '[a: 1].__proto__': 'null',
    'null.foo': "NullPointerException: Cannot get property 'foo' on null object",
    'null.foo()': 'NullPointerException: Cannot invoke method foo() on null object',
  });

  it.each([
    'for (int i = 0; i < 1000000000; i++) {}',
    'def a = []; for (i in 1..100000) { a += a + 1 }',
    'def s = "aaaaaaaaaa"; for (i in 1..1000) { s = s + s }',
    'def s = "a"; for (i in 1..1000) { s = s.replace("a", "aa") }',
    'def s = "a"; for (i in 1..1000) { s = "$s$s" }',
    'def l = [1]; for (i in 1..1000) { l = [l, l] }; "$l"',
    'def l = (1..50000).toList(); l.each { l.contains(0) }',
    'def f; f = { it -> f.call(it) }; f.call(1)',
    'def m = [:]; m.m = m; "$m"',
    'def a = [:]; a.m = a; def b = [:]; b.m = b; a == b',
    '("a" * 100000).reverse().split("").collect { it * 1000 }',
    `def a = ${'['.repeat(150)}1${']'.repeat(150)}; for (i in 1..100000) { a == a }`,
  ])('more work than a script has: %s', (script) => {
    expect(run(script)).toMatch(/ScriptException|StackOverflowError|OutOfMemoryError/);
  });

  it('scripts that are too long or too deep', () => {
    expect(run(`1${'+1'.repeat(40_000)}`)).toContain('a script of more than 65536 characters');
    expect(run(`${'('.repeat(300)}1${')'.repeat(300)}`)).toContain('a script of more than 200 levels');
    expect(MOST_WORK).toBeLessThan(1_000_000);
  });

  it('nothing but a value or a mistake comes of any text', () => {
    const random = new Random(11);
    const words =
      '1 2.5 "a" \'b\' x ctx [ ] ( ) { } + - * / % ** == < ? : ?: ?. . , ; = += ++ in if else for def return it -> .. \n ! && ${ } size() each'.split(
        ' ',
      );
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: 1 + random.below(12) }, () => words[random.below(words.length)]).join(
        random.below(2) === 0 ? ' ' : '',
      );
      expect(typeof run(text, { x: 1n, ctx: new Map<string, Value>([['a', [1n]]]) })).toBe('string');
    }
  });
});

describe('sources', () => {
  const same = (text: string) => print(rawOf(valueOfJson(parseRaw(text))));

  it('keep what they hold', () => {
    const text =
      '{"a":[1,9007199254740993,123456789012345678901234567890,-0.5,true,null],"b":{"c":"\\u0041\\n"}}';
    expect(same(text)).toBe(text.replace('\\u0041', 'A'));
    expect(same('{"a":1.10,"b":1e3}')).toBe('{"a":1.1,"b":1000.0}');
  });

  it('take decimals for texts, as 1.7 does', () => {
    expect(print(rawOf(runGroovy(parseGroovy('[7 / 2, 7 / 2.0d, 1..2]'), new Map())))).toBe(
      '["3.5",3.5,[1,2]]',
    );
  });
});
