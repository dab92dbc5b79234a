/** Indexes the model's documents, and cuts answers down to what the model tells. */

import type { Api } from '../support/api.js';
import type { Doc } from './naiveAggregations.js';

const properties = {
  word: { type: 'string', index: 'not_analyzed' },
  whole: { type: 'long' },
  fraction: { type: 'double' },
  time: { type: 'date' },
  at: { type: 'geo_point' },
  places: { type: 'geo_point' },
  address: { type: 'ip' },
};

/**
 * Makes the index `a` anew: each list of documents becomes a segment of every shard. Documents are numbered through; those whose
 * numbers are in `deleted` are deleted afterwards.
 */
export async function index(
  api: Api,
  segments: readonly (readonly Doc[])[],
  { shards = 3, deleted = [] }: { shards?: number; deleted?: readonly number[] } = {},
): Promise<void> {
  await api.call('DELETE', '/a');
  await api.call('PUT', '/a', {
    settings: { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: { t: { properties } },
  });
  let id = 0;
  const bulk = async (lines: readonly string[]) => {
    if (lines.length > 0) await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
  };
  for (const docs of segments) {
    await bulk(
      docs.map(
        ({ lat, lon, ...rest }) =>
          `{"index":{"_id":"${id++}"}}\n${JSON.stringify({ ...rest, at: { lat, lon } })}\n`,
      ),
    );
  }
  await bulk(deleted.map((number) => `{"delete":{"_id":"${number}"}}\n`));
}

/** What the model tells too, of what the engine says. */
export function shared(got: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted) && Array.isArray(got)) return got.map((each, i) => shared(each, wanted[i]));
  if (typeof wanted !== 'object' || wanted === null || typeof got !== 'object' || got === null) return got;
  return Object.fromEntries(
    Object.keys(wanted).map((key) => [
      key,
      shared((got as Record<string, unknown>)[key], (wanted as Record<string, unknown>)[key]),
    ]),
  );
}
