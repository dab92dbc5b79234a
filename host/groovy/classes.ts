/** What stands under the names of a few of Java's classes. */
import { compare, roundedNumber } from './arithmetic.js';
import { made } from './casts.js';
import { absolute } from './methods/numbers.js';
import { number, text } from './methods/operands.js';
import { doubleFrom, wholeFrom } from './parsedNumbers.js';
import {
  BigWhole,
  Decimal,
  HostObject,
  Int,
  type NumberValue,
  textOf,
  toDouble,
  toLongValue,
  type Value,
} from './values.js';

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
