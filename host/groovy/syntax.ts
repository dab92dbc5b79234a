/**
 * The part of Groovy that scripts of documents are written in: values, arithmetic, lists and maps, conditions, loops over something, closures
 * as arguments. What else Groovy has is refused by its name when a script is read.
 */
import { GroovyError, syntaxError, type Token, tokensOf } from './tokens.js';

export type BinaryOperator =
  | ('+' | '-' | '*' | '/' | '%' | '**' | '<<' | '>>' | '>>>' | '&' | '|' | '^')
  | ('==' | '!=' | '<' | '<=' | '>' | '>=' | '<=>' | 'in' | '..' | '..<');

/** A part that has a value. `at` is its place in the text. */
export type Node =
  | { kind: 'number'; text: string; at: number }
  | { kind: 'text'; parts: readonly (string | Node)[]; at: number }
  | { kind: 'constant'; value: boolean | null; at: number }
  | { kind: 'name'; name: string; at: number }
  | { kind: 'list'; items: readonly Node[]; at: number }
  | { kind: 'map'; entries: readonly (readonly [key: Node, value: Node])[]; at: number }
  | { kind: 'closure'; parameters: readonly string[] | undefined; body: Block; at: number }
  | { kind: 'unary'; operator: '-' | '+' | '!' | '~'; operand: Node; at: number }
  | { kind: 'binary'; operator: BinaryOperator; left: Node; right: Node; at: number }
  | { kind: 'logical'; operator: '&&' | '||' | '?:'; left: Node; right: Node; at: number }
  | { kind: 'conditional'; condition: Node; yes: Node; no: Node; at: number }
  | { kind: 'cast'; type: string; operand: Node; at: number }
  | { kind: 'member'; object: Node; name: string; safe: boolean; at: number }
  | { kind: 'index'; object: Node; index: Node; at: number }
  | { kind: 'call'; object: Node; name: string; safe: boolean; operands: readonly Node[]; at: number }
  /** Of several the last one counts; `operator` undefined: the value itself. */
  | { kind: 'assign'; target: Node; operator: BinaryOperator | undefined; value: Node; at: number }
  | { kind: 'step'; target: Node; by: '+' | '-'; prefix: boolean; at: number };

export type Statement =
  | { kind: 'value'; value: Node }
  | { kind: 'define'; name: string; type: string; value: Node | undefined; at: number }
  | { kind: 'if'; condition: Node; yes: Block; no: Block | undefined }
  | { kind: 'forIn'; name: string; list: Node; body: Block }
  | { kind: 'for'; first: readonly Statement[]; condition: Node; step: readonly Node[]; body: Block }
  | { kind: 'return'; value: Node | undefined }
  | { kind: 'break' | 'continue' };
export type Block = readonly Statement[];

/** Longer scripts are refused, and those with deeper parts. */
const MOST_CHARACTERS = 65_536;
const MOST_DEPTH = 200;

/** Types that values may be declared as, or be made. */
const TYPES = new Set([
  ...['def', 'int', 'long', 'double', 'float', 'short', 'byte', 'boolean', 'char'],
  ...['Integer', 'Long', 'Double', 'Float', 'Short', 'Byte', 'Boolean', 'String', 'Number', 'Object'],
  ...['BigDecimal', 'BigInteger', 'List', 'Map', 'ArrayList', 'HashMap', 'LinkedHashMap'],
]);
/** What there is in Groovy, but not here. */
const REFUSED: Readonly<Record<string, string>> = {
  while: 'while loops',
  do: 'do loops',
  class: 'classes',
  interface: 'interfaces',
  enum: 'enums',
  trait: 'traits',
  import: 'imports',
  package: 'packages',
  new: 'new objects',
  try: 'try blocks',
  throw: 'exceptions',
  switch: 'switch statements',
  assert: 'assertions',
  synchronized: 'synchronized blocks',
  instanceof: 'instanceof',
  this: 'this',
  super: 'super',
};

const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '<=>'],
  ['<', '<=', '>', '>=', 'in'],
  ['<<', '>>', '>>>', '..', '..<'],
  ['+', '-'],
  ['*', '/', '%'],
];
const ASSIGNING: Readonly<Record<string, BinaryOperator | undefined>> = {
  '=': undefined,
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '**=': '**',
  '<<=': '<<',
  '>>=': '>>',
  '>>>=': '>>>',
  '&=': '&',
  '|=': '|',
  '^=': '^',
};
const NOT_HERE: Readonly<Record<string, string>> = {
  '=~': 'regular expressions',
  '==~': 'regular expressions',
  '*.': 'the operator *.',
  '.&': 'pointers to methods',
  '.@': 'fields of objects',
  '::': 'pointers to methods',
  '@': 'annotations',
  '===': 'the operator ===',
  '!==': 'the operator !==',
  '?:=': 'the operator ?:=',
  '*.@': 'the operator *.@',
};

/** Reads a script; throws a {@link GroovyError}. */
export function parseGroovy(text: string): Block {
  if (text.length > MOST_CHARACTERS)
    throw new GroovyError(
      'MultipleCompilationErrorsException',
      `a script of more than ${MOST_CHARACTERS} characters`,
    );
  return new Parser(text, 0).whole();
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth: number;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#depth = depth;
  }

  whole(): Block {
    const block = this.#statements();
    if (this.#next.kind !== 'end') throw this.#unexpected();
    return block;
  }

  /** A script that is one value, in a text between double quotes. */
  value(): Node {
    this.#lines();
    const value = this.#expression();
    this.#lines();
    if (this.#next.kind !== 'end') throw this.#unexpected();
    return value;
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(text: string, token = this.#next): boolean {
    return (token.kind === 'operator' || token.kind === 'name') && token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#error(`expecting '${text}', found '${shown(this.#next)}'`);
  }

  #error(problem: string, at = this.#next.at): GroovyError {
    return syntaxError(this.#text, at, problem);
  }

  #unexpected(): GroovyError {
    const { kind, text, at } = this.#next;
    const refused = kind === 'name' ? REFUSED[text] : kind === 'operator' ? NOT_HERE[text] : undefined;
    if (refused !== undefined) return this.#error(`${refused} can't be used in scripts here`, at);
    return this.#error(`unexpected token: ${shown(this.#next)}`);
  }

  /** The next token that is no line end, without taking anything. */
  #beyondLines(): Token {
    let at = this.#at;
    while (this.#tokens[at]!.kind === 'line') at++;
    return this.#tokens[at]!;
  }

  #lines(): void {
    while (this.#next.kind === 'line') this.#at++;
  }

  /** Whether a statement ends here. */
  #ends(): boolean {
    const { kind } = this.#next;
    return kind === 'line' || kind === 'end' || this.#is(';') || this.#is('}');
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MOST_DEPTH) throw this.#error(`a script of more than ${MOST_DEPTH} levels`);
    const found = read();
    this.#depth--;
    return found;
  }

  #statements(): Statement[] {
    const found: Statement[] = [];
    for (;;) {
      while (this.#next.kind === 'line' || this.#is(';')) this.#at++;
      if (this.#next.kind === 'end' || this.#is('}')) return found;
      found.push(this.#statement());
      if (!this.#ends()) {
        // A block ends its statement.
        const last = found.at(-1)!.kind;
        if (last !== 'if' && last !== 'forIn' && last !== 'for') throw this.#unexpected();
      }
    }
  }

  /** A block between braces, or a single statement. */
  #block(): Block {
    return this.#deeper(() => {
      this.#lines();
      if (!this.#take('{')) return [this.#statement()];
      const found = this.#statements();
      this.#expect('}');
      return found;
    });
  }

  #statement(): Statement {
    const { kind, text, at } = this.#next;
    if (kind === 'name') {
      if (Object.hasOwn(REFUSED, text)) throw this.#unexpected();
      if (text === 'if') return this.#if();
      if (text === 'for') return this.#for();
      if (text === 'break' || text === 'continue') {
        this.#at++;
        return { kind: text };
      }
      if (text === 'return') {
        this.#at++;
        return { kind: 'return', value: this.#ends() ? undefined : this.#expression() };
      }
      const behind = this.#tokens[this.#at + 1]!;
      if (
        (text === 'final' || TYPES.has(text)) &&
        (behind.kind === 'name' || (text === 'def' && this.#is('(', behind)))
      )
        return this.#define(at);
    }
    return { kind: 'value', value: this.#expression() };
  }

  #define(at: number): Statement {
    this.#take('final');
    const type = this.#next.text;
    if (TYPES.has(type) && this.#tokens[this.#at + 1]!.kind === 'name') this.#at++;
    if (this.#next.kind !== 'name')
      throw this.#error("several variables at once can't be declared in scripts here");
    const name = this.#next.text;
    this.#at++;
    if (this.#is('(')) throw this.#error("methods can't be declared in scripts here", at);
    if (!this.#take('=')) return { kind: 'define', name, type, value: undefined, at };
    this.#lines();
    return { kind: 'define', name, type, value: this.#expression(), at };
  }

  #if(): Statement {
    this.#at++;
    this.#expect('(');
    const condition = this.#expression();
    this.#expect(')');
    const yes = this.#block();
    let next = this.#at;
    while (this.#tokens[next]!.kind === 'line' || this.#is(';', this.#tokens[next])) next++;
    if (!this.#is('else', this.#tokens[next])) return { kind: 'if', condition, yes, no: undefined };
    this.#at = next + 1;
    return { kind: 'if', condition, yes, no: this.#block() };
  }

  #for(): Statement {
    this.#at++;
    this.#expect('(');
    const from = this.#at;
    if (TYPES.has(this.#next.text) && this.#tokens[from + 1]!.kind === 'name') this.#at++;
    const variable = this.#next;
    const behind = this.#tokens[this.#at + 1]!;
    if (variable.kind === 'name' && (this.#is('in', behind) || this.#is(':', behind))) {
      this.#at += 2;
      const list = this.#expression();
      this.#expect(')');
      return { kind: 'forIn', name: variable.text, list, body: this.#block() };
    }
    this.#at = from;
    const first = this.#is(';') ? [] : [this.#statement()];
    this.#expect(';');
    if (this.#is(';')) throw this.#error("loops without a condition can't be used in scripts here");
    const condition = this.#expression();
    this.#expect(';');
    const step = this.#is(')') ? [] : [this.#expression()];
    this.#expect(')');
    return { kind: 'for', first, condition, step, body: this.#block() };
  }

  #expression(): Node {
    return this.#deeper(() => {
      const target = this.#conditional();
      const { kind, text, at } = this.#next;
      if (kind !== 'operator' || !Object.hasOwn(ASSIGNING, text)) return target;
      if (target.kind !== 'name' && target.kind !== 'member' && target.kind !== 'index')
        throw this.#error('only names, members and elements can be assigned to', at);
      this.#at++;
      this.#lines();
      return { kind: 'assign', target, operator: ASSIGNING[text], value: this.#expression(), at };
    });
  }

  #conditional(): Node {
    const condition = this.#logical('||');
    const { at } = this.#next;
    const later = this.#beyondLines();
    if (this.#is('?:', later)) {
      this.#lines();
      this.#at++;
      this.#lines();
      return {
        kind: 'logical',
        operator: '?:',
        left: condition,
        right: this.#deeper(() => this.#conditional()),
        at,
      };
    }
    if (!this.#is('?', later)) return condition;
    this.#lines();
    this.#at++;
    this.#lines();
    const yes = this.#expression();
    this.#lines();
    this.#expect(':');
    this.#lines();
    return { kind: 'conditional', condition, yes, no: this.#deeper(() => this.#conditional()), at };
  }

  #logical(operator: '&&' | '||'): Node {
    const inner = () => (operator === '||' ? this.#logical('&&') : this.#binary(0));
    let left = inner();
    while (this.#is(operator, this.#beyondLines())) {
      this.#lines();
      const { at } = this.#next;
      this.#at++;
      this.#lines();
      left = { kind: 'logical', operator, left, right: inner(), at };
    }
    return left;
  }

  #binary(level: number): Node {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const { kind, text, at } = this.#next;
      const operator =
        kind === 'line' || kind === 'end' ? undefined : operators.find((each) => each === text);
      if (operator === undefined || (kind === 'name') !== (operator === 'in')) {
        if (level !== 4 || !this.#is('as')) return left;
        this.#at++;
        left = { kind: 'cast', type: this.#type(), operand: left, at };
        continue;
      }
      this.#at++;
      this.#lines();
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1), at };
    }
  }

  #type(): string {
    const { kind, text } = this.#next;
    if (kind !== 'name' || !TYPES.has(text))
      throw this.#error(`unable to resolve class ${shown(this.#next)}`);
    this.#at++;
    return text;
  }

  #unary(): Node {
    const { kind, text, at } = this.#next;
    if (kind === 'operator' && (text === '++' || text === '--')) {
      this.#at++;
      const target = this.#deeper(() => this.#unary());
      return {
        kind: 'step',
        target: this.#steppable(target, at),
        by: text === '++' ? '+' : '-',
        prefix: true,
        at,
      };
    }
    if (kind === 'operator' && (text === '-' || text === '+' || text === '!' || text === '~')) {
      this.#at++;
      // A sign binds less than a power: -2 ** 2 is -4.
      return { kind: 'unary', operator: text, operand: this.#deeper(() => this.#unary()), at };
    }
    if (this.#isCast()) {
      this.#at++;
      const type = this.#type();
      this.#expect(')');
      return { kind: 'cast', type, operand: this.#deeper(() => this.#unary()), at };
    }
    const base = this.#postfix();
    if (!this.#is('**')) return base;
    const operator = this.#next.at;
    this.#at++;
    this.#lines();
    return {
      kind: 'binary',
      operator: '**',
      left: base,
      right: this.#deeper(() => this.#unary()),
      at: operator,
    };
  }

  /** Whether a type between parentheses comes, and something that can be made that. */
  #isCast(): boolean {
    const [open, type, close, behind] = this.#tokens.slice(this.#at, this.#at + 4);
    if (!this.#is('(', open) || type?.kind !== 'name' || !TYPES.has(type.text) || !this.#is(')', close))
      return false;
    if (behind === undefined || behind.kind === 'line' || behind.kind === 'end') return false;
    return behind.kind !== 'operator' || '([{-+!~'.includes(behind.text);
  }

  #steppable(target: Node, at: number): Node {
    if (target.kind === 'name' || target.kind === 'member' || target.kind === 'index') return target;
    throw this.#error('only names, members and elements can be counted up or down', at);
  }

  #postfix(): Node {
    let value = this.#primary();
    for (;;) {
      const { at } = this.#next;
      const beyond = this.#beyondLines();
      if (this.#is('.', beyond) || this.#is('?.', beyond)) {
        this.#lines();
        value = this.#member(value, this.#next.text === '?.', at);
      } else if (this.#take('[')) {
        const index = this.#expression();
        if (this.#is(',')) throw this.#error("several elements at once can't be read in scripts here");
        this.#expect(']');
        value = { kind: 'index', object: value, index, at };
      } else if (this.#is('(') && value.kind === 'name') {
        throw this.#error(`the method ${value.name} can't be called in scripts here`);
      } else if (this.#is('++') || this.#is('--')) {
        const by = this.#next.text === '++' ? '+' : '-';
        this.#at++;
        value = { kind: 'step', target: this.#steppable(value, at), by, prefix: false, at };
      } else if (this.#next.kind === 'operator' && Object.hasOwn(NOT_HERE, this.#next.text))
        throw this.#unexpected();
      else return value;
    }
  }

  #member(object: Node, safe: boolean, at: number): Node {
    this.#at++;
    this.#lines();
    const { kind, text, parts } = this.#next;
    if (kind !== 'name' && (kind !== 'text' || parts!.length !== 1 || typeof parts![0] !== 'string'))
      throw this.#unexpected();
    const name = kind === 'name' ? text : (parts![0] as string);
    this.#at++;
    const operands: Node[] = [];
    const isCall = this.#is('(');
    if (isCall) {
      this.#at++;
      operands.push(...this.#list(')'));
    }
    const hasClosure = this.#is('{');
    if (hasClosure) operands.push(this.#closure());
    if (!isCall && !hasClosure) return { kind: 'member', object, name, safe, at };
    return { kind: 'call', object, name, safe, operands, at };
  }

  /** Values up to a closing bracket, which is taken too. */
  #list(closing: string): Node[] {
    const items: Node[] = [];
    while (!this.#take(closing)) {
      items.push(this.#expression());
      if (!this.#is(closing)) this.#expect(',');
    }
    return items;
  }

  #primary(): Node {
    const { kind, text, parts, at } = this.#next;
    if (kind === 'number') {
      this.#at++;
      return { kind: 'number', text, at };
    }
    if (kind === 'text') {
      this.#at++;
      return { kind: 'text', parts: parts!.map((part) => this.#inserted(part)), at };
    }
    if (kind === 'name') return this.#name();
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#is('[')) return this.#listOrMap();
    if (this.#is('{')) return this.#closure();
    if (this.#is('/')) throw this.#error("texts between slashes can't be used in scripts here");
    throw this.#unexpected();
  }

  #inserted(part: string | { script: string; at: number }): string | Node {
    if (typeof part === 'string') return part;
    return this.#deeper(() => new Parser(part.script, this.#depth).value());
  }

  #name(): Node {
    const { text, at } = this.#next;
    if (Object.hasOwn(REFUSED, text)) throw this.#unexpected();
    this.#at++;
    if (text === 'true' || text === 'false') return { kind: 'constant', value: text === 'true', at };
    if (text === 'null') return { kind: 'constant', value: null, at };
    return { kind: 'name', name: text, at };
  }

  #listOrMap(): Node {
    const { at } = this.#next;
    this.#at++;
    if (this.#is(':')) {
      this.#at++;
      this.#expect(']');
      return { kind: 'map', entries: [], at };
    }
    if (this.#take(']')) return { kind: 'list', items: [], at };
    const entries: [Node, Node][] = [];
    const items: Node[] = [];
    do {
      if (this.#is(']')) break;
      const first = this.#key() ?? this.#expression();
      if (this.#take(':')) entries.push([first, this.#expression()]);
      else items.push(first);
    } while (this.#take(','));
    this.#expect(']');
    if (entries.length > 0 && items.length > 0) throw this.#error('a list with entries of a map', at);
    return entries.length > 0 ? { kind: 'map', entries, at } : { kind: 'list', items, at };
  }

  /** A name before a colon is a key. */
  #key(): Node | undefined {
    const { kind, text, at } = this.#next;
    if (kind !== 'name' || !this.#is(':', this.#tokens[this.#at + 1])) return undefined;
    this.#at++;
    return { kind: 'text', parts: [text], at };
  }

  #closure(): Node {
    return this.#deeper(() => {
      const { at } = this.#next;
      this.#expect('{');
      const parameters = this.#parameters();
      const body = this.#statements();
      this.#expect('}');
      return { kind: 'closure', parameters, body, at };
    });
  }

  /** Names before `->`; undefined where there are none. */
  #parameters(): string[] | undefined {
    const names: string[] = [];
    const from = this.#at;
    this.#lines();
    while (this.#next.kind === 'name') {
      if (TYPES.has(this.#next.text) && this.#tokens[this.#at + 1]!.kind === 'name') this.#at++;
      names.push(this.#next.text);
      this.#at++;
      if (!this.#take(',')) break;
      this.#lines();
    }
    if (this.#take('->')) return names;
    this.#at = from;
    return undefined;
  }
}

function shown({ kind, text }: Token): string {
  if (kind === 'end') return 'EOF';
  return kind === 'line' ? 'a line end' : kind === 'text' ? 'a text' : text;
}
