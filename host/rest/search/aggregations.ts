/** What aggregations answer, as JSON. */

import { Double, type Rendered, ShownHits } from '../../aggregation/rendered.js';
import { putOwn } from '../../ownNames.js';
import { HIT_STEPS, type Hit } from '../../search/ranking.js';
import type { CompiledSearch } from '../../searchBody/compile.js';
import type { Turns, WorkLimit } from '../../workLimit.js';
import { Float, type Json } from '../json.js';
import { renderHit } from './hit.js';

/** `node` is who answers; `work` counts the steps. */
export function* aggregationsJson(rendered: Rendered, node: string, work: WorkLimit): Turns<Json> {
  if (rendered instanceof ShownHits) return yield* hitsJson(rendered, node, work);
  if (rendered instanceof Double) return rendered;
  if (typeof rendered !== 'object' || rendered === null) return rendered;
  if (work.isDue()) yield;
  if (Array.isArray(rendered)) {
    const list: Json[] = [];
    for (const each of rendered as readonly Rendered[])
      list.push(isSimple(each) ? each : yield* aggregationsJson(each, node, work));
    return list;
  }
  const out: { [key: string]: Json | undefined } = {};
  for (const [key, value] of Object.entries(rendered))
    if (value !== undefined)
      putOwn(out, key, isSimple(value) ? value : yield* aggregationsJson(value, node, work));
  return out;
}

function isSimple(value: Rendered): value is null | boolean | string | number | bigint {
  return typeof value !== 'object' || value === null;
}

function* hitsJson({ total, maxScore, hits, view }: ShownHits, node: string, work: WorkLimit): Turns<Json> {
  const search = view as CompiledSearch;
  const shown = { ...search, sortKeys: search.sort?.keys, node };
  const list: Json[] = [];
  for (const hit of hits as readonly Hit[]) {
    if (work.isDue(HIT_STEPS)) yield;
    list.push(renderHit(hit, shown));
  }
  return { total, max_score: Number.isNaN(maxScore) ? null : new Float(maxScore), hits: list };
}
