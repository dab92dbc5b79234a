/** The values of `fielddata_fields` whose mapping filters them: which terms are left, the segment of the hit knows. */

import { isFiltered } from '../query/term/fielddataFilters.js';
import type { WorkLimit } from '../workLimit.js';
import type { Hit } from './ranking.js';
import { TermReader } from '../shard/termReader.js';

/** Gives hits the values that are left of filtered fields among these. */
export async function readKept(
  hits: readonly Hit[],
  names: readonly string[],
  limit: WorkLimit,
): Promise<void> {
  if (names.length === 0) return;
  const wanted = new Map<Hit['shard'], Map<number, { name: string; hits: Hit[] }>>();
  for (const name of names) {
    for (const hit of hits) {
      const field = hit.model.find(name, [hit.document.type])?.field ?? hit.model.find(name)?.field;
      if (field === undefined || field.number < 0 || !isFiltered(field)) continue;
      const fields = wanted.get(hit.shard) ?? new Map<number, { name: string; hits: Hit[] }>();
      wanted.set(hit.shard, fields);
      const own = fields.get(field.number) ?? { name, hits: [] };
      fields.set(field.number, own);
      own.hits.push(hit);
    }
  }
  for (const [shard, fields] of wanted) {
    const reader = new TermReader(shard.searches, limit);
    for (const [number, { name, hits: own }] of fields) {
      const values = await reader.values(
        number,
        own.map(({ key }) => key),
      );
      own.forEach((hit, i) => {
        hit.kept = new Map([...(hit.kept ?? []), [name, values[i]!]]);
      });
    }
  }
}
