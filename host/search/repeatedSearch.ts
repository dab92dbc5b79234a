/** Searches whose bodies come again: what such a body was compiled to for an index is kept for as long as it would be compiled to the same. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { QueryContext } from '../query/compiler.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import type { FlatSettings } from '../settings/indexSettings.js';

/** Plans of more bytes aren't kept. */
const MOST_PLAN_BYTES = 4096;

/** What bodies that come again were compiled to, by the parsed body; kept as long as that is. */
const repeated = new WeakMap<object, RepeatedSearch>();

/** Says that a parsed body is likely to be searched with again: as the same object, which nobody changes. */
export function noteRepeated(body: object): void {
  repeated.set(body, new RepeatedSearch());
}

/** What is known of a body; undefined where it is not known to come again. */
export function repeatedSearch(body: unknown): RepeatedSearch | undefined {
  return typeof body === 'object' && body !== null ? repeated.get(body) : undefined;
}

/** What a query was compiled with beside the mapping and the settings of its index: then it may come to something else the next time. */
export class OtherReads {
  any = false;

  /** The same context, which notes when something is asked that neither mapping nor settings say. */
  of(context: QueryContext): QueryContext {
    const { now, source, stored, isIndex } = context;
    const noting: { -readonly [K in keyof QueryContext]: QueryContext[K] } = { ...context };
    noting.now = () => {
      this.any = true;
      return now();
    };
    noting.source = (...where) => {
      this.any = true;
      return source?.(...where);
    };
    noting.stored = (...where) => {
      this.any = true;
      return stored?.(...where);
    };
    noting.isIndex = (name) => {
      this.any = true;
      return isIndex?.(name) ?? name === context.index;
    };
    return noting;
  }
}

/** A body, compiled for the index that it was searched with last. */
class RepeatedSearch {
  #search: CompiledSearch | undefined;
  #index: OpenIndex | undefined;
  #mapping = 0;
  #settings: FlatSettings | undefined;
  #shards = 0;

  /** Whether it is known what the body comes to for some index. */
  get hasCompiled(): boolean {
    return this.#search !== undefined;
  }

  /** What the body comes to for an index, if that is known and still so; `shards`: of all that is searched. */
  compiled(index: OpenIndex, shards: number): CompiledSearch | undefined {
    const isSame =
      this.#index === index &&
      this.#mapping === index.model.version &&
      this.#settings === index.settings &&
      this.#shards === shards;
    return isSame ? this.#search : undefined;
  }

  /** Keeps what the body came to, if that is short and the same for every search with it. */
  keep(search: CompiledSearch, index: OpenIndex, shards: number): void {
    if (search.planBytes > MOST_PLAN_BYTES || !isStateless(search)) return;
    this.#search = search;
    this.#index = index;
    this.#mapping = index.model.version;
    this.#settings = index.settings;
    this.#shards = shards;
  }
}

export type { RepeatedSearch };

/** Whether a search is a query and a page of its hits: what comes to more than that may remember what it has read. */
function isStateless(search: CompiledSearch): boolean {
  const { aggregations, suggest, highlight, inner, scriptFields, rescore, facets, explain } = search;
  return (
    aggregations === undefined &&
    suggest === undefined &&
    highlight === undefined &&
    !explain &&
    inner.length + scriptFields.length + rescore.length + facets.length === 0
  );
}
