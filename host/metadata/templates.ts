/** Index templates: what a new index starts from if its name fits their patterns. */
import { SCRIPT_INDEX, SCRIPT_SETTINGS } from './scriptIndex.js';
import { ElasticsearchError, illegalArgument, noContent, validationFailed } from '../errors.js';
import { castTo, isNumber, isObject, javaText } from '../json/values.js';
import { bytesOver } from '../storage/records.js';
import { type AliasMetadata, checkAliasAlone, readAliases } from './aliases.js';
import { asMap, NO_VALUE, nullPointer } from '../compat17/javaCasts.js';
import { wildcard } from '../text/wildcard.js';
import { type FlatSettings, flatSettings } from '../settings/indexSettings.js';
import { ownValue, putAll, putOwn } from '../ownNames.js';

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
const MAX_NAME_BYTES = 1024;

/** What a text may not have in it, and what is said then; a name may not have capitals besides. */
const FORBIDDEN: readonly [test: (text: string) => boolean, problem: string][] = [
  [(text) => text.includes(' '), 'must not contain a space'],
  [(text) => text.includes(','), "must not contain a ','"],
  [(text) => text.includes('#'), "must not contain a '#'"],
  [(text) => text.startsWith('_'), "must not start with '_'"],
];

/** Refuses the name of a template, or its pattern, or its aliases. */
export function checkTemplate(name: string, { template, aliases }: IndexTemplate): void {
  const refuse = (problem: string) =>
    new ElasticsearchError(
      'InvalidIndexTemplateException',
      `index_template [${name}] invalid, cause [${problem}]`,
    );
  for (const [test, problem] of FORBIDDEN) if (test(name)) throw refuse(`name ${problem}`);
  if (name !== name.toLowerCase()) throw refuse('name must be lower cased');
  if (bytesOver(MAX_NAME_BYTES, name) > 0)
    throw refuse(`name must not be longer than ${MAX_NAME_BYTES} bytes`);
  for (const [test, problem] of FORBIDDEN) if (test(template)) throw refuse(`template ${problem}`);
  if (/[\\/?"<>|]/.test(template))
    throw refuse('template must not container the following characters [\\, /, *, ?, ", <, >, |,  , ,]');
  for (const [alias, metadata] of Object.entries(aliases)) checkAliasAlone(alias, metadata);
}

/** Reads the body of a put-template request; `given` is what the parameters say. */
export function readTemplate(
  body: Record<string, unknown>,
  given: { template?: string | undefined; order?: number | undefined },
): IndexTemplate {
  if (body.template === null) throw nullPointer(NO_VALUE);
  const template = body.template === undefined ? given.template : javaText(body.template);
  const { settings } = body;
  if (settings !== undefined && !isObject(settings))
    throw illegalArgument('Malformed settings section, should include an inner object');
  const mappings = body.mappings === undefined ? {} : asMap(body.mappings);
  for (const [type, mapping] of Object.entries(mappings)) {
    if (isObject(mapping)) continue;
    throw illegalArgument(
      `Malformed mappings section for type [${type}], should include an inner object describing the mapping`,
    );
  }
  const aliases = aliasesOf(body.aliases);
  const warmers = body.warmers === undefined ? undefined : asMap(body.warmers);
  const order = body.order === undefined ? (given.order ?? 0) : orderOf(body.order);
  if (template === undefined) throw validationFailed('template is missing');
  return {
    template,
    order,
    settings: flatSettings(settings),
    mappings: unwrapAll(mappings),
    aliases,
    ...(warmers === undefined ? {} : { warmers }),
  };
}

/** What a body says of aliases. */
export function aliasesOf(aliases: unknown): Record<string, AliasMetadata> {
  // Of null 1.7 makes a text, which is no object.
  if (aliases === null) throw noContent();
  return aliases === undefined ? {} : readAliases(asMap(aliases));
}

/** What an index of that name is made of: templates by ascending order, the request over all of them. */
export function composeIndex(name: string, templates: Iterable<IndexTemplate>, body: IndexBody): NewIndex {
  const fitting = [...templates].filter(({ template }) => wildcard(template)(name));
  fitting.sort((a, b) => a.order - b.order);
  const own = aliasesOf(body.aliases);
  const out: NewIndex = { settings: {}, mappings: {}, aliases: {}, warmers: {} };
  for (const each of fitting) {
    putAll(out.settings, each.settings);
    out.mappings = deepMerge(out.mappings, each.mappings);
    putAll(out.warmers, each.warmers ?? {});
    for (const [alias, metadata] of Object.entries(each.aliases))
      putOwn(out.aliases, alias.replaceAll('{index}', name), metadata);
  }
  const settings = flatSettings(body.settings);
  if (fitting.length === 0) out.settings = settings;
  else putAll(out.settings, settings);
  out.mappings = deepMerge(out.mappings, unwrapAll(body.mappings));
  putAll(out.aliases, own);
  if (isObject(body.warmers)) putAll(out.warmers, body.warmers);
  if (name === SCRIPT_INDEX) Object.assign(out.settings, SCRIPT_SETTINGS);
  return out;
}

/** Mappings by type without the type's name around them. */
function unwrapAll(mappings: unknown): Record<string, unknown> {
  if (!isObject(mappings)) return {};
  return Object.fromEntries(
    Object.entries(mappings).map(([type, mapping]) => {
      const inner =
        isObject(mapping) && Object.keys(mapping).length === 1 ? ownValue(mapping, type) : undefined;
      return [type, isObject(inner) ? inner : mapping];
    }),
  );
}

/** Objects merge, of everything else that of `over` stands. Where lists meet, what only the lower one has follows. */
function deepMerge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = ownValue(out, key);
    if (isObject(below) && isObject(value)) putOwn(out, key, deepMerge(below, value));
    else if (Array.isArray(below) && Array.isArray(value)) putOwn(out, key, mergeLists(below, value));
    else putOwn(out, key, value);
  }
  return out;
}

/** Of lists of named things, as dynamic templates are, things of one name merge. */
function mergeLists(base: unknown[], over: unknown[]): unknown[] {
  const names = new Set(over.flatMap((each) => (isObject(each) ? Object.keys(each) : [])));
  const rest = base.filter((each) => isObject(each) && !Object.keys(each).some((name) => names.has(name)));
  return [...over, ...rest];
}

/** A number is cut to Java's int, a text is parsed as one. */
function orderOf(value: unknown): number {
  if (value === null) return 0;
  if (isNumber(value)) return Number(castTo(32, value));
  const text = javaText(value);
  if (/^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 31) return Number(text);
  throw new ElasticsearchError('NumberFormatException', `For input string: "${text}"`, { status: 500 });
}
