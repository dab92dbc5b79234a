/** Documents, and shards of the core with them. */
import { fetched, openCore, type ResilinCore } from '../../host/coreLibrary/loadedCore.js';
import type { CoreDocument, ShardDefinition } from '../../host/coreLibrary/definitions.js';
import type { Shard } from '../../host/coreLibrary/shard.js';
import { coreBytes } from '../support/core.js';

const WORDS =
  'the rose name of a time machine war worlds stops running runs ran library garden forking paths'.split(' ');

/** Documents of a seeded generator: a title of two to nine words, a tag, a year, a weight. */
export function documents(count: number): { title: string; tag: string; year: number; weight: number }[] {
  let state = 7;
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return Array.from({ length: count }, () => ({
    title: Array.from(
      { length: 2 + random(8) },
      () => WORDS[Math.min(random(WORDS.length), random(WORDS.length))],
    ).join(' '),
    tag: `tag${random(5)}`,
    year: 1800 + random(220),
    weight: random(1000) / 8,
  }));
}

export const FIELDS: ShardDefinition['fields'] = {
  title: { type: 'text' },
  tag: { type: 'keyword' },
  year: { type: 'long' },
  weight: { type: 'double' },
};

/** A core with nothing in it. */
export const newCore = (): Promise<ResilinCore> => openCore(coreBytes(), fetched);

/** A shard of documents in one segment, the key of the first being 1. */
export async function shardOf(
  given: Iterable<CoreDocument>,
  definition: ShardDefinition = { fields: FIELDS },
): Promise<Shard> {
  const shard = await (await newCore()).createShard(definition);
  shard.addAll(given);
  shard.merge();
  return shard;
}
