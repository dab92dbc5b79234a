/** What a script makes of one document. */

import { evaluate } from '../expression/evaluate.js';
import type { Expression } from '../expression/operations.js';
import type { BoundExpression } from '../expression/program.js';
import { partsOf, variablesOf } from '../expression/syntax.js';
import type { FielddataValue } from '../mapping/fielddata.js';

/** The field that a variable names, `doc['price'].value`. */
function fieldOf(variable: string): string | undefined {
  const [doc, name] = partsOf(variable);
  return doc?.text === 'doc' && name?.kind === 'string' ? name.text : undefined;
}

/** The names of the fields that an expression reads. */
export function fieldsIn(expression: Expression): string[] {
  return variablesOf(expression).flatMap((variable) => fieldOf(variable) ?? []);
}

/** The fields that the variables of an expression name, found once. */
const named = new WeakMap<BoundExpression, Map<string, string>>();

function fieldsOf(bound: BoundExpression): Map<string, string> {
  let fields = named.get(bound);
  if (fields === undefined) {
    fields = new Map();
    for (const [variable, { kind }] of bound.bindings)
      if (kind === 'field') fields.set(variable, fieldOf(variable) ?? '');
    named.set(bound, fields);
  }
  return fields;
}

/** The value for a document whose fields have these values, ascending; a field without a value counts as 0. */
export function valueFor(
  bound: BoundExpression,
  values: ReadonlyMap<string, readonly FielddataValue[]>,
): number {
  const { expression, bindings } = bound;
  const fields = fieldsOf(bound);
  return evaluate(expression, (variable) => {
    const field = fields.get(variable);
    if (field !== undefined) return Number(values.get(field)?.[0] ?? 0);
    const binding = bindings.get(variable);
    return binding?.kind === 'number' ? binding.value : 0;
  });
}
