/** Dynamic templates: which mapping a new field gets by its name, its path and its JSON type. */

import { ElasticsearchError, illegalArgument, mapperParsing } from '../errors.js';
import { classCast } from '../compat17/javaCasts.js';
import { regularExpressions } from '../regex/lateRegex.js';
import { isObject, type JsonObject, javaClass, textOf } from '../json/values.js';

/** The JSON types that templates tell apart. */
export type DynamicType = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'object';

/** One template of a type. */
export interface DynamicTemplate {
  readonly name: string;
  /** As it was given, for GET _mapping. */
  readonly definition: JsonObject;
  /** Whether a field gets its mapping; without a type, by its names alone. */
  matches(name: string, path: string, type: DynamicType | undefined): boolean;
  /** The mapping for a field. */
  mapping(name: string, type: DynamicType): JsonObject;
}

/** Reads the `dynamic_templates` of a type. */
export function readTemplates(given: unknown): DynamicTemplate[] {
  if (!Array.isArray(given)) throw classCast(javaClass(given), 'java.util.List');
  return given.map((entry) => {
    const [name, ...more] = isObject(entry) ? Object.keys(entry) : [];
    const definition = name === undefined ? undefined : (entry as JsonObject)[name];
    if (name === undefined || more.length > 0 || !isObject(definition)) {
      throw mapperParsing('A dynamic template must be defined with a name');
    }
    return readTemplate(name, definition);
  });
}

function readTemplate(name: string, definition: JsonObject): DynamicTemplate {
  const { mapping } = definition;
  const get = (key: string) => textOf(definition[key]);
  const [match, pathMatch, wantedType] = [get('match'), get('path_match'), get('match_mapping_type')];
  if (match === undefined && pathMatch === undefined && wantedType === undefined) {
    throw mapperParsing('template must have match, path_match or match_mapping_type set');
  }
  if (!isObject(mapping)) throw mapperParsing('template must have mapping set');
  const kind = get('match_pattern') ?? 'simple';
  if (kind !== 'simple' && kind !== 'regex')
    throw illegalArgument(`No matching pattern matched on [${kind}]`);
  const test = kind === 'regex' ? regexTest : wildcardTest;
  const accept = (pattern: string | undefined) => (pattern === undefined ? () => true : test(pattern));
  const reject = (pattern: string | undefined) => (pattern === undefined ? () => false : test(pattern));
  const [byName, byPath, byType] = [accept(match), accept(pathMatch), accept(wantedType)];
  const isOfType = (type: DynamicType | undefined) =>
    type === undefined ? wantedType === undefined : byType(type);
  const [notName, notPath] = [reject(get('unmatch')), reject(get('path_unmatch'))];
  return {
    name,
    definition,
    matches: (field, path, type) =>
      byPath(path) && byName(field) && !notPath(path) && !notName(field) && isOfType(type),
    mapping: (field, type) => {
      const filled = fill(mapping, field, type) as JsonObject;
      return { type, ...filled };
    },
  };
}

/** Puts a field's name and type where a mapping has `{name}` and `{dynamic_type}`. */
function fill(value: unknown, name: string, type: DynamicType): unknown {
  if (typeof value === 'string') {
    return value
      .replaceAll('{name}', name)
      .replaceAll('{dynamic_type}', type)
      .replaceAll('{dynamicType}', type);
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, name, type));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [fill(key, name, type) as string, fill(each, name, type)]),
  );
}

/** `*` stands for anything. */
function wildcardTest(pattern: string): (text: string) => boolean {
  return regexTest(pattern.split('*').map(regularExpressions.loaded.quoteRegex).join('(?s:.*)'));
}

function regexTest(pattern: string): (text: string) => boolean {
  try {
    const compiled = regularExpressions.loaded.compileRegex(pattern);
    return (text) => compiled.matches(text);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    throw mapperParsing(`the pattern [${pattern}] can't be used`, error);
  }
}
