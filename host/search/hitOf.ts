/** A key that a search found, as a hit: a document, or an object of a nested field in place of one. */
import type { SortValue } from '../core/sortValues.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import { highlighting } from '../highlight/lateHighlighting.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import { nestedObject, pathOf } from './nestedObjects.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Hit } from './ranking.js';
import type { SearchedShard } from '../shard/searchedShard.js';

/** Where hits are found. */
export interface Place {
  index: OpenIndex;
  shard: SearchedShard;
}

/** What a core tells of a hit. */
export interface Found {
  key: number;
  /** No number where there is none. */
  score: number;
  values: readonly SortValue[];
}

/** The hit as a search shows it; undefined if it is gone. @param work counts the steps of highlighting */
export function* hitOf(
  place: Place,
  { key, score, values }: Found,
  search: CompiledSearch,
  work: WorkLimit,
): Turns<Hit | undefined> {
  const { index, shard } = place;
  const found = documentOf(place, key);
  if (found === undefined) return undefined;
  const { highlight, sort, inner } = search;
  return {
    index: index.name,
    shard,
    key,
    model: index.model,
    score: Number.isNaN(score) ? null : score,
    ...found,
    ...(highlight === undefined
      ? {}
      : { highlight: yield* highlighting.loaded.highlightsOf(highlighted(index, found), highlight, work) }),
    ...(sort === undefined ? {} : { sortValues: values }),
    ...(inner.length === 0 ? {} : { wanted: { index, inner } }),
  };
}

/** What is highlighted of a hit: of an object of a nested field, the document as if it had this object alone. */
function highlighted({ model }: OpenIndex, { document, nested }: Pick<Hit, 'document' | 'nested'>) {
  if (nested === undefined) return { document, model };
  return { document: nested.alone, model, path: pathOf(nested.identity) };
}

/** What a key stands for. An object is shown in place of the whole source. */
export function documentOf(
  { index, shard }: Place,
  key: number,
): Pick<Hit, 'document' | 'nested'> | undefined {
  const document = shard.documents.byKey(key);
  if (document !== undefined) return { document: index.visible(document) };
  const holder = shard.documents.holder(key);
  if (holder === undefined) return undefined;
  const place = holder.key - key;
  const object = nestedObject(index.model, holder.document, place);
  if (object === undefined) return undefined;
  const seen = index.visible(holder.document);
  // Where the mapping hides parts of a source, an object isn't shown at all.
  const whole = seen.whole === undefined;
  const empty = new Uint8Array(0);
  return {
    document: { ...seen, source: whole ? object.source : empty },
    nested: {
      identity: object.identity,
      alone: { ...seen, source: whole ? object.alone : empty, whole: object.alone },
      holder: holder.document,
      place,
    },
  };
}
