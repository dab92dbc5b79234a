import { StageKind } from '../../core/abi/stages.js';
import { type CharFilterPart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

/** Tags that are more than a name to the filter, and the bits that keep them. */
const FLAGS: ReadonlyMap<string, number> = new Map([
  ['br', 1],
  ['script', 2],
  ['style', 4],
]);

/** Takes HTML out of a text; `escaped_tags` stay. */
export function htmlStripCharFilter(settings: DefinitionSettings): CharFilterPart {
  let flags = 0;
  const names: string[] = [];
  for (const tag of settings.list('escaped_tags') ?? []) {
    const name = tag.toLowerCase();
    const flag = FLAGS.get(name);
    if (flag === undefined) names.push(name);
    else flags |= flag;
  }
  return corePart(StageKind.htmlStrip, (args) => args.u8(flags).words(names));
}
