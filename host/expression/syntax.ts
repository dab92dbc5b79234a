/**
 * Lucene expressions, the one language of scripts that is safe to run: the arithmetic of JavaScript over doubles, with functions of a
 * fixed list and variables such as `doc['price'].value`. Read as Lucene 4.10 reads them.
 */
import { type Expression, FUNCTIONS, type FunctionName, type Operation } from './operations.js';
import { described, ExpressionError, Lexer, type Token } from './tokens.js';

/** A step of a variable's name: `doc`, `['price']`, `[0]`, `.value`. */
export type VariablePart =
  | { kind: 'member'; text: string }
  | { kind: 'string'; text: string }
  | { kind: 'index'; text: string };

/** Deeper expressions are refused. */
const MAX_DEPTH = 200;
/** Longer ones, too. */
const MAX_LENGTH = 65_536;

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

/** Tokens that an expression may begin with. */
function begins({ kind, text }: Token): boolean {
  return kind === 'variable' || kind === 'number' || (kind === 'operator' && '(+-~!'.includes(text));
}

/** What may stand behind an operand, wherever that is. */
const FOLLOWING = new Set(['?', ...LEVELS.flatMap((level) => Object.keys(level))]);
const ARGUMENTS = [',', ')'];

/**
 * The parser, which looks at tokens in the order in which Lucene's does, and no sooner: what is wrong behind a mistake is not found out.
 * What is wrong with calls and numbers is told when all has been read.
 */
class Parser {
  readonly #lexer: Lexer;
  readonly #tokens: Token[] = [];
  readonly #late = new Map<Expression, ExpressionError>();
  #at = 0;
  #depth = 0;
  /** What ends the expression that is read, inside of others. */
  #closing: readonly string[] = [];

  constructor(text: string) {
    this.#lexer = new Lexer(text);
  }

  whole(): Expression {
    const found = this.#conditional();
    if (this.#next.kind !== 'end')
      throw this.#behind(1).kind === 'end' ? this.#extraneous() : this.#missing();
    this.#check(found);
    return found;
  }

  get #next(): Token {
    return this.#behind(0);
  }

  /** The token so many behind the next. */
  #behind(count: number): Token {
    while (this.#tokens.length <= this.#at + count) this.#tokens.push(this.#lexer.next());
    return this.#tokens[this.#at + count]!;
  }

  /** Goes on to the next token, which is read at once. */
  #advance(): void {
    this.#at++;
    this.#behind(0);
  }

  /** Takes the operator if it is the next token. */
  #take(text: string): boolean {
    if (!isOperator(this.#next, text)) return false;
    this.#advance();
    return true;
  }

  /** Refuses the next token where it is not the operator; `follows` tells what may stand behind that. */
  #expect(text: string, follows: (token: Token) => boolean): void {
    if (this.#take(text)) return;
    if (isOperator(this.#behind(1), text)) throw this.#extraneous();
    throw follows(this.#next) ? this.#missing() : this.#complaint(' unexpected token');
  }

  #extraneous(): ExpressionError {
    return this.#complaint(' extraneous');
  }

  #missing(): ExpressionError {
    return this.#complaint(' missing');
  }

  #invalid(token = this.#next): ExpressionError {
    if (token.kind === 'end') return new ExpressionError('ParseException', ' unexpected end of expression.');
    return this.#complaint(' invalid sequence of tokens near', token);
  }

  #complaint(what: string, token = this.#next): ExpressionError {
    return new ExpressionError(
      'ParseException',
      `${what} ${described(token)} at position (${token.column}).`,
    );
  }

  #deeper<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new ExpressionError('IllegalArgumentException', `more than ${MAX_DEPTH} levels of an expression`);
    const found = parse();
    this.#depth--;
    return found;
  }

  /** An expression that one of some operators ends. */
  #inside(closing: readonly string[]): Expression {
    const before = this.#closing;
    this.#closing = closing;
    const found = this.#conditional();
    this.#closing = before;
    return found;
  }

  #conditional(): Expression {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#take('?')) return condition;
      const yes = this.#inside([':']);
      this.#expect(':', begins);
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
      this.#advance();
      left = operation(found, left, this.#binary(level + 1));
    }
  }

  #unary(): Expression {
    if (this.#take('+')) return this.#deeper(() => this.#unary());
    const { kind, text } = this.#next;
    const found = kind === 'operator' && Object.hasOwn(UNARY, text) ? UNARY[text] : undefined;
    if (found === undefined) return this.#primary();
    this.#advance();
    return this.#deeper(() => operation(found, this.#unary()));
  }

  /** Whether a token may stand behind an operand, here. */
  readonly #followsOperand = ({ kind, text }: Token): boolean =>
    kind === 'operator' && (FOLLOWING.has(text) || this.#closing.includes(text));

  #primary(): Expression {
    const token = this.#next;
    if (this.#take('(')) {
      const inner = this.#inside([')']);
      this.#expect(')', this.#followsOperand);
      return inner;
    }
    if (token.kind === 'number') {
      this.#advance();
      return this.#number(token.text);
    }
    if (token.kind !== 'variable') throw this.#invalid();
    const behind = this.#behind(1);
    const isCall = isOperator(behind, '(');
    if (
      behind.kind === 'variable' ||
      behind.kind === 'number' ||
      (!isCall && '~!.'.includes(behind.text || ' '))
    )
      throw this.#invalid(behind);
    this.#advance();
    if (!isCall) return { kind: 'variable', name: normalized(token.text) };
    this.#advance();
    return this.#call(token.text, this.#arguments());
  }

  #arguments(): Expression[] {
    const operands: Expression[] = [];
    if (begins(this.#next)) {
      do operands.push(this.#inside(ARGUMENTS));
      while (this.#take(','));
    }
    this.#expect(')', this.#followsOperand);
    return operands;
  }

  #call(name: string, operands: Expression[]): Expression {
    const found: Expression = { kind: 'call', name: name as FunctionName, operands };
    const wanted = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[found.name][1] : undefined;
    const why =
      wanted === undefined
        ? `Unrecognized method call (${name}).`
        : `Expected (${wanted}) arguments for method call (${name}), but found (${operands.length}).`;
    if (wanted !== operands.length)
      this.#late.set(found, new ExpressionError('IllegalArgumentException', why));
    return found;
  }

  #number(text: string): Expression {
    try {
      return { kind: 'number', value: numberOf(text) };
    } catch (thrown) {
      const found: Expression = { kind: 'number', value: 0 };
      if (thrown instanceof ExpressionError) this.#late.set(found, thrown);
      return found;
    }
  }

  /** Tells what is wrong with a part, from outside to inside. */
  #check(part: Expression): void {
    if (this.#late.size === 0) return;
    const problem = this.#late.get(part);
    if (problem !== undefined) throw problem;
    if ('operands' in part) for (const operand of part.operands) this.#check(operand);
  }
}

function isOperator({ kind, text }: Token, wanted: string): boolean {
  return kind === 'operator' && text === wanted;
}

function operation(operation: Operation, ...operands: Expression[]): Expression {
  const asInts = operands.map((operand, i) => (INTS[operation]?.includes(i) ? asInt(operand) : operand));
  return { kind: 'operation', operation, operands: asInts };
}

/** The operands that Lucene computes as ints. */
const INTS: Partial<Record<Operation, readonly number[]>> = {
  not: [0],
  and: [0, 1],
  or: [0, 1],
  conditional: [0],
  shiftLeft: [1],
  shiftRight: [1],
  shiftRightUnsigned: [1],
};
/** What makes longs, of which an int has the low half; a double is bounded instead. */
const LONGS: ReadonlySet<Operation> = new Set([
  'bitNot',
  'bitAnd',
  'bitOr',
  'bitXor',
  'shiftLeft',
  'shiftRight',
  'shiftRightUnsigned',
]);
const HALF: Expression = { kind: 'number', value: 32 };

function asInt(part: Expression): Expression {
  if (part.kind !== 'operation') return part;
  const [first, ...others] = part.operands;
  if (part.operation === 'conditional') return { ...part, operands: [first!, ...others.map(asInt)] };
  if (!LONGS.has(part.operation)) return part;
  const high: Expression = { kind: 'operation', operation: 'shiftLeft', operands: [part, HALF] };
  return { kind: 'operation', operation: 'shiftRight', operands: [high, HALF] };
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
    /'(?:[^'\\]|\\['\\])*'|\["((?:[^"\\]|\\["\\])*)"\]/g,
    (whole, text: string | undefined) =>
      text === undefined ? whole : `['${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}']`,
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
