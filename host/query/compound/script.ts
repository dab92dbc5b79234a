/** The filter `script`: documents for which it is not 0. */

import { emptySays } from '../emptyOptions.js';
import { queryParsing } from '../../errors.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type FilterCompiler, type FilterKind } from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { compileScript, noScore, readsScore, scriptKey, type ScriptSpec } from '../../script/script.js';

const read: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  const spec: ScriptSpec = { source: 'inline' };
  for (const [key, value] of options.rest()) {
    if (!scriptKey(spec, key, value))
      throw queryParsing(dsl.index, `[script] filter does not support [${key}]`);
  }
  if (spec.text === undefined) throw queryParsing(dsl.index, 'script must be provided with a [script]');
  const compiled = compileScript(spec, 'search', dsl);
  if (readsScore(compiled)) dsl.refuse(noScore());
  const node: PlanNode = { kind: 'expression', script: compiled };
  return asFilter(node, () => `ScriptFilter(${spec.text})`);
};

export const scriptFilter: FilterKind = {
  names: ['script'],
  read,
  reach: 'scripts',
  empty: emptySays('script must be provided with a [script] filter'),
};
