/**
 * Scripts in requests, compiled: expressions are bound to the mapping, Groovy becomes expressions where it may run, all others are refused as a
 * server of 1.7 refuses them by default. Browsers load this when a request names a script.
 */
import { ColumnType } from '../core/abi/columns.js';
import { illegalArgument } from '../errors.js';
import { disabledScripts } from '../expression/lateDisabled.js';
import type { Expression } from '../expression/operations.js';
import type { Binding, BoundExpression } from '../expression/program.js';
import { compilation, readExpression } from '../expression/reading.js';
import { partsOf, variablesOf } from '../expression/syntax.js';
import { isNumber, type JsonObject } from '../json/values.js';
import { Column, columnOf, type LeafField } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import type { Groovy, ScriptedHit } from './groovy.js';
import type { ScriptOperation, ScriptSpec } from './script.js';

export { readExpression } from '../expression/reading.js';
export { fieldsIn, valueFor } from './document.js';

const LANGUAGES = ['groovy', 'expression', 'mustache', 'native'];

/** What scripts may name. */
export interface ScriptSurroundings {
  model: MappingModel;
  /** The text of a stored script, undefined if there is none. */
  stored(language: string, id: string): string | undefined;
  /** Undefined where no script in Groovy may run. */
  groovy?: Groovy | undefined;
}

/** The text of a script in Groovy, and who reads it; refused where it may not run or isn't there. */
export function groovyOf(
  { text = '', source }: Pick<ScriptSpec, 'text' | 'source'>,
  operation: ScriptOperation | 'update',
  around: Pick<ScriptSurroundings, 'groovy' | 'stored'>,
): { groovy: Groovy; text: string } {
  const { groovy } = around;
  const refusal = () => disabledScripts.loaded.scriptDisabled(source, text, 'groovy', operation);
  if (groovy === undefined) throw refusal();
  if (source === 'file') {
    const found = groovy.file(text);
    if (found === undefined) throw refusal();
    return { groovy, text: found };
  }
  if (!groovy.allows(source)) throw refusal();
  const found = source === 'indexed' ? around.stored('groovy', text) : text;
  if (found === undefined) throw illegalArgument(`Unable to find script [.scripts/groovy/${text}]`);
  return { groovy, text: found };
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
    return bound(groovy.expression(found, params), found, (name) => memberOf(name, around.model));
  }
  if (source === 'file') throw illegalArgument(`Unable to find on disk script ${text}`);
  const whole = source === 'indexed' ? around.stored(lang, text) : text;
  if (whole === undefined) throw illegalArgument(`Unable to find script [.scripts/${lang}/${text}]`);
  if (lang !== 'expression') throw illegalArgument(`Native script [${text}] not found`);
  return bound(readExpression(whole), whole, (name) => bindingOf(name, params, around.model));
}

function bound(expression: Expression, text: string, bind: (variable: string) => Binding): BoundExpression {
  const bindings = new Map<string, Binding>();
  for (const variable of variablesOf(expression)) bindings.set(variable, bind(variable));
  return { expression, bindings, text };
}

/** What a variable of a script in Groovy is bound to: there, fields have more members. */
function memberOf(variable: string, model: MappingModel): Binding {
  const [doc, name, member] = partsOf(variable);
  const isOfField = doc?.text === 'doc' && name?.kind === 'string' && member?.kind === 'member';
  if (!isOfField || member.text === 'value') return bindingOf(variable, {}, model);
  const field = model.find(name.text)?.field;
  if (field === undefined)
    throw illegalArgument(`No field found for [${name.text}] in mapping with types []`);
  const type = ((field.core?.flags ?? 0) & KINDS) >> 3;
  if (member.text === 'size') return { kind: 'count', field: columnOf(field), type: type as ColumnType };
  if (type !== ColumnType.geo)
    throw compilation(`Field [${name.text}] has no ${member.text}: it is no geo_point`);
  return { kind: member.text === 'lat' ? 'latitude' : 'longitude', field: columnOf(field) };
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

/** What makes a field of a hit: hits are few, so a script in Groovy may be more than an expression. */
export function fieldScript(
  spec: ScriptSpec,
  around: ScriptSurroundings,
): BoundExpression | ((hit: ScriptedHit) => Uint8Array) {
  const { lang = 'groovy', text, params = {} } = spec;
  if (lang !== 'groovy' || text === undefined) return compileScript(spec, 'search', around);
  const { groovy, text: found } = groovyOf(spec, 'search', around);
  groovy.check(found);
  return (hit) => groovy.field(found, params, hit);
}
