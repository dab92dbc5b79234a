/** What a script makes of one document. */

import type { FielddataValue } from '../mapping/fielddata.js';
import { evaluate } from '../expression/evaluate.js';
import type { BoundExpression } from '../expression/program.js';
import { type Expression, partsOf, variablesOf } from '../expression/syntax.js';

/** The field that a variable names, `doc['price'].value`. */
function fieldOf(variable: string): string | undefined {
  const [doc, name] = partsOf(variable);
  return doc?.text === 'doc' && name?.kind === 'string' ? name.text : undefined;
}

/** The names of the fields that an expression reads. */
export function fieldsIn(expression: Expression): string[] {
  return variablesOf(expression).flatMap((variable) => fieldOf(variable) ?? []);
}

/** The value for a document whose fields have these values, ascending; a field without a value counts as 0. */
export function valueFor(
  { expression, bindings }: BoundExpression,
  values: ReadonlyMap<string, readonly FielddataValue[]>,
): number {
  return evaluate(expression, (variable) => {
    const binding = bindings.get(variable);
    if (binding?.kind === 'number') return binding.value;
    if (binding?.kind !== 'field') return 0;
    const [first] = values.get(fieldOf(variable) ?? '') ?? [];
    return Number(first ?? 0);
  });
}
