/** The methods that scripts may call: of texts, numbers, lists, maps, and what stands under the names of a few of Java's classes. */
import { arithmetic, compare, holds, isEqual, missingMethod, operate, roundedNumber } from './arithmetic.js';
import { GroovyError } from './tokens.js';
import {
  BigWhole,
  bigOf,
  type Closure,
  Decimal,
  decimalOf,
  elementsOf,
  HostObject,
  Int,
  isNumberValue,
  isTrue,
  isWhole,
  type NumberValue,
  Range,
  textOf,
  toDouble,
  toInt,
  toLongValue,
  truncated,
  typeOf,
  type Value,
  wholeOf,
} from './values.js';

/** Counts work, and throws where there has been too much of it. */
export type Spend = (units: number) => void;

type Method<T> = (self: T, operands: readonly Value[], spend: Spend) => Value;
type Methods<T> = Readonly<Record<string, Method<T>>>;

/** A call can't be made with these operands. */
class Unfit extends Error {}

function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new Unfit();
  return value;
}

function number(value: Value | undefined): NumberValue {
  if (value === undefined || value === null || !isNumberValue(value)) throw new Unfit();
  return value;
}

function place(value: Value | undefined): number {
  if (value === undefined || value === null || !isWhole(value)) throw new Unfit();
  return Number(bigOf(value));
}

function closure(value: Value | undefined): Closure {
  if (typeof value !== 'function') throw new Unfit();
  return value;
}

function list(value: Value | undefined): readonly Value[] {
  const elements = value === undefined ? undefined : elementsOf(value);
  if (elements === undefined) throw new Unfit();
  return elements;
}

function map(value: Value | undefined): Map<string, Value> {
  if (!(value instanceof Map)) throw new Unfit();
  return value;
}

function outside(name: string, detail: string): GroovyError {
  return new GroovyError(name, detail);
}

function substring(self: string, from: number, to: number): string {
  if (from < 0 || to > self.length || from > to)
    throw outside(
      'StringIndexOutOfBoundsException',
      `String index out of range: ${from < 0 ? from : to - from}`,
    );
  return self.slice(from, to);
}

function wholeFrom(value: string, bits: number): Value {
  const trimmed = value.trim();
  if (!/^[-+]?\d{1,19}$/.test(trimmed))
    throw outside('NumberFormatException', `For input string: "${value}"`);
  const found = BigInt(trimmed);
  if (BigInt.asIntN(bits, found) !== found)
    throw outside('NumberFormatException', `For input string: "${value}"`);
  return bits === 32 ? new Int(Number(found)) : found;
}

function doubleFrom(value: string): number {
  const trimmed = value.trim();
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed))
    throw outside('NumberFormatException', `For input string: "${value}"`);
  return Number(trimmed);
}

/** Characters that mean something else in a regular expression of Java. */
const MEANING = /[\\^$.|?*+()[\]{}]/;

/** `split` takes a regular expression: here one that is a text, its special characters behind backslashes. */
function split(self: string, given: string): Value {
  const plain = given.replace(/\\([^A-Za-z0-9])/g, '\u0000$1').replace(/\0./g, '');
  if (MEANING.test(plain))
    throw outside(
      'UnsupportedOperationException',
      `split by the regular expression ${given} can't be used in scripts here`,
    );
  const parts = given === '' ? [...self] : self.split(given.replace(/\\([^A-Za-z0-9])/g, '$1'));
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

const TEXTS: Methods<string> = {
  length: (self) => new Int(self.length),
  size: (self) => new Int(self.length),
  isEmpty: (self) => self === '',
  contains: (self, [part]) => self.includes(text(part)),
  startsWith: (self, [part]) => self.startsWith(text(part)),
  endsWith: (self, [part]) => self.endsWith(text(part)),
  indexOf: (self, [part, from]) => new Int(self.indexOf(text(part), from === undefined ? 0 : place(from))),
  lastIndexOf: (self, [part]) => new Int(self.lastIndexOf(text(part))),
  substring: (self, [from, to]) => substring(self, place(from), to === undefined ? self.length : place(to)),
  charAt: (self, [at]) => substring(self, place(at), place(at) + 1),
  toLowerCase: (self) => self.toLowerCase(),
  toUpperCase: (self) => self.toUpperCase(),
  trim: (self) => self.replace(/^[\0- ]+/, '').replace(/[\0- ]+$/, ''),
  capitalize: (self) => self.slice(0, 1).toUpperCase() + self.slice(1),
  reverse: (self) => [...self].reverse().join(''),
  replace: (self, [from, to], spend) => {
    const [gone, put] = [text(from), text(to)];
    spend((self.split(gone).length * put.length) / 16);
    return self.replaceAll(gone, () => put);
  },
  concat: (self, [other]) => self + text(other),
  split: (self, [by]) => split(self, text(by)),
  tokenize: (self, [by]) => {
    const marks = by === undefined ? ' \t\n\r\f' : text(by);
    const words: string[] = [];
    let word = '';
    for (const char of self) {
      if (!marks.includes(char)) word += char;
      else if (word !== '') {
        words.push(word);
        word = '';
      }
    }
    return word === '' ? words : [...words, word];
  },
  equalsIgnoreCase: (self, [other]) =>
    typeof other === 'string' && self.toLowerCase() === other.toLowerCase(),
  compareTo: (self, [other]) => new Int(compare(self, text(other))),
  padLeft: (self, [width, fill]) => self.padStart(padded(width), fill === undefined ? ' ' : text(fill)),
  padRight: (self, [width, fill]) => self.padEnd(padded(width), fill === undefined ? ' ' : text(fill)),
  isNumber: (self) => /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(self.slice(0, 400)),
  isInteger: (self) => /^\s*[-+]?\d{1,10}\s*$/.test(self.slice(0, 400)),
  toInteger: (self) => wholeFrom(self, 32),
  toLong: (self) => wholeFrom(self, 64),
  toDouble: doubleFrom,
  toFloat: doubleFrom,
  toBigDecimal: (self) => decimalOf(self.trim()),
};

const MOST_PADDED = 10_000;

function padded(width: Value | undefined): number {
  const wanted = place(width);
  if (wanted > MOST_PADDED) throw outside('OutOfMemoryError', `a text of ${wanted} characters`);
  return wanted;
}

const NUMBERS: Methods<NumberValue> = {
  intValue: (self) => toInt(self),
  longValue: (self) => toLongValue(self),
  doubleValue: (self) => toDouble(self),
  floatValue: (self) => Math.fround(toDouble(self)),
  toInteger: (self) => toInt(self),
  toLong: (self) => toLongValue(self),
  toDouble: (self) => toDouble(self),
  toFloat: (self) => Math.fround(toDouble(self)),
  toBigDecimal: (self) => (self instanceof Decimal ? self : decimalOf(textOf(self))),
  abs: (self) => absolute(self),
  round: (self) => roundedNumber(self),
  intdiv: (self, [by]) => {
    const divisor = number(by);
    if (!isWhole(self) || !isWhole(divisor)) throw new Unfit();
    if (bigOf(divisor) === 0n) throw outside('ArithmeticException', '/ by zero');
    const value = bigOf(self) / bigOf(divisor);
    return typeof self === 'bigint' || typeof divisor === 'bigint' ? value : wholeOf(value);
  },
  compareTo: (self, [other]) => new Int(compare(self, number(other))),
  plus: (self, [other]) => arithmetic('+', self, number(other)),
  minus: (self, [other]) => arithmetic('-', self, number(other)),
  multiply: (self, [other]) => arithmetic('*', self, number(other)),
  div: (self, [other]) => arithmetic('/', self, number(other)),
  mod: (self, [other]) => arithmetic('%', self, number(other)),
};

function absolute(value: NumberValue): Value {
  return toDouble(value) < 0 ? operate('*', value, new Int(-1)) : value;
}

/** Calls a closure with an entry of a map, or with key and value where it takes two. */
function withEntry(call: Closure, key: string, value: Value): Value {
  return call.length === 2 ? call([key, value]) : call([new Entry(key, value)]);
}

/** An entry of a map. */
class Entry extends HostObject {
  readonly type = 'java.util.Map$Entry';
  readonly #key: string;
  readonly #value: Value;

  constructor(key: string, value: Value) {
    super();
    this.#key = key;
    this.#value = value;
  }

  member(name: string): Value | undefined {
    return name === 'key' ? this.#key : name === 'value' ? this.#value : undefined;
  }

  override call(name: string): Value | undefined {
    return name === 'getKey' ? this.#key : name === 'getValue' ? this.#value : undefined;
  }
}

/** What may be asked of elements, whether they can be changed or not. */
const ELEMENTS: Methods<readonly Value[]> = {
  size: (self) => new Int(self.length),
  isEmpty: (self) => self.length === 0,
  get: (self, [at]) => elementAt(self, place(at)),
  getAt: (self, [at]) => elementAt(self, place(at)),
  contains: (self, [value], spend) => {
    spend(self.length);
    return holds([...self], value ?? null);
  },
  containsAll: (self, [other], spend) => {
    const wanted = list(other);
    spend(self.length * wanted.length);
    return wanted.every((each) => self.some((own) => isEqual(own, each)));
  },
  indexOf: (self, [value], spend) => {
    spend(self.length);
    return new Int(self.findIndex((each) => isEqual(each, value ?? null)));
  },
  first: (self) => elementAt(self, 0),
  last: (self) => elementAt(self, self.length - 1),
  head: (self) => elementAt(self, 0),
  take: (self, [count]) => self.slice(0, Math.max(0, place(count))),
  drop: (self, [count]) => self.slice(Math.max(0, place(count))),
  subList: (self, [from, to]) => {
    const [first, end] = [place(from), place(to)];
    if (first < 0 || end > self.length || first > end)
      throw outside('IndexOutOfBoundsException', `fromIndex: ${first}, toIndex: ${end}`);
    return self.slice(first, end);
  },
  join: (self, [by]) => self.map((each) => textOf(each)).join(by === undefined ? '' : text(by)),
  reverse: (self) => [...self].reverse(),
  each: (self, [call]) => {
    const called = closure(call);
    for (const each of self) called([each]);
    return [...self];
  },
  eachWithIndex: (self, [call]) => {
    const called = closure(call);
    for (const [i, each] of self.entries()) called([each, new Int(i)]);
    return [...self];
  },
  collect: (self, [call]) => {
    const called = closure(call);
    return self.map((each) => called([each]));
  },
  find: (self, [call]) => {
    const called = closure(call);
    return self.find((each) => isTrue(called([each]))) ?? null;
  },
  findAll: (self, [call]) => {
    const called = closure(call);
    return self.filter((each) => isTrue(called([each])));
  },
  any: (self, [call]) => self.some((each) => isTrue(call === undefined ? each : closure(call)([each]))),
  every: (self, [call]) => self.every((each) => isTrue(call === undefined ? each : closure(call)([each]))),
  count: (self, [what]) => {
    const fits =
      typeof what === 'function'
        ? (each: Value) => isTrue(what([each]))
        : (each: Value) => isEqual(each, what ?? null);
    return new Int(self.filter(fits).length);
  },
  sum: (self, [call]) => {
    const values = call === undefined ? self : self.map((each) => closure(call)([each]));
    return values.length === 0 ? null : values.reduce((sum, each) => operate('+', sum, each));
  },
  max: (self, [call]) => best(self, call, 1),
  min: (self, [call]) => best(self, call, -1),
  inject: (self, [first, call]) => {
    const called = closure(call);
    return self.reduce<Value>((sum, each) => called([sum, each]), first ?? null);
  },
  plus: (self, [other]) => operate('+', [...self], other ?? null),
  minus: (self, [other], spend) => {
    spend(self.length * (elementsOf(other ?? null)?.length ?? 1));
    return operate('-', [...self], other ?? null);
  },
  flatten: (self, _, spend) => flat(self, spend),
  unique: (self, operands, spend) => distinct(self, operands, spend),
  sort: (self, operands, spend) => sorted(self, operands, spend),
  toList: (self) => [...self],
};

function flat(values: readonly Value[], spend: Spend): Value[] {
  return values.flatMap((each) => {
    spend(1);
    const inner = elementsOf(each);
    return inner === undefined ? [each] : flat(inner, spend);
  });
}

function distinct(self: readonly Value[], [call]: readonly Value[], spend: Spend): Value[] {
  const found: { key: Value; value: Value }[] = [];
  for (const value of self) {
    spend(found.length);
    const key = typeof call === 'function' ? call([value]) : value;
    if (!found.some((each) => isEqual(each.key, key))) found.push({ key, value });
  }
  return found.map(({ value }) => value);
}

function sorted(self: readonly Value[], [call]: readonly Value[], spend: Spend): Value[] {
  spend(self.length);
  if (typeof call !== 'function') return [...self].sort(compare);
  if (call.length === 2) return [...self].sort((a, b) => Number(truncated(number(call([a, b])))));
  const keyed = self.map((value) => ({ key: call([value]), value }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ value }) => value);
}

function best(self: readonly Value[], call: Value | undefined, sign: number): Value {
  let found: { key: Value; value: Value } | undefined;
  for (const value of self) {
    const key = typeof call === 'function' ? call([value]) : value;
    if (found === undefined || compare(key, found.key) * sign > 0) found = { key, value };
  }
  return found?.value ?? null;
}

function elementAt(self: readonly Value[], at: number): Value {
  const found = self[at];
  if (found !== undefined) return found;
  throw outside('IndexOutOfBoundsException', `Index: ${at}, Size: ${self.length}`);
}

/** What changes a list. */
const LISTS: Methods<Value[]> = {
  add: (self, operands) => {
    if (operands.length < 2) {
      self.push(operands[0] ?? null);
      return true;
    }
    const at = place(operands[0]);
    if (at < 0 || at > self.length)
      throw outside('IndexOutOfBoundsException', `Index: ${at}, Size: ${self.length}`);
    self.splice(at, 0, operands[1]!);
    return null;
  },
  push: (self, [value]) => {
    self.push(value ?? null);
    return true;
  },
  leftShift: (self, [value]) => {
    self.push(value ?? null);
    return self;
  },
  pop: (self) => self.pop() ?? empty(),
  addAll: (self, [other], spend) => {
    const added = list(other);
    spend(added.length);
    for (const each of [...added]) self.push(each);
    return added.length > 0;
  },
  set: (self, [at, value]) => {
    const before = elementAt(self, place(at));
    self[place(at)] = value ?? null;
    return before;
  },
  // An int is a place, anything else a value.
  remove: (self, [what]) => {
    if (!(what instanceof Int)) return removed(self, what ?? null);
    const gone = elementAt(self, what.value);
    self.splice(what.value, 1);
    return gone;
  },
  removeElement: (self, [what]) => removed(self, what ?? null),
  removeAll: (self, [what], spend) => kept(self, what, false, spend),
  retainAll: (self, [what], spend) => kept(self, what, true, spend),
  clear: (self) => {
    self.length = 0;
    return null;
  },
  unique: (self, operands, spend) => replaced(self, distinct(self, operands, spend)),
  sort: (self, operands, spend) => replaced(self, sorted(self, operands, spend)),
};

function empty(): never {
  throw outside('NoSuchElementException', 'Cannot pop() an empty List');
}

function removed(self: Value[], what: Value): boolean {
  const at = self.findIndex((each) => isEqual(each, what));
  if (at >= 0) self.splice(at, 1);
  return at >= 0;
}

function kept(self: Value[], what: Value | undefined, wanted: boolean, spend: Spend): boolean {
  const others = typeof what === 'function' ? [] : list(what);
  spend(self.length * Math.max(1, others.length));
  const fits =
    typeof what === 'function'
      ? (each: Value) => isTrue(what([each]))
      : (each: Value) => others.some((other) => isEqual(each, other));
  const left = self.filter((each) => fits(each) === wanted);
  const changed = left.length < self.length;
  replaced(self, left);
  return changed;
}

function replaced(self: Value[], by: readonly Value[]): Value[] {
  const values = [...by];
  self.length = 0;
  for (const each of values) self.push(each);
  return self;
}

const MAPS: Methods<Map<string, Value>> = {
  size: (self) => new Int(self.size),
  isEmpty: (self) => self.size === 0,
  get: (self, [key, otherwise]) => {
    if (otherwise === undefined) return self.get(keyOf(key)) ?? null;
    // Groovy keeps what was missing.
    if (!self.has(keyOf(key))) self.set(keyOf(key), otherwise);
    return self.get(keyOf(key))!;
  },
  put: (self, [key, value]) => {
    const before = self.get(keyOf(key)) ?? null;
    self.set(keyOf(key), value ?? null);
    return before;
  },
  putAll: (self, [other], spend) => {
    const added = map(other);
    spend(added.size);
    for (const [key, value] of [...added]) self.set(key, value);
    return null;
  },
  remove: (self, [key]) => {
    const before = self.get(keyOf(key)) ?? null;
    self.delete(keyOf(key));
    return before;
  },
  containsKey: (self, [key]) => self.has(keyOf(key)),
  containsValue: (self, [value], spend) => {
    spend(self.size);
    return [...self.values()].some((each) => isEqual(each, value ?? null));
  },
  keySet: (self) => [...self.keys()],
  values: (self) => [...self.values()],
  entrySet: (self) => [...self].map(([key, value]) => new Entry(key, value)),
  clear: (self) => {
    self.clear();
    return null;
  },
  each: (self, [call]) => {
    const called = closure(call);
    for (const [key, value] of [...self]) withEntry(called, key, value);
    return self;
  },
  collect: (self, [call]) => {
    const called = closure(call);
    return [...self].map(([key, value]) => withEntry(called, key, value));
  },
  find: (self, [call]) => {
    const called = closure(call);
    const found = [...self].find(([key, value]) => isTrue(withEntry(called, key, value)));
    return found === undefined ? null : new Entry(...found);
  },
  findAll: (self, [call]) => {
    const called = closure(call);
    return new Map([...self].filter(([key, value]) => isTrue(withEntry(called, key, value))));
  },
  any: (self, [call]) => [...self].some(([key, value]) => isTrue(withEntry(closure(call), key, value))),
  every: (self, [call]) => [...self].every(([key, value]) => isTrue(withEntry(closure(call), key, value))),
  plus: (self, [other]) => new Map([...self, ...map(other)]),
};

/** A key as it stands in JSON. */
export function keyOf(value: Value | undefined): string {
  return textOf(value ?? null);
}

const ANY: Methods<Value> = {
  toString: (self: Value) => textOf(self),
  equals: (self, [other]) => isEqual(self, other ?? null),
};

function call<T>(
  methods: Methods<T>,
  self: T,
  name: string,
  operands: readonly Value[],
  spend: Spend,
): Value | undefined {
  return Object.hasOwn(methods, name) ? methods[name]!(self, operands, spend) : undefined;
}

function found(self: Value, name: string, operands: readonly Value[], spend: Spend): Value | undefined {
  if (typeof self === 'string') return call(TEXTS, self, name, operands, spend);
  if (isNumberValue(self)) return call(NUMBERS, self, name, operands, spend);
  if (Array.isArray(self)) {
    spend(self.length);
    return Object.hasOwn(LISTS, name)
      ? call(LISTS, self, name, operands, spend)
      : call(ELEMENTS, self, name, operands, spend);
  }
  if (self instanceof Range) {
    spend(self.size);
    return call(ELEMENTS, elementsOf(self)!, name, operands, spend);
  }
  if (self instanceof Map) {
    spend(self.size);
    return call(MAPS, self, name, operands, spend);
  }
  if (typeof self === 'function') return name === 'call' ? self(operands) : undefined;
  return self instanceof HostObject ? self.call(name, operands) : undefined;
}

/** Calls a method of a value. */
export function callMethod(self: Value, name: string, operands: readonly Value[], spend: Spend): Value {
  spend(typeof self === 'string' ? 1 + self.length / 16 : 1);
  if (self === null && name !== 'equals' && name !== 'toString')
    throw new GroovyError('NullPointerException', `Cannot invoke method ${name}() on null object`);
  try {
    const own = found(self, name, operands, spend);
    const result = own === undefined ? call(ANY, self, name, operands, spend) : own;
    if (result !== undefined) return result;
  } catch (e) {
    if (!(e instanceof Unfit)) throw e;
  }
  throw missingMethod(name, self, operands);
}

/** A class of Java's whose methods belong to no value. */
class JavaClass extends HostObject {
  readonly type = 'java.lang.Class';
  readonly #members: Readonly<Record<string, Value>>;
  readonly #methods: Readonly<Record<string, (operands: readonly Value[]) => Value>>;

  constructor(
    methods: Readonly<Record<string, (operands: readonly Value[]) => Value>>,
    members: Readonly<Record<string, Value>> = {},
  ) {
    super();
    this.#members = members;
    this.#methods = methods;
  }

  member(name: string): Value | undefined {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  override call(name: string, operands: readonly Value[]): Value | undefined {
    return Object.hasOwn(this.#methods, name) ? this.#methods[name]!(operands) : undefined;
  }
}

type Calls = Record<string, (operands: readonly Value[]) => Value>;

/** Functions over doubles that are the same in JavaScript. */
const DOUBLES = [
  ...([
    'acos',
    'asin',
    'atan',
    'atan2',
    'cbrt',
    'ceil',
    'cos',
    'cosh',
    'exp',
    'floor',
    'hypot',
    'log',
    'log10',
    'log1p',
  ] as const),
  ...(['pow', 'sin', 'sinh', 'sqrt', 'tan', 'tanh', 'expm1'] as const),
];
const math: Calls = Object.fromEntries(
  DOUBLES.map((name) => [
    name,
    (operands: readonly Value[]) =>
      (Math[name] as (...n: number[]) => number)(...operands.map((each) => toDouble(number(each)))),
  ]),
);

/** The greater or smaller one, of the wider kind of the two. */
function ofTwo([a, b]: readonly Value[], sign: number): Value {
  const [left, right] = [number(a), number(b)];
  const value = compare(left, right) * sign >= 0 ? left : right;
  if (
    typeof left === 'number' ||
    typeof right === 'number' ||
    left instanceof Decimal ||
    right instanceof Decimal
  )
    return toDouble(value);
  return typeof left === 'bigint' || typeof right === 'bigint' ? toLongValue(value) : value;
}

/** What Java's functions take decimals for. */
function plain(value: Value | undefined): NumberValue {
  const given = number(value);
  return given instanceof Decimal || given instanceof BigWhole ? toDouble(given) : given;
}

const MATH = new JavaClass(
  {
    ...math,
    abs: ([value]) => absolute(plain(value)),
    max: (operands) => ofTwo(operands, 1),
    min: (operands) => ofTwo(operands, -1),
    round: ([value]) => roundedNumber(plain(value)),
    rint: ([value]) => halfEven(toDouble(number(value))),
    signum: ([value]) => Math.sign(toDouble(number(value))),
    toRadians: ([value]) => (toDouble(number(value)) / 180) * Math.PI,
    toDegrees: ([value]) => (toDouble(number(value)) * 180) / Math.PI,
  },
  { PI: Math.PI, E: Math.E },
);

function halfEven(value: number): number {
  const low = Math.floor(value);
  const over = value - low;
  return over < 0.5 || (over === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** The classes that scripts may name. */
export const CLASSES: Readonly<Record<string, HostObject>> = {
  Math: MATH,
  Integer: new JavaClass(
    {
      parseInt: ([value]) => wholeFrom(text(value), 32),
      valueOf: ([value]: readonly Value[]) => made('Integer', value ?? null),
    },
    { MAX_VALUE: new Int(0x7fff_ffff), MIN_VALUE: new Int(-0x8000_0000) },
  ),
  Long: new JavaClass(
    {
      parseLong: ([value]) => wholeFrom(text(value), 64),
      valueOf: ([value]: readonly Value[]) => made('Long', value ?? null),
    },
    { MAX_VALUE: (1n << 63n) - 1n, MIN_VALUE: -(1n << 63n) },
  ),
  Double: new JavaClass(
    {
      parseDouble: ([value]) => doubleFrom(text(value)),
      valueOf: ([value]: readonly Value[]) => made('Double', value ?? null),
      isNaN: ([value]) => Number.isNaN(toDouble(number(value))),
    },
    {
      MAX_VALUE: Number.MAX_VALUE,
      NaN: Number.NaN,
      POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
      NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
    },
  ),
  Boolean: new JavaClass({ parseBoolean: ([value]) => textOf(value ?? null).toLowerCase() === 'true' }),
  String: new JavaClass({ valueOf: ([value]: readonly Value[]) => textOf(value ?? null) }),
};

/** A value as one of another type. */
export function made(type: string, value: Value): Value {
  if (value === null || type === 'def' || type === 'Object') return type === 'boolean' ? false : value;
  switch (type) {
    case 'int':
    case 'Integer':
      return typeof value === 'string' ? wholeFrom(value, 32) : toInt(castable(value, type));
    case 'short':
    case 'Short':
      return new Int((toInt(castable(value, type)).value << 16) >> 16);
    case 'byte':
    case 'Byte':
      return new Int((toInt(castable(value, type)).value << 24) >> 24);
    case 'long':
    case 'Long':
      return typeof value === 'string' ? wholeFrom(value, 64) : toLongValue(castable(value, type));
    case 'double':
    case 'Double':
      return typeof value === 'string' ? doubleFrom(value) : toDouble(castable(value, type));
    case 'float':
    case 'Float':
      return Math.fround(typeof value === 'string' ? doubleFrom(value) : toDouble(castable(value, type)));
    case 'BigDecimal':
      return decimalOf(textOf(castable(value, type)));
    case 'BigInteger':
      return new BigWhole(truncated(castable(value, type)));
    case 'boolean':
    case 'Boolean':
      return isTrue(value);
    case 'String':
      return textOf(value);
    case 'Number':
      return castable(value, type);
    case 'List':
    case 'ArrayList':
      return [...(elementsOf(value) ?? notCast(value, type))];
    case 'Map':
    case 'HashMap':
    case 'LinkedHashMap':
      return value instanceof Map ? value : notCast(value, type);
    default:
      return notCast(value, type);
  }
}

function castable(value: Value, type: string): NumberValue {
  return isNumberValue(value) ? value : notCast(value, type);
}

function notCast(value: Value, type: string): never {
  const detail = `Cannot cast object '${textOf(value).slice(0, 60)}' with class '${typeOf(value)}' to class '${type}'`;
  throw new GroovyError('GroovyCastException', detail);
}
