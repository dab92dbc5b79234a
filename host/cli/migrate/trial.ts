/**
 * Tries what indices are made with on an engine in this process that keeps nothing, so that nothing is made on a server to see what it
 * refuses. Where a whole is refused, its parts are tried one by one: each char filter, tokenizer, token filter, analyzer and type.
 */
import { createEngine, type Resilin } from '../../index.js';
import { firstCause, lastCause } from './causes.js';
import type { Finding } from './finding.js';

type Bag = Record<string, unknown>;

/** What an index is made with. */
export interface Tried {
  /** `index books`. */
  about: string;
  settings: Bag;
  mappings: Record<string, Bag>;
}

const NAME = 'trial';
/** Parts of `analysis` in the order in which they need each other, by their names in settings. */
const PARTS = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const;
const WORDS = {
  char_filter: 'char filter',
  tokenizer: 'tokenizer',
  filter: 'token filter',
  analyzer: 'analyzer',
} as const;
const TODO = 'make it yourself with other settings and run again: an index that is there keeps its settings';

export class Trial {
  readonly #engine: Resilin;

  private constructor(engine: Resilin) {
    this.#engine = engine;
  }

  static async begin(): Promise<Trial> {
    return new Trial(await createEngine());
  }

  /** What is refused; nothing if such an index can be made. */
  async findings({ about, settings, mappings }: Tried): Promise<Finding[]> {
    const own = withoutShards(settings);
    if ((await this.#refusal({ settings: { index: own }, mappings })) === undefined) return [];
    const { analysis, ...plain } = nested(own);
    const found: Finding[] = [];
    const add = (what: string) => found.push({ about, what, todo: TODO, isLoss: true });
    const other = await this.#refusal({ settings: { index: plain } });
    if (other !== undefined) add(firstCause(other));
    const good: Record<string, Bag> = {};
    const bad = new Set<string>();
    for (const part of PARTS)
      for (const [name, definition] of Object.entries(((analysis as Bag)?.[part] ?? {}) as Bag)) {
        const tried = { ...good, [part]: { ...good[part], [name]: definition } };
        const refusal = await this.#refusal({ settings: { index: { analysis: tried } } });
        if (refusal === undefined) {
          good[part] = tried[part] as Bag;
          continue;
        }
        if (!usesAny(definition, bad))
          add(`${WORDS[part]} ${name}${typeOf(definition)}: ${firstCause(refusal)}`);
        bad.add(name);
        // So that types that use it can be tried.
        if (part === 'analyzer') good.analyzer = { ...good.analyzer, [name]: { type: 'standard' } };
      }
    const base = other === undefined ? { ...plain, analysis: good } : { analysis: good };
    for (const [type, mapping] of Object.entries(mappings))
      for (const [field, refusal] of await this.#refusedOf(base, type, mapping))
        add(`type ${type}${field === '' ? '' : `, field ${field}`}: ${lastCause(refusal)}`);
    if (found.length === 0)
      add(lastCause((await this.#refusal({ settings: { index: own }, mappings })) ?? ''));
    return found;
  }

  /** Fields of a type that are refused, with the reason; an empty name stands for the type as a whole. */
  async #refusedOf(index: Bag, type: string, mapping: Bag): Promise<[field: string, refusal: string][]> {
    const refusalOf = (tried: Bag) => this.#refusal({ settings: { index }, mappings: { [type]: tried } });
    const whole = await refusalOf(mapping);
    if (whole === undefined) return [];
    const found: [string, string][] = [];
    const { properties, ...root } = mapping;
    for (const [field, definition] of Object.entries((properties ?? {}) as Bag)) {
      const refusal = await refusalOf({ properties: { [field]: definition } });
      if (refusal !== undefined) found.push([field, refusal]);
    }
    const own = await refusalOf(root);
    if (own !== undefined || found.length === 0) found.push(['', own ?? whole]);
    return found;
  }

  /** Why a stored script is refused; undefined if it is taken. */
  async scriptRefusal(path: string, source: string): Promise<string | undefined> {
    const { status, body } = await this.#engine.request('PUT', path, source);
    return status < 300 ? undefined : lastCause(errorOf(body));
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #refusal(body: object): Promise<string | undefined> {
    const answer = await this.#engine.request('PUT', `/${NAME}`, body as never);
    if (answer.status >= 300) return errorOf(answer.body);
    await this.#engine.request('DELETE', `/${NAME}`);
    return undefined;
  }
}

function errorOf(body: unknown): string {
  return String((body as { error?: unknown } | null)?.error ?? body);
}

/** One shard shows as much as many. */
function withoutShards(settings: Bag): Bag {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => name !== 'number_of_shards' && name !== 'number_of_replicas'),
  );
}

/** Settings by their names with dots, as objects: `analysis.analyzer.mine.type`. */
function nested(settings: Bag): Bag {
  const all: Bag = {};
  for (const [name, value] of Object.entries(settings)) {
    let at = all;
    const names = name.split('.');
    for (const part of names.slice(0, -1)) {
      const there = Object.hasOwn(at, part) ? at[part] : undefined;
      const next = typeof there === 'object' && there !== null ? (there as Bag) : {};
      Object.defineProperty(at, part, { value: next, enumerable: true, configurable: true, writable: true });
      at = next;
    }
    const end = names.at(-1)!;
    Object.defineProperty(at, end, { value, enumerable: true, configurable: true, writable: true });
  }
  return all;
}

function typeOf(definition: unknown): string {
  const type = (definition as { type?: unknown } | null)?.type;
  return type === undefined ? '' : ` of type ${String(type)}`;
}

/** Whether a definition names one of those. */
function usesAny(definition: unknown, names: ReadonlySet<string>): boolean {
  const parts = Object.values((definition ?? {}) as Bag).flat();
  return parts.some((part) => names.has(String(part)));
}
