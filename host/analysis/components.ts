/** The parts of one kind: defined ones by name, the others by type. */
import { ElasticsearchError, illegalArgument, toElasticsearchError } from '../errors.js';
import { camelCase } from '../text/camelCase.js';
import { byType, type Definitions } from './definitions.js';
import type { FilterContext } from './filterFactory.js';
import { DefinitionSettings } from './settings.js';
import { rememberType, type StagedPart } from './stages.js';

/** What settings may name, beside its own definitions, where there is no index. */
const NOTHING: Definitions = new Map();
const NO_SETTINGS: Readonly<Record<string, unknown>> = {};

/** The entry of a name, or of the name whose form in camelCase it is. */
export function byName<T>(factories: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = factories.get(name);
  if (exact !== undefined) return exact;
  for (const [key, factory] of factories) if (camelCase(key) === name) return factory;
  return undefined;
}

/** What makes parts, by type. */
type Factories = ReadonlyMap<string, (settings: DefinitionSettings, context: FilterContext) => unknown>;

/** The parts of one kind. */
export class Components<T> {
  readonly #kind: string;
  readonly #suffix: string;
  readonly #types: () => Factories;
  /** The factories where a name has no definition. */
  readonly #byNameAlone: () => ReadonlyMap<string, unknown>;
  readonly #call: (factory: never, settings: DefinitionSettings) => T;
  readonly definitions: Definitions;
  readonly #made = new Map<string, T | undefined>();

  constructor(
    kind: string,
    suffix: string,
    // biome-ignore lint/suspicious/noExplicitAny: each kind of part has factories of its own shape
    types: () => ReadonlyMap<string, any>,
    // biome-ignore lint/suspicious/noExplicitAny: as above
    call: (factory: any, settings: DefinitionSettings) => T,
    definitions: Definitions = NOTHING,
    byNameAlone: () => ReadonlyMap<string, unknown> = types,
  ) {
    this.#kind = kind;
    this.#suffix = suffix;
    this.#types = types;
    this.#call = call;
    this.definitions = definitions;
    this.#byNameAlone = byNameAlone;
  }

  /** Throws if a definition has no type, or one that doesn't exist. */
  checkTypes(): void {
    for (const [name, { type }] of this.definitions) {
      if (type === undefined) {
        const kind = this.#kind === 'char filter' ? 'Char Filter' : 'token filter';
        throw illegalArgument(`${kind} [${name}] must have a type associated with it`);
      }
      if (byType(this.#types(), String(type)) === undefined) {
        const className = `${String(type).charAt(0).toUpperCase()}${camelCase(String(type)).slice(1)}`;
        const missing = `org.elasticsearch.index.analysis.${String(type)}.${className}${this.#suffix}Factory`;
        const notFound = new ElasticsearchError('ClassNotFoundException', missing);
        const noClass = new ElasticsearchError(
          'NoClassSettingsException',
          `Failed to load class setting [type] with value [${String(type)}]`,
          { nested: notFound },
        );
        throw illegalArgument(`failed to find ${this.#kind} type [${String(type)}] for [${name}]`, noClass);
      }
    }
  }

  makeAll(): void {
    for (const name of this.definitions.keys()) this.named(name);
  }

  /** The part of that name: a definition, or a type that needs no settings. */
  named(name: string): T | undefined {
    if (this.#made.has(name)) return this.#made.get(name);
    const made = this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  /** The part of a name, or of a definition as settings have it, with where it comes from. Throws if there is no such part. */
  staged(named: string | Readonly<Record<string, unknown>>): StagedPart<[T]> {
    if (typeof named !== 'string') {
      const { type } = named;
      if (typeof type !== 'string')
        throw illegalArgument(`a ${this.#kind} must have a type associated with it`);
      const part = this.make(type, new DefinitionSettings(type, named));
      return { name: type, type, parts: [part!] };
    }
    const part = this.named(named);
    if (part === undefined) throw illegalArgument(`failed to find ${this.#kind} under [${named}]`);
    return { name: named, type: String(this.definitions.get(named)?.type ?? named), parts: [part] };
  }

  /** A part of a type. */
  make(type: string, settings: DefinitionSettings): T | undefined {
    const factory = byType(this.#types(), type);
    if (factory === undefined) throw illegalArgument(`the ${this.#kind} [${type}] is not offered yet`);
    const made = this.#call(factory as never, settings);
    rememberType(made, type);
    return made;
  }

  #make(name: string): T | undefined {
    const definition = this.definitions.get(name);
    if (definition !== undefined) {
      return this.make(String(definition.type), new DefinitionSettings(name, definition));
    }
    for (const other of this.definitions.keys()) if (camelCase(other) === name) return this.named(other);
    const factory = byName(this.#byNameAlone(), name);
    if (factory === undefined) return undefined;
    try {
      return this.#call(factory as never, new DefinitionSettings(name, NO_SETTINGS));
    } catch (e) {
      // A type that can't do without settings has no name of its own.
      if (toElasticsearchError(e).detail?.endsWith('is not offered yet')) throw e;
      return undefined;
    }
  }
}
