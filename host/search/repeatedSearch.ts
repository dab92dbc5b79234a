/** Searches whose bodies come again: what such a body was compiled to for an index is kept for as long as it would be compiled to the same. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { QueryContext } from '../query/compiler.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import type { FlatSettings } from '../settings/indexSettings.js';

/** Plans of more bytes aren't kept. */
const MOST_PLAN_BYTES = 4096;

/** Parsed bodies that are likely to be searched with again. */
const repeated = new WeakSet<object>();

/** What such bodies were compiled to for an index: gone with the one or the other. */
const compiled = new WeakMap<OpenIndex, WeakMap<object, Kept>>();

/** A compiled body, and what it came to that by besides. */
interface Kept {
  readonly search: CompiledSearch;
  readonly mapping: number;
  readonly settings: FlatSettings;
  readonly shards: number;
}

/** Says that a parsed body is likely to be searched with again: as the same object, which nobody changes. */
export function noteRepeated(body: object): void {
  repeated.add(body);
}

/** Whether a body is known to come again. */
export function isRepeated(body: unknown): body is object {
  return typeof body === 'object' && body !== null && repeated.has(body);
}

/** What a body comes to for an index, if that is known and still so; `shards`: of all that is searched. */
export function keptSearch(body: object, index: OpenIndex, shards: number): CompiledSearch | undefined {
  const kept = compiled.get(index)?.get(body);
  const isSame =
    kept?.mapping === index.model.version && kept.settings === index.settings && kept.shards === shards;
  return isSame ? kept.search : undefined;
}

/** Keeps what a body came to, if that is short and the same for every search with it. */
export function keepSearch(body: object, search: CompiledSearch, index: OpenIndex, shards: number): void {
  if (search.planBytes > MOST_PLAN_BYTES || !isStateless(search)) return;
  let ofIndex = compiled.get(index);
  if (ofIndex === undefined) {
    ofIndex = new WeakMap();
    compiled.set(index, ofIndex);
  }
  ofIndex.set(body, { search, mapping: index.model.version, settings: index.settings, shards });
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
