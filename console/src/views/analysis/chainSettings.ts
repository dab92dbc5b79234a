/** A chain as the settings of an index that has it. */
import { isObject, type Json, type JsonObject } from '../../api/json';
import { type Chain, type ChainPart, partsOf, withParts } from './analysisState';
import { PART_KINDS, type PartKind } from './partTypes';

/** The definitions of an index: `settings.index.analysis`. */
export type Definitions = Readonly<Record<string, JsonObject>>;

/** The analysis of an answer of `_settings`, of one index. */
export function definitionsOf(answer: Json): Definitions {
  const [index] = isObject(answer) ? Object.values(answer) : [];
  const settings = isObject(index) && isObject(index.settings) ? index.settings : {};
  const own = isObject(settings.index) ? settings.index : {};
  const analysis = isObject(own.analysis) ? own.analysis : {};
  return Object.fromEntries(
    Object.entries(analysis).filter((entry): entry is [string, JsonObject] => isObject(entry[1])),
  );
}

/** The chain of an analyzer that an index defines; undefined for other analyzers. */
export function chainOf(definitions: Definitions, analyzer: string): Chain | undefined {
  const definition = definitions.analyzer?.[analyzer];
  if (!isObject(definition) || typeof definition.tokenizer !== 'string') return undefined;
  return {
    char_filter: names(definition.char_filter),
    tokenizer: definition.tokenizer,
    filter: names(definition.filter),
  };
}

/**
 * Settings with an analyzer of that name: parts with settings get names of their own, parts of another index are taken along.
 * @param known the definitions of the index that parts are named in
 */
export function chainSettings(name: string, chain: Chain, known: Definitions): JsonObject {
  const analysis: Record<string, JsonObject> = {};
  let named = chain;
  for (const { kind } of PART_KINDS) {
    const own: JsonObject = {};
    named = withParts(
      named,
      kind,
      partsOf(chain, kind).map((part) => define(part, kind, name, own, known)),
    );
    if (Object.keys(own).length > 0) analysis[kind] = own;
  }
  const { char_filter: charFilters, tokenizer, filter: filters } = named;
  analysis.analyzer = {
    [name]: {
      type: 'custom',
      ...(charFilters.length === 0 ? {} : { char_filter: [...charFilters] }),
      tokenizer,
      ...(filters.length === 0 ? {} : { filter: [...filters] }),
    },
  };
  return { settings: { analysis } };
}

/** The name of a part in settings, where its definition is put if it has one. */
function define(
  part: ChainPart,
  kind: PartKind,
  analyzer: string,
  own: JsonObject,
  known: Definitions,
): string {
  if (typeof part === 'string') {
    const definition = known[kind]?.[part];
    if (definition !== undefined) own[part] = definition;
    return part;
  }
  const base = `${analyzer}_${String(part.type)}`;
  let name = base;
  for (let i = 2; own[name] !== undefined; i++) name = `${base}_${i}`;
  own[name] = part;
  return name;
}

function names(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.split(',').map((each) => each.trim());
  return Array.isArray(value) ? value.map(String) : [];
}
