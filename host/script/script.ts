/** Scripts as requests name them. */

import { ElasticsearchError } from '../errors.js';
import type { ScriptKind } from '../expression/disabled.js';
import type { BoundExpression } from '../expression/program.js';
import { isObject, type JsonObject } from '../json/values.js';
import { ownValue } from '../ownNames.js';

/** Where the text of a script is. */
export type ScriptSource = ScriptKind;

/** What a request says of a script. */
export interface ScriptSpec {
  text?: string | undefined;
  source: ScriptSource;
  lang?: string | undefined;
  params?: JsonObject | undefined;
}

/** What a script is for, as errors call it. */
export type ScriptOperation = 'search' | 'aggs';

const SOURCES: Record<string, ScriptSpec['source']> = {
  script: 'inline',
  scriptField: 'inline',
  script_field: 'inline',
  script_id: 'indexed',
  scriptId: 'indexed',
  id: 'indexed',
  script_file: 'file',
  scriptFile: 'file',
  file: 'file',
};

/** Where a script is that a key gives; undefined for other keys. */
export function scriptSource(key: string): ScriptSpec['source'] | undefined {
  return ownValue(SOURCES, key);
}

/** Whether a key tells the language of a script. */
export function isLanguageKey(key: string): boolean {
  return key === 'lang' || key === 'script_lang' || key === 'scriptLang';
}

/** Takes a key in that says something of a script; only texts do. */
export function scriptKey(spec: ScriptSpec, key: string, value: unknown): boolean {
  const source = scriptSource(key);
  const isText = typeof value === 'string';
  if (source !== undefined && isText) {
    if (spec.text !== undefined) throw scriptTwice();
    spec.text = value;
    spec.source = source;
  } else if (isLanguageKey(key) && isText) spec.lang = value;
  else if (key === 'params' && isObject(value)) spec.params = value;
  else return false;
  return true;
}

/** 500: several scripts in the place of one. */
function scriptTwice(): ElasticsearchError {
  return new ElasticsearchError(
    'ScriptParameterParseException',
    'Only one of [script, script_file, script_id] is allowed.',
  );
}

/** Whether a script reads the score of a document. */
export function readsScore({ bindings }: BoundExpression): boolean {
  return [...bindings.values()].some(({ kind }) => kind === 'score');
}

/** 500: a script reads the score where there is none yet. */
export function noScore(): ElasticsearchError {
  const detail = 'Expressions referencing the score can only be used for sorting';
  return new ElasticsearchError('IllegalStateException', detail, { status: 500 });
}
