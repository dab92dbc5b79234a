/** What aggregations answer, as JSON. */

import { Double, type Rendered } from '../aggregation/rendered.js';
import type { Json } from './json.js';
import { doubleJson, longJson } from './sortValues.js';

export function aggregationsJson(rendered: Rendered): Json {
  if (rendered instanceof Double) return doubleJson(rendered.value);
  if (typeof rendered === 'bigint') return longJson(rendered);
  if (typeof rendered !== 'object' || rendered === null) return rendered;
  if (Array.isArray(rendered)) return (rendered as readonly Rendered[]).map(aggregationsJson);
  const out: { [key: string]: Json | undefined } = {};
  for (const [key, value] of Object.entries(rendered))
    if (value !== undefined) out[key] = aggregationsJson(value);
  return out;
}
