/** What a search is compiled for, and how far its body has been read. */

import type { JsonObject } from '../json/values.js';
import type { QueryContext } from './compiler.js';

/** What a search is compiled for. */
export interface SearchContext extends QueryContext {
  /** The filter of an alias, as JSON. */
  filter?: unknown;
  /** What the URL says, which goes before the body. */
  from?: number | undefined;
  size?: number | undefined;
  /** Told how far the body has been read. */
  progress?: Progress | undefined;
  /** How many shards the whole search has, 1 if not said. */
  shards?: number | undefined;
}

/** What a search is compiled for: all of it written out, since copying one object into another costs a search more than anything else does. */
export function searchContext(
  query: QueryContext,
  { filter, from, size, progress, shards, types }: Omit<SearchContext, Exclude<keyof QueryContext, 'types'>>,
): SearchContext {
  const { index, model, registry, now, strictFields, defaultField, lenientStrings, confined } = query;
  const { sortsOwnValues, isIndex, source, stored, groovy, lateErrors, admit } = query;
  const context: { [K in keyof Required<SearchContext>]: SearchContext[K] } = {
    index,
    model,
    registry,
    now,
    strictFields,
    lateErrors,
    defaultField,
    lenientStrings,
    sortsOwnValues,
    types,
    isIndex,
    source,
    stored,
    groovy,
    confined,
    admit,
    filter,
    from,
    size,
    progress,
    shards,
  };
  return context;
}

/** How far a body has been read, for the texts of errors. */
export interface Progress {
  /** The query as it prints. */
  query?: (() => string) | undefined;
  from?: number;
  size?: number;
  sort?: (() => string) | undefined;
  /** The part that is read. */
  part?: string;
  /** Of hits inside of others, as long as what is said of these is read. */
  inside?: Progress | undefined;
}

/** The same, whose texts are made once at most: those of a long query take a while, and each shard tells them twice. */
export function toldOften(progress: Progress): Progress {
  const { query, sort, inside } = progress;
  return {
    ...progress,
    query: query && once(query),
    sort: sort && once(sort),
    inside: inside && toldOften(inside),
  };
}

function once(make: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= make();
    return text;
  };
}

/** What 1.7 says of a search that it is reading. */
export function stateOf({ query, from = -1, size = -1, sort }: Progress): string {
  const sorted = sort === undefined ? '' : `,sort[${sort()}]`;
  return `${query === undefined ? '' : `query[${query()}],`}from[${from}],size[${size}]${sorted}`;
}

/** Forgets what was read of a body from a part on. */
export function goBack(progress: Progress, body: JsonObject, part: string): void {
  const names = Object.keys(body);
  const at = names.indexOf(part);
  for (const name of ['query', 'from', 'size', 'sort'] as const)
    if (names.indexOf(name) >= at) delete progress[name];
  if (progress.inside !== undefined && progress.query === undefined) delete progress.inside.query;
}
