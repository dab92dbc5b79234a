/** The filter `script`: documents for which it is not 0. */

import { queryParsing } from '../../errors.js';
import type { PlanNode } from '../../plan/nodes.js';
import { scripts } from '../../script/lateScripts.js';
import { noScore, readsScore, type ScriptSpec, scriptKey } from '../../script/script.js';
import { asFilter, type FilterCompiler, type FilterKind } from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { filterOptions } from '../filterOptions.js';

const read: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  const spec: ScriptSpec = { source: 'inline' };
  for (const [key, value] of options.rest()) {
    if (!scriptKey(spec, key, value))
      throw queryParsing(dsl.index, `[script] filter does not support [${key}]`);
  }
  if (spec.text === undefined) throw queryParsing(dsl.index, 'script must be provided with a [script]');
  const compiled = scripts.loaded.compileScript(spec, 'search', dsl);
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
