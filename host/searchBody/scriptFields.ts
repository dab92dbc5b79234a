/** `script_fields`: what scripts make of each hit. */

import { parseFailure } from '../errors.js';
import type { BoundExpression } from '../expression/program.js';
import { compileScript, type ScriptSpec, scriptKey } from '../script/script.js';
import { isObject } from '../json/values.js';
import type { Dsl } from '../query/context.js';

export interface ScriptField {
  name: string;
  script: BoundExpression;
}

export function readScriptFields(json: unknown, dsl: Dsl): ScriptField[] {
  if (!isObject(json)) throw parseFailure('End of query source reached but query is not complete.');
  return Object.entries(json).flatMap(([name, body]) => {
    // Whatever else is read over, as in 1.7.
    if (!isObject(body)) return [];
    const spec: ScriptSpec = { source: 'inline' };
    for (const [key, value] of Object.entries(body)) scriptKey(spec, key, value);
    const script = dsl.reaching('script_fields', 'scripts', () => compileScript(spec, 'search', dsl));
    return [{ name, script }];
  });
}
