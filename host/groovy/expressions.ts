/**
 * Scripts over numbers of documents as expressions, which the core works out for many documents at once: arithmetic, conditions and the
 * functions of Math over `doc['field'].value`, `.empty`, coordinates and distances of points, `_score`, `_value` and numbers that are given. Variables are put in where they are read.
 */
import { type Expression, FUNCTIONS, type FunctionName, type Operation } from '../expression/operations.js';
import { isNumber } from '../json/values.js';
import { ownValue } from '../ownNames.js';
import { DISTANCES, distanceBetween } from './distances.js';
import { numberOf } from './interpreter.js';
import type { BinaryOperator, Block, Node, Statement } from './syntax.js';
import { GroovyError } from './tokens.js';
import { toDouble } from './values.js';

/** Expressions of more parts are refused: the core takes no longer ones. */
const MOST_PARTS = 1024;
/** Parts of a distance, at most. */
const DISTANCE_PARTS = 24;

const OPERATIONS: Readonly<Partial<Record<BinaryOperator, Operation>>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '<<': 'shiftLeft',
  '>>': 'shiftRight',
  '>>>': 'shiftRightUnsigned',
  '&': 'bitAnd',
  '|': 'bitOr',
  '^': 'bitXor',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};
/** What is 1 or 0. */
const CONDITIONS: ReadonlySet<string> = new Set<Operation>([
  ...(['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual', 'and', 'or', 'not'] as const),
]);
/** Functions of Math that expressions have under another name. */
const RENAMED: Readonly<Record<string, FunctionName>> = { log: 'ln' };
/** Those that differ, or that Math hasn't. */
const NOT_MATH: ReadonlySet<string> = new Set(['ln', 'logn', 'haversin', 'acosh', 'asinh', 'atanh']);

type Variables = ReadonlyMap<string, Expression>;

/**
 * A script as an expression; throws a {@link GroovyError} that names what none can have.
 * @param params numbers that are given
 */
export function expressionOf(script: Block, params: Readonly<Record<string, unknown>>): Expression {
  return new Translation(params).block(script, new Map());
}

function refused(what: string): GroovyError {
  return new GroovyError(
    'UnsupportedOperationException',
    `${what} can't be used in a script that is worked out for every document: it is made of numbers of fields, as in doc['field'].value, of _score, of parameters, of operators, conditions and functions of Math`,
  );
}

class Translation {
  readonly #params: Readonly<Record<string, unknown>>;
  #parts = 0;

  constructor(params: Readonly<Record<string, unknown>>) {
    this.#params = params;
  }

  #made<T extends Expression>(expression: T): T {
    if (++this.#parts > MOST_PARTS) throw refused(`more than ${MOST_PARTS} parts`);
    return expression;
  }

  #number(value: number): Expression {
    return this.#made({ kind: 'number', value });
  }

  #operation(operation: Operation, ...operands: Expression[]): Expression {
    return this.#made({ kind: 'operation', operation, operands });
  }

  #call(name: FunctionName, ...operands: Expression[]): Expression {
    return this.#made({ kind: 'call', name, operands });
  }

  /** What the statements come to. */
  block(block: Block, variables: Variables): Expression {
    const [statement, ...rest] = block;
    if (statement === undefined) throw refused('a script without a value');
    return this.#statement(statement, rest, new Map(variables));
  }

  #statement(statement: Statement, rest: Block, variables: Map<string, Expression>): Expression {
    switch (statement.kind) {
      case 'return':
        if (statement.value === undefined) throw refused('a return without a value');
        return this.#value(statement.value, variables);
      case 'define':
        variables.set(
          statement.name,
          statement.value === undefined ? this.#number(0) : this.#typed(statement, variables),
        );
        return this.block(rest, variables);
      case 'if': {
        const condition = this.#condition(statement.condition, variables);
        const yes = this.block([...statement.yes, ...rest], variables);
        return this.#operation(
          'conditional',
          condition,
          yes,
          this.block([...(statement.no ?? []), ...rest], variables),
        );
      }
      case 'value':
        return this.#last(statement.value, rest, variables);
      default:
        throw refused('a loop');
    }
  }

  #typed({ type, value }: Extract<Statement, { kind: 'define' }>, variables: Variables): Expression {
    return this.#cast(type, this.#value(value!, variables));
  }

  /** A value that nothing follows is the script's; one before that counts where it gives a variable another value. */
  #last(node: Node, rest: Block, variables: Map<string, Expression>): Expression {
    let value: Expression | undefined;
    if (node.kind === 'assign' && node.target.kind === 'name') {
      value = this.#value(node.value, variables);
      if (node.operator !== undefined)
        value = this.#binary(node.operator, this.#named(node.target.name, variables), value);
      variables.set(node.target.name, value);
    } else if (node.kind === 'step' && node.target.kind === 'name') {
      const before = this.#named(node.target.name, variables);
      const after = this.#operation(node.by === '+' ? 'add' : 'subtract', before, this.#number(1));
      variables.set(node.target.name, after);
      value = node.prefix ? after : before;
    }
    if (rest.length > 0) return this.block(rest, variables);
    return value ?? this.#value(node, variables);
  }

  #named(name: string, variables: Variables): Expression {
    const known = variables.get(name);
    if (known !== undefined) return known;
    if (Object.hasOwn(this.#params, name)) {
      const given = this.#params[name];
      if (isNumber(given)) return this.#number(Number(given));
      throw refused(`the parameter [${name}], which is no number,`);
    }
    if (name === '_score' || name === '_value') return this.#made({ kind: 'variable', name });
    if (name === 'doc' || name === '_source' || name === '_fields') throw refused(`[${name}] as a whole`);
    throw new GroovyError('MissingPropertyException', `No such property: ${name} for class: Script1`);
  }

  #value(node: Node, variables: Variables): Expression {
    switch (node.kind) {
      case 'number':
        return this.#number(toDouble(numberOf(node.text)));
      case 'constant':
        if (node.value === null) throw refused('null');
        return this.#number(node.value ? 1 : 0);
      case 'name':
        return this.#named(node.name, variables);
      case 'unary':
        if (node.operator === '!') return this.#operation('not', this.#condition(node.operand, variables));
        if (node.operator === '+') return this.#value(node.operand, variables);
        return this.#operation(
          node.operator === '-' ? 'negate' : 'bitNot',
          this.#value(node.operand, variables),
        );
      case 'binary':
        return this.#binary(
          node.operator,
          this.#value(node.left, variables),
          this.#value(node.right, variables),
        );
      case 'logical':
        return this.#logical(node, variables);
      case 'conditional': {
        const { condition, yes, no } = node;
        const [left, right] = [this.#value(yes, variables), this.#value(no, variables)];
        return this.#operation('conditional', this.#condition(condition, variables), left, right);
      }
      case 'cast':
        return this.#cast(node.type, this.#value(node.operand, variables));
      case 'member':
        return this.#member(node);
      case 'call':
        return this.#method(node, variables);
      default:
        throw refused(WHAT[node.kind]);
    }
  }

  #binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    if (operator === '**') return this.#call('pow', left, right);
    if (operator === '<=>') {
      const less = this.#operation('less', left, right);
      const more = this.#operation('greater', left, right);
      return this.#operation('subtract', more, less);
    }
    const operation = OPERATIONS[operator];
    if (operation === undefined) throw refused(`the operator ${operator}`);
    return this.#operation(operation, left, right);
  }

  #logical({ operator, left, right }: Extract<Node, { kind: 'logical' }>, variables: Variables): Expression {
    if (operator === '?:') {
      const value = this.#value(left, variables);
      return this.#operation('conditional', this.#true(value), value, this.#value(right, variables));
    }
    const [first, second] = [this.#condition(left, variables), this.#condition(right, variables)];
    return this.#operation(operator === '&&' ? 'and' : 'or', first, second);
  }

  #condition(node: Node, variables: Variables): Expression {
    return this.#true(this.#value(node, variables));
  }

  /** Whether a number is not 0: expressions take a fraction below 1 for false. */
  #true(value: Expression): Expression {
    if (value.kind === 'operation' && CONDITIONS.has(value.operation)) return value;
    return this.#operation('notEqual', value, this.#number(0));
  }

  #cast(type: string, value: Expression): Expression {
    if (/^(int|Integer|long|Long|short|Short|byte|Byte)$/.test(type)) return this.#truncated(value);
    if (/^(def|double|Double|float|Float|Number|Object|BigDecimal)$/.test(type)) return value;
    throw refused(`the type ${type}`);
  }

  #truncated(value: Expression): Expression {
    if (value.kind === 'number') return this.#number(Math.trunc(value.value));
    const negative = this.#operation('less', value, this.#number(0));
    return this.#operation('conditional', negative, this.#call('ceil', value), this.#call('floor', value));
  }

  #member(node: Extract<Node, { kind: 'member' }>): Expression {
    const { object, name } = node;
    const field = fieldOf(object);
    if (field !== undefined) {
      if (name === 'empty') return this.#operation('equal', this.#ofField(field, 'size'), this.#number(0));
      if (name !== 'value' && name !== 'lat' && name !== 'lon') throw refused(`.${name} of a field`);
      return this.#ofField(field, name);
    }
    const point = object.kind === 'member' && object.name === 'value' ? fieldOf(object.object) : undefined;
    if (point !== undefined && (name === 'lat' || name === 'lon')) return this.#ofField(point, name);
    if (object.kind === 'name' && object.name === 'Math' && (name === 'PI' || name === 'E'))
      return this.#number(Math[name]);
    if (object.kind === 'name' && object.name === '_source') throw refused('_source');
    throw refused(`.${name}`);
  }

  #method({ object, name, operands }: Extract<Node, { kind: 'call' }>, variables: Variables): Expression {
    if (object.kind === 'name' && object.name === 'Math' && !variables.has('Math'))
      return this.#math(
        name,
        operands.map((each) => this.#value(each, variables)),
      );
    const field = fieldOf(object);
    if (field !== undefined) return this.#ofFieldMethod(field, name, operands, variables);
    const values = object.kind === 'member' && object.name === 'values' ? fieldOf(object.object) : undefined;
    if (values !== undefined) return this.#ofFieldMethod(values, name, operands, variables);
    const self = this.#value(object, variables);
    if (
      operands.length === 0 &&
      (name === 'intValue' || name === 'longValue' || name === 'toInteger' || name === 'toLong')
    )
      return this.#truncated(self);
    if (operands.length === 0 && (name === 'doubleValue' || name === 'floatValue' || name === 'toDouble'))
      return self;
    if (operands.length === 0 && name === 'abs') return this.#call('abs', self);
    throw refused(`the method ${name}()`);
  }

  /** A member of a field, as the core is asked for it: `size` is how many values there are. */
  #ofField(field: string, member: 'value' | 'lat' | 'lon' | 'size'): Expression {
    return this.#made({ kind: 'variable', name: `doc['${field.replace(/[\\']/g, '\\$&')}'].${member}` });
  }

  #ofFieldMethod(field: string, name: string, operands: readonly Node[], variables: Variables): Expression {
    const size = () => this.#ofField(field, 'size');
    if (operands.length === 0) {
      if (name === 'size') return size();
      if (name === 'isEmpty') return this.#operation('equal', size(), this.#number(0));
      if (name === 'getValue') return this.#ofField(field, 'value');
    }
    const method = DISTANCES.get(name);
    if (method?.hasDefault === undefined || operands.length !== (method.hasDefault ? 3 : 2))
      throw refused(`.${name}() of a field`);
    const [lat, lon, otherwise] = operands.map((each) => this.#value(each, variables));
    const from = { lat: this.#ofField(field, 'lat'), lon: this.#ofField(field, 'lon') };
    const distance = this.#made(distanceBetween(method, from, { lat: lat!, lon: lon! }));
    // What the formula is made of.
    this.#parts += DISTANCE_PARTS;
    return otherwise === undefined ? distance : this.#operation('conditional', size(), distance, otherwise);
  }

  #math(name: string, operands: Expression[]): Expression {
    const [a, b] = operands as [Expression, Expression];
    if (name === 'round' && operands.length === 1)
      return this.#call('floor', this.#operation('add', a, this.#number(0.5)));
    if (name === 'signum' && operands.length === 1) return this.#binary('<=>', a, this.#number(0));
    if (name === 'hypot' && operands.length === 2)
      return this.#call(
        'sqrt',
        this.#operation('add', this.#operation('multiply', a, a), this.#operation('multiply', b, b)),
      );
    const own = ownValue(RENAMED, name) ?? (NOT_MATH.has(name) ? '' : name);
    if (!Object.hasOwn(FUNCTIONS, own) || FUNCTIONS[own as FunctionName][1] !== operands.length)
      throw refused(`Math.${name}() of ${operands.length}`);
    return this.#call(own as FunctionName, ...operands);
  }
}

/** The field that is named by `doc['name']` or `doc.name`. */
function fieldOf(node: Node): string | undefined {
  if (node.kind === 'index' && node.object.kind === 'name' && node.object.name === 'doc') {
    const { index } = node;
    const [only] = index.kind === 'text' ? index.parts : [];
    if (index.kind === 'text' && index.parts.length === 1 && typeof only === 'string') return only;
    throw refused('a field whose name is worked out');
  }
  if (node.kind === 'member' && node.object.kind === 'name' && node.object.name === 'doc') return node.name;
  return undefined;
}

/** What parts are called that no expression has. */
const WHAT: Readonly<Record<'text' | 'list' | 'map' | 'closure' | 'index' | 'assign' | 'step', string>> = {
  text: 'a text',
  list: 'a list',
  map: 'a map',
  closure: 'a closure',
  index: 'an element',
  assign: 'an assignment within a value',
  step: '++ or -- within a value',
};
