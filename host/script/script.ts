/** Scripts in requests: expressions are bound to the mapping, all others are refused as a server of 1.7 refuses them by default. */

import { ElasticsearchError, illegalArgument } from '../errors.js';
import { Column, columnOf, type LeafField } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { isNumber, isObject, type JsonObject } from '../json/values.js';
import type { Binding, BoundExpression } from '../expression/program.js';
import { compilation, readExpression } from '../expression/reading.js';
import { type Expression, partsOf, variablesOf } from '../expression/syntax.js';
import { ownValue } from '../ownNames.js';
import type { Groovy } from './groovy.js';

/** Where the text of a script is. */
export type ScriptSource = 'inline' | 'indexed' | 'file';

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

const LANGUAGES = ['groovy', 'expression', 'mustache', 'native'];

/** What scripts may name. */
interface ScriptSurroundings {
  model: MappingModel;
  /** The text of a stored script, undefined if there is none. */
  stored(language: string, id: string): string | undefined;
  /** Undefined where no script in Groovy may run. */
  groovy?: Groovy | undefined;
}

/** 400: a script that may not run. */
function disabled(source: ScriptSource, operation: string, lang: string): ElasticsearchError {
  const detail = `scripts of type [${source}], operation [${operation}] and lang [${lang}] are disabled`;
  return new ElasticsearchError('ScriptException', detail, { status: 400 });
}

/** The text of a script in Groovy, and who reads it; refused where it may not run or isn't there. */
export function groovyOf(
  { text = '', source }: Pick<ScriptSpec, 'text' | 'source'>,
  operation: ScriptOperation | 'update',
  { groovy, stored }: Pick<ScriptSurroundings, 'groovy' | 'stored'>,
): { groovy: Groovy; text: string } {
  if (source === 'file') {
    const found = groovy?.file(text);
    if (groovy === undefined || found === undefined)
      throw illegalArgument(`Unable to find on disk script ${text}`);
    return { groovy, text: found };
  }
  if (groovy?.allows(source) !== true) throw disabled(source, operation, 'groovy');
  const found = source === 'indexed' ? stored('groovy', text) : text;
  if (found === undefined) throw illegalArgument(`Unable to find script [.scripts/groovy/${text}]`);
  return { groovy, text: found };
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

/** Compiles a script, or says why not. */
export function compileScript(
  { text: given, source, lang = 'groovy', params = {} }: ScriptSpec,
  operation: ScriptOperation,
  around: ScriptSurroundings,
): BoundExpression {
  if (!LANGUAGES.includes(lang)) throw illegalArgument(`script_lang not supported [${lang}]`);
  if (given === undefined && lang !== 'native')
    throw illegalArgument(
      `script mode not found for lang [${lang}], script_type [null], operation [${operation}]`,
    );
  const text = given ?? '';
  if (lang === 'groovy') {
    const { groovy, text: found } = groovyOf({ text, source }, operation, around);
    return bound(groovy.expression(found, params), found, {}, around.model);
  }
  if (source === 'file') throw illegalArgument(`Unable to find on disk script ${text}`);
  const whole = source === 'indexed' ? around.stored(lang, text) : text;
  if (whole === undefined) throw illegalArgument(`Unable to find script [.scripts/${lang}/${text}]`);
  if (lang !== 'expression') throw illegalArgument(`Native script [${text}] not found`);
  return bound(readExpression(whole), whole, params, around.model);
}

function bound(
  expression: Expression,
  text: string,
  params: JsonObject,
  model: MappingModel,
): BoundExpression {
  const bindings = new Map<string, Binding>();
  for (const variable of variablesOf(expression)) bindings.set(variable, bindingOf(variable, params, model));
  return { expression, bindings, text };
}

function bindingOf(variable: string, params: JsonObject, model: MappingModel): Binding {
  if (variable === '_score') return { kind: 'score' };
  if (variable === '_value') return { kind: 'value' };
  if (Object.hasOwn(params, variable)) {
    const value = params[variable];
    if (isNumber(value)) return { kind: 'number', value: Number(value) };
    throw compilation(`Parameter [${variable}] must be a numeric type`);
  }
  const [doc, name, member] = partsOf(variable);
  if (doc?.text !== 'doc') throw compilation(`Unknown variable [${doc?.text}] in expression`);
  if (name?.kind !== 'string') {
    throw compilation(
      "Variable 'doc' in expression must be used with a specific field like: doc['myfield'].value",
    );
  }
  if (member?.kind !== 'member' || member.text !== 'value') {
    throw compilation("Invalid member for field data in expression.  Only '.value' is currently supported.");
  }
  const field = model.find(name.text)?.field;
  if (field === undefined)
    throw compilation(`Field [${name.text}] used in expression does not exist in mappings`);
  const type = numericType(field);
  if (type === undefined) throw compilation(`Field [${name.text}] used in expression must be numeric`);
  return { kind: 'field', field: columnOf(field), type };
}

const KINDS = Column.long | Column.double | Column.ordinal | Column.geo;
const WHOLE = new Set(['long', 'integer', 'short', 'byte', 'date', 'ip', 'token_count', 'murmur3']);

/** How the numbers of a field are kept; undefined if it has none. */
function numericType(field: LeafField): 'long' | 'double' | undefined {
  if (field.type === 'double' || field.type === 'float') return 'double';
  if (WHOLE.has(field.type)) return 'long';
  const kind = (field.core?.flags ?? 0) & KINDS;
  if (field.type === 'boolean') return undefined;
  return kind === Column.long ? 'long' : kind === Column.double ? 'double' : undefined;
}
