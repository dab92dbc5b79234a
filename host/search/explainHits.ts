/** The explanations of a response's hits. */
import type { WorkLimit } from '../workLimit.js';
import { explainKeys } from './explaining.js';
import type { Part } from './part.js';
import type { Hit } from './ranking.js';
import { leaveOut, type SearchResponse } from './searchResponse.js';

/** Hits of a shard that are explained together: as many as take few milliseconds. */
const EXPLAINED = { first: 8, most: 64, ms: 4 };

/** Explains the hits, shard by shard; hits of the response that there is no time for are left out of it. */
export async function explainHits(
  hits: readonly Hit[],
  parts: readonly Part[],
  response: SearchResponse,
  limit: WorkLimit,
): Promise<void> {
  const work = limit.untimed();
  const reached = new Set<Hit>();
  for (const { index, shard, search, statistics } of parts) {
    const own = hits.filter((hit) => hit.shard === shard);
    if (search === undefined) continue;
    for (let at = 0, size = EXPLAINED.first; at < own.length && !limit.late; ) {
      const group = own.slice(at, at + size);
      const keys = group.map(({ key }) => key);
      const found = await explainKeys({ index, shard, search, statistics }, keys, work);
      at += group.length;
      size = work.elapsed > EXPLAINED.ms ? Math.max(1, size >> 1) : Math.min(EXPLAINED.most, size * 2);
      await work.yield();
      group.forEach((hit, i) => {
        hit.explanation = found[i];
        reached.add(hit);
      });
    }
  }
  if (reached.size === hits.length) return;
  const asked = new Set(hits);
  leaveOut(
    response,
    response.hits.filter((hit) => reached.has(hit) || !asked.has(hit)),
  );
}
