/** Expressions as programs for the core (assembly/expression/README.md). */

import { ColumnType } from '../core/abi/columns.js';
import { type PlanBytes, tooComplex } from '../core/planBytes.js';
import { type Expression, FUNCTIONS, OPERATIONS } from './operations.js';

/** What a variable is bound to. */
export type Binding =
  | { kind: 'number'; value: number }
  /** A column of whole numbers or of fractions; documents without a value have 0. */
  | { kind: 'field'; field: number; type: 'long' | 'double' }
  /** A coordinate of a document's first point; documents without one have no number. */
  | { kind: 'latitude' | 'longitude'; field: number }
  /** How many values a document has. */
  | { kind: 'count'; field: number; type: ColumnType }
  /** The score of the document. */
  | { kind: 'score' }
  /** The value that an aggregation has read. */
  | { kind: 'value' };

/** An expression whose variables mean something. */
export interface BoundExpression {
  readonly expression: Expression;
  readonly bindings: ReadonlyMap<string, Binding>;
  /** As it was given. */
  readonly text: string;
}

/** Limits of the core. */
const MAX_STEPS = 1024;

/** Writes the steps, operands before their operations. */
export function writeProgram({ expression, bindings }: BoundExpression, bytes: PlanBytes): void {
  const steps: (() => void)[] = [];
  const visit = (part: Expression): void => {
    switch (part.kind) {
      case 'number':
        steps.push(() => writeBinding(part, bytes));
        return;
      case 'variable': {
        const binding = bindings.get(part.name)!;
        steps.push(() => writeBinding(binding, bytes));
        return;
      }
    }
    for (const operand of part.operands) visit(operand);
    const [code] = part.kind === 'call' ? FUNCTIONS[part.name] : OPERATIONS[part.operation];
    steps.push(() => bytes.u8(code));
  };
  visit(expression);
  if (steps.length > MAX_STEPS) throw tooComplex(`an expression of more than ${MAX_STEPS} steps`);
  bytes.u16(steps.length);
  for (const step of steps) step();
}

function writeBinding(binding: Binding, bytes: PlanBytes): void {
  switch (binding.kind) {
    case 'number':
      bytes.u8(0);
      bytes.f64(binding.value);
      break;
    case 'field':
      bytes.u8(1);
      bytes.u16(binding.field);
      bytes.u8(ColumnType[binding.type]);
      break;
    case 'latitude':
    case 'longitude':
      bytes.u8(binding.kind === 'latitude' ? 4 : 5);
      bytes.u16(binding.field);
      bytes.u8(ColumnType.geo);
      break;
    case 'count':
      bytes.u8(6);
      bytes.u16(binding.field);
      bytes.u8(binding.type);
      break;
    case 'score':
      bytes.u8(2);
      break;
    case 'value':
      bytes.u8(3);
      break;
  }
}
