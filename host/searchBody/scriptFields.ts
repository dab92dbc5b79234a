/** `script_fields`: what scripts make of each hit. */

import type { BoundExpression } from '../expression/program.js';
import { isObject, type JsonObject } from '../json/values.js';
import type { Dsl } from '../query/context.js';
import type { ScriptedHit } from '../script/groovy.js';
import { scripts } from '../script/lateScripts.js';
import { type ScriptSpec, scriptKey } from '../script/script.js';

export interface ScriptField {
  name: string;
  /** An expression, or what makes a JSON array of a hit. */
  script: BoundExpression | ((hit: ScriptedHit) => Uint8Array);
}

export function readScriptFields(json: JsonObject, dsl: Dsl): ScriptField[] {
  return Object.entries(json).flatMap(([name, body]) => {
    // Whatever else is read over, as in 1.7.
    if (!isObject(body)) return [];
    const spec: ScriptSpec = { source: 'inline' };
    for (const [key, value] of Object.entries(body)) {
      // An object holds the parameters, whatever its name.
      if (isObject(value)) spec.params = value;
      else scriptKey(spec, key, value);
    }
    const script = dsl.reaching('script_fields', 'scripts', () => scripts.loaded.fieldScript(spec, dsl));
    return [{ name, script }];
  });
}
