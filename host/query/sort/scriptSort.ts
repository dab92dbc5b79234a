/** `_script`: a sort by what a script makes of each document. */

import { ElasticsearchError } from '../../errors.js';
import { booleanOf, isObject, type JsonObject, textOf } from '../../json/values.js';
import { type ScriptKey, SortMode } from '../../plan/sortKeys.js';
import { scripts } from '../../script/lateScripts.js';
import { isLanguageKey, noScore, readsScore, type ScriptSpec, scriptSource } from '../../script/script.js';
import type { Dsl } from '../context.js';
import { givenOptions, nestedOption, readMode } from './sortOptions.js';

/** Reads it; what it doesn't know is read over, and of several scripts the last counts. */
export function scriptSort(json: JsonObject, dsl: Dsl): ScriptKey {
  const spec: ScriptSpec = { source: 'inline' };
  let descending = false;
  let type: string | undefined;
  let mode: SortMode | undefined;
  const nested = { path: undefined, filter: undefined };
  for (const [key, value] of givenOptions(json)) {
    if (nestedOption(nested, key, value, dsl)) continue;
    const text = textOf(value);
    const source = scriptSource(key);
    if (isObject(value)) {
      if (key === 'params') spec.params = value;
    } else if (key === 'reverse') descending = booleanOf(value);
    else if (key === 'order') descending = text === 'desc';
    else if (source !== undefined) {
      spec.text = text;
      spec.source = source;
    } else if (isLanguageKey(key)) spec.lang = text;
    else if (key === 'type') type = text;
    else if (key === 'mode') mode = readMode(value);
  }
  if (spec.text === undefined) throw refused('_script sorting requires setting the script to sort by');
  if (type === undefined) throw refused('_script sorting requires setting the type of the script');
  const script = scripts.loaded.compileScript(spec, 'search', dsl);
  if (readsScore(script)) dsl.refuse(noScore());
  if (type === 'string' && (mode === SortMode.sum || mode === SortMode.avg))
    throw refused(`type [string] doesn't support mode [${mode === SortMode.sum ? 'SUM' : 'AVG'}]`);
  if (type !== 'number' && type !== 'string')
    throw refused(`custom script sort type [${type}] not supported`);
  return { kind: 'script', descending, script, textual: type === 'string' };
}

function refused(detail: string): ElasticsearchError {
  return new ElasticsearchError('SearchParseException', detail);
}
