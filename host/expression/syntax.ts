/**
 * Lucene expressions, the one language of scripts that is safe to run: the arithmetic of JavaScript over doubles, with functions of a
 * fixed list and variables such as `doc['price'].value`. Read as Lucene 4.10 reads them.
 */
import { ownValue } from '../ownNames.js';

/** How operators and functions are written in programs (assembly/expression/README.md), and how many operands they take. */
export const OPERATIONS = {
  negate: [16, 1],
  not: [17, 1],
  bitNot: [18, 1],
  add: [32, 2],
  subtract: [33, 2],
  multiply: [34, 2],
  divide: [35, 2],
  modulo: [36, 2],
  less: [37, 2],
  lessOrEqual: [38, 2],
  greater: [39, 2],
  greaterOrEqual: [40, 2],
  equal: [41, 2],
  notEqual: [42, 2],
  and: [43, 2],
  or: [44, 2],
  bitAnd: [45, 2],
  bitOr: [46, 2],
  bitXor: [47, 2],
  shiftLeft: [48, 2],
  shiftRight: [49, 2],
  shiftRightUnsigned: [50, 2],
  conditional: [64, 3],
} as const;
export type Operation = keyof typeof OPERATIONS;

/** Likewise. */
export const FUNCTIONS = {
  abs: [80, 1],
  acos: [81, 1],
  acosh: [82, 1],
  asin: [83, 1],
  asinh: [84, 1],
  atan: [85, 1],
  atanh: [86, 1],
  ceil: [87, 1],
  cos: [88, 1],
  cosh: [89, 1],
  exp: [90, 1],
  floor: [91, 1],
  ln: [92, 1],
  log10: [93, 1],
  sin: [94, 1],
  sinh: [95, 1],
  sqrt: [96, 1],
  tan: [97, 1],
  tanh: [98, 1],
  atan2: [112, 2],
  logn: [113, 2],
  max: [114, 2],
  min: [115, 2],
  pow: [116, 2],
  haversin: [128, 4],
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** A part of an expression. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'variable'; name: string }
  | { kind: 'operation'; operation: Operation; operands: Expression[] }
  | { kind: 'call'; name: FunctionName; operands: Expression[] };

/** A step of a variable's name: `doc`, `['price']`, `[0]`, `.value`. */
export type VariablePart =
  | { kind: 'member'; text: string }
  | { kind: 'string'; text: string }
  | { kind: 'index'; text: string };

/** What is no expression. `exception` is the class of Java's error. */
export class ExpressionError extends Error {
  readonly exception: 'ParseException' | 'IllegalArgumentException' | 'NumberFormatException';

  constructor(exception: ExpressionError['exception'], message: string) {
    super(message);
    this.exception = exception;
  }
}

/** Deeper expressions are refused. */
const MAX_DEPTH = 200;
/** Longer ones, too. */
const MAX_LENGTH = 65_536;

interface Token {
  kind: 'variable' | 'number' | 'operator' | 'end';
  text: string;
  at: number;
}

const STRING = `'(?:[^'\\\\]|\\\\['\\\\])*'|"(?:[^"\\\\]|\\\\["\\\\])*"`;
const OBJECT = `[A-Za-z_$][A-Za-z0-9_$]*(?:\\[(?:${STRING}|0|[1-9][0-9]*)\\])*`;
const TOKEN = new RegExp(
  [
    '(?<space>[ \\t\\n\\r]+)',
    `(?<variable>${OBJECT}(?:\\.${OBJECT})*)`,
    '(?<number>0[xX][0-9a-fA-F]+|0[0-7]+|(?:0|[1-9][0-9]*)\\.[0-9]*(?:[eE][+-]?[0-9]+)?|\\.[0-9]+(?:[eE][+-]?[0-9]+)?|(?:0|[1-9][0-9]*)(?:[eE][+-]?[0-9]+)?)',
    '(?<operator>>>>|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%<>!~&|^?:(),.])',
  ].join('|'),
  'y',
);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined)
      throw new ExpressionError('ParseException', ` unexpected character '${text[at]}' at position (${at}).`);
    for (const kind of ['variable', 'number', 'operator'] as const) {
      const found = groups[kind];
      if (found !== undefined) tokens.push({ kind, text: found, at });
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

const NAMES: Record<string, string> = {
  '(': 'open parenthesis',
  ')': 'close parenthesis',
  '<': 'less than',
  '<=': 'less than or equal',
  '>': 'greater than',
  '>=': 'greater than or equal',
  '==': 'equal',
  '!=': 'negate',
  '!': 'boolean not',
  '&&': 'boolean and',
  '||': 'boolean or',
  '?': 'conditional',
  '+': 'addition',
  '-': 'subtraction',
  '*': 'multiplication',
  '/': 'division',
  '%': 'modulo',
  '<<': 'bit shift left',
  '>>': 'bit shift right',
  '>>>': 'unsigned bit shift right',
  '&': 'bitwise and',
  '|': 'bitwise or',
  '^': 'bitwise xor',
  '~': 'bitwise not',
};

function described({ kind, text }: Token): string {
  if (kind === 'end') return 'end of expression';
  if (kind === 'number') {
    const name = /^0[xX]/.test(text) ? 'hex' : /^0[0-7]/.test(text) ? 'octal' : 'decimal';
    return `${name} '${text}'`;
  }
  const name = ownValue(NAMES, text);
  return name === undefined ? `'${text}'` : `${name} '${text}'`;
}

/** Operators of two operands, from those that bind least. */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  { '||': 'or' },
  { '&&': 'and' },
  { '|': 'bitOr' },
  { '^': 'bitXor' },
  { '&': 'bitAnd' },
  { '==': 'equal', '!=': 'notEqual' },
  { '<': 'less', '>': 'greater', '<=': 'lessOrEqual', '>=': 'greaterOrEqual' },
  { '<<': 'shiftLeft', '>>': 'shiftRight', '>>>': 'shiftRightUnsigned' },
  { '+': 'add', '-': 'subtract' },
  { '*': 'multiply', '/': 'divide', '%': 'modulo' },
];
const UNARY: Readonly<Record<string, Operation>> = { '-': 'negate', '~': 'bitNot', '!': 'not' };

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const found = this.#conditional();
    const { kind } = this.#next;
    if (kind === 'end') return found;
    const follows = this.#tokens[this.#at + 1]!;
    // What could be left out is called so.
    throw follows.kind === 'end' && kind !== 'variable' ? this.#extraneous() : this.#invalid();
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  /** Takes the operator if it is the next token. */
  #take(text: string): boolean {
    const { kind, text: found } = this.#next;
    if (kind !== 'operator' || found !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) {
      const { at } = this.#next;
      const what = ` unexpected token ${described(this.#next)} at position (${at}).`;
      throw new ExpressionError('ParseException', what);
    }
  }

  #extraneous(): ExpressionError {
    return new ExpressionError(
      'ParseException',
      ` extraneous ${described(this.#next)} at position (${this.#next.at}).`,
    );
  }

  #invalid(): ExpressionError {
    if (this.#next.kind === 'end')
      return new ExpressionError('ParseException', ' unexpected end of expression.');
    return new ExpressionError(
      'ParseException',
      ` invalid sequence of tokens near ${described(this.#next)} at position (${this.#next.at}).`,
    );
  }

  #deeper<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new ExpressionError('IllegalArgumentException', `more than ${MAX_DEPTH} levels of an expression`);
    const found = parse();
    this.#depth--;
    return found;
  }

  #conditional(): Expression {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#take('?')) return condition;
      const yes = this.#conditional();
      this.#expect(':');
      const no = this.#conditional();
      return operation('conditional', condition, yes, no);
    });
  }

  #binary(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const { kind, text } = this.#next;
      const found = kind === 'operator' && Object.hasOwn(operators, text) ? operators[text] : undefined;
      if (found === undefined) return left;
      this.#at++;
      left = operation(found, left, this.#binary(level + 1));
    }
  }

  #unary(): Expression {
    if (this.#take('+')) return this.#deeper(() => this.#unary());
    const { kind, text } = this.#next;
    const found = kind === 'operator' && Object.hasOwn(UNARY, text) ? UNARY[text] : undefined;
    if (found === undefined) return this.#primary();
    this.#at++;
    return this.#deeper(() => operation(found, this.#unary()));
  }

  #primary(): Expression {
    const token = this.#next;
    if (this.#take('(')) {
      const inner = this.#conditional();
      this.#expect(')');
      return inner;
    }
    if (token.kind === 'number') {
      this.#at++;
      return { kind: 'number', value: numberOf(token.text) };
    }
    if (token.kind !== 'variable') throw this.#invalid();
    this.#at++;
    const name = normalized(token.text);
    if (!this.#take('(')) return { kind: 'variable', name };
    const operands: Expression[] = [];
    if (!this.#take(')')) {
      do operands.push(this.#conditional());
      while (this.#take(','));
      this.#expect(')');
    }
    return call(name, operands);
  }
}

function operation(name: Operation, ...operands: Expression[]): Expression {
  return { kind: 'operation', operation: name, operands };
}

function call(name: string, operands: Expression[]): Expression {
  if (!Object.hasOwn(FUNCTIONS, name))
    throw new ExpressionError('IllegalArgumentException', `Unrecognized method call (${name}).`);
  const [, wanted] = FUNCTIONS[name as FunctionName];
  if (wanted !== operands.length) {
    throw new ExpressionError(
      'IllegalArgumentException',
      `Expected (${wanted}) arguments for method call (${name}), but found (${operands.length}).`,
    );
  }
  return { kind: 'call', name: name as FunctionName, operands };
}

function numberOf(text: string): number {
  const hex = /^0[xX]/.test(text);
  if (!hex && !/^0[0-7]+$/.test(text)) return Number(text);
  const digits = text.slice(hex ? 2 : 1);
  const value = BigInt(`${hex ? '0x' : '0o'}${digits}`);
  if (value < 1n << 63n) return Number(value);
  throw new ExpressionError(
    'NumberFormatException',
    `For input string: "${digits}" under radix ${hex ? 16 : 8}`,
  );
}

/** A variable's name with its texts between single quotes. */
function normalized(name: string): string {
  return name.replace(
    /\["((?:[^"\\]|\\["\\])*)"\]/g,
    (_, text: string) => `['${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}']`,
  );
}

/** Reads an expression; throws an {@link ExpressionError}. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH)
    throw new ExpressionError(
      'IllegalArgumentException',
      `an expression of more than ${MAX_LENGTH} characters`,
    );
  return new Parser(text).whole();
}

/** The variables of an expression, each once, in the order of the text. */
export function variablesOf(expression: Expression): string[] {
  const names = new Set<string>();
  const visit = (part: Expression) => {
    if (part.kind === 'variable') names.add(part.name);
    else if (part.kind !== 'number') for (const operand of part.operands) visit(operand);
  };
  visit(expression);
  return [...names];
}

/** The steps of a variable's name. */
export function partsOf(variable: string): VariablePart[] {
  const parts: VariablePart[] = [];
  for (const [, member, text, index] of variable.matchAll(
    /([A-Za-z_$][A-Za-z0-9_$]*)|\['((?:[^'\\]|\\['\\])*)'\]|\[(\d+)\]/g,
  )) {
    if (member !== undefined) parts.push({ kind: 'member', text: member });
    else if (text !== undefined) parts.push({ kind: 'string', text: text.replace(/\\(['\\])/g, '$1') });
    else parts.push({ kind: 'index', text: index ?? '' });
  }
  return parts;
}
