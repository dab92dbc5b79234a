/** What aggregations answer, as JSON. */

import { Double, type Rendered, ShownHits } from '../aggregation/rendered.js';
import type { CompiledSearch } from '../dsl/search.js';
import type { Hit } from '../index/ranking.js';
import { renderHits } from './hit.js';
import type { Json } from './json.js';
import { doubleJson } from './sortValues.js';

/** `node` is who answers. */
export function aggregationsJson(rendered: Rendered, node: string): Json {
  if (rendered instanceof ShownHits) return hitsJson(rendered, node);
  if (rendered instanceof Double) return doubleJson(rendered.value);
  if (typeof rendered !== 'object' || rendered === null) return rendered;
  if (Array.isArray(rendered))
    return (rendered as readonly Rendered[]).map((each) => aggregationsJson(each, node));
  const out: { [key: string]: Json | undefined } = {};
  for (const [key, value] of Object.entries(rendered))
    if (value !== undefined) out[key] = aggregationsJson(value, node);
  return out;
}

function hitsJson({ total, maxScore, hits, view }: ShownHits, node: string): Json {
  const best = Number.isNaN(maxScore) ? null : maxScore;
  return renderHits(
    { total, maxScore: best, hits: hits as readonly Hit[], search: view as CompiledSearch },
    node,
  );
}
