/** Index templates: what a new index starts from if its name fits their patterns. */
import { ElasticsearchError, illegalArgument, validationFailed } from '../errors.js';
import { isObject } from '../mapping/values.js';
import { bytesOver } from '../storage/records.js';
import { type AliasMetadata, readAlias } from './aliases.js';
import { wildcard } from './names.js';
import { type FlatSettings, flatSettings } from './settings.js';

/** A template as it is stored. */
export interface IndexTemplate {
  /** The pattern of index names. */
  template: string;
  order: number;
  settings: FlatSettings;
  mappings: Record<string, unknown>;
  aliases: Record<string, AliasMetadata>;
  warmers?: Record<string, unknown>;
}

/** What a request to create an index asks for. */
export interface IndexBody {
  settings?: unknown;
  mappings?: unknown;
  aliases?: unknown;
  warmers?: unknown;
}

/** What an index is made of, templates included. */
export interface NewIndex {
  settings: FlatSettings;
  mappings: Record<string, unknown>;
  aliases: Record<string, AliasMetadata>;
  warmers: Record<string, unknown>;
}

/** Names are keys of the store, which are short. */
export const MAX_NAME_BYTES = 1024;

/** Refuses the name of a template. */
export function checkTemplateName(name: string): void {
  const problem = name.includes(' ')
    ? 'name must not contain a space'
    : name.includes(',')
      ? "name must not contain a ','"
      : name.includes('#')
        ? "name must not contain a '#'"
        : name.startsWith('_')
          ? "name must not start with '_'"
          : name !== name.toLowerCase()
            ? 'name must be lower cased'
            : bytesOver(MAX_NAME_BYTES, name) > 0
              ? `name must not be longer than ${MAX_NAME_BYTES} bytes`
              : undefined;
  if (problem === undefined) return;
  throw new ElasticsearchError(
    'InvalidIndexTemplateException',
    `index_template [${name}] invalid, cause [${problem}]`,
  );
}

/** Reads the body of a put-template request; `given` is what the parameters say. */
export function readTemplate(
  body: Record<string, unknown>,
  given: { template?: string | undefined; order?: number | undefined },
): IndexTemplate {
  const template = body.template === undefined ? given.template : String(body.template);
  const { settings, mappings, aliases, warmers } = body;
  if (settings !== undefined && !isObject(settings))
    throw illegalArgument('Malformed settings section, should include an inner object');
  for (const part of [mappings, aliases]) if (part !== undefined && !isObject(part)) throw classCast();
  for (const [type, mapping] of Object.entries(mappings ?? {})) {
    if (isObject(mapping)) continue;
    throw illegalArgument(
      `Malformed mappings section for type [${type}], should include an inner object describing the mapping`,
    );
  }
  for (const alias of Object.values(aliases ?? {}))
    if (alias !== null && !isObject(alias)) throw illegalArgument('No alias is specified');
  const order = body.order === undefined ? (given.order ?? 0) : orderOf(body.order);
  if (template === undefined) throw validationFailed('template is missing');
  return {
    template,
    order,
    settings: flatSettings(settings),
    mappings: unwrapAll(mappings),
    aliases: readAliases(aliases),
    ...(isObject(warmers) ? { warmers } : {}),
  };
}

/** What an index of that name is made of: templates by ascending order, the request over all of them. */
export function composeIndex(name: string, templates: Iterable<IndexTemplate>, body: IndexBody): NewIndex {
  const fitting = [...templates].filter(({ template }) => wildcard(template)(name));
  fitting.sort((a, b) => a.order - b.order);
  const own = readAliases(body.aliases);
  const out: NewIndex = { settings: {}, mappings: {}, aliases: {}, warmers: {} };
  for (const each of fitting) {
    Object.assign(out.settings, each.settings);
    out.mappings = deepMerge(out.mappings, each.mappings);
    Object.assign(out.warmers, each.warmers);
    for (const [alias, metadata] of Object.entries(each.aliases))
      out.aliases[alias.replaceAll('{index}', name)] = metadata;
  }
  Object.assign(out.settings, flatSettings(body.settings));
  out.mappings = deepMerge(out.mappings, unwrapAll(body.mappings));
  Object.assign(out.aliases, own);
  if (isObject(body.warmers)) Object.assign(out.warmers, body.warmers);
  return out;
}

function readAliases(aliases: unknown): Record<string, AliasMetadata> {
  if (!isObject(aliases)) return {};
  return Object.fromEntries(Object.entries(aliases).map(([name, body]) => [name, readAlias(body)]));
}

/** Mappings by type without the type's name around them. */
function unwrapAll(mappings: unknown): Record<string, unknown> {
  if (!isObject(mappings)) return {};
  return Object.fromEntries(
    Object.entries(mappings).map(([type, mapping]) => {
      const inner = isObject(mapping) && Object.keys(mapping).length === 1 ? mapping[type] : undefined;
      return [type, isObject(inner) ? inner : mapping];
    }),
  );
}

/** Objects merge, of everything else that of `over` stands. Where lists meet, what only the lower one has follows. */
function deepMerge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = out[key];
    if (isObject(below) && isObject(value)) out[key] = deepMerge(below, value);
    else if (Array.isArray(below) && Array.isArray(value)) out[key] = mergeLists(below, value);
    else out[key] = value;
  }
  return out;
}

/** Of lists of named things, as dynamic templates are, things of one name merge. */
function mergeLists(base: unknown[], over: unknown[]): unknown[] {
  const names = new Set(over.flatMap((each) => (isObject(each) ? Object.keys(each) : [])));
  const rest = base.filter((each) => isObject(each) && !Object.keys(each).some((name) => names.has(name)));
  return [...over, ...rest];
}

function orderOf(value: unknown): number {
  if (/^[+-]?\d+$/.test(String(value))) return Number(value);
  throw new ElasticsearchError('NumberFormatException', `For input string: "${String(value)}"`, {
    status: 500,
  });
}

function classCast(): ElasticsearchError {
  return new ElasticsearchError('ClassCastException', 'java.lang.Integer cannot be cast to java.util.Map', {
    status: 500,
  });
}
