/** Values with boosts of their own: `{"value": …, "boost": …}` in place of a value. */

import { ElasticsearchError, javaArgument } from '../errors.js';
import type { FieldTraits } from './fieldTraits.js';
import { floatOf, type JsonObject } from '../json/values.js';

/** A value as a document has it. */
export interface Boosted {
  value: unknown;
  /** Undefined where the document gives none. */
  boost: number | undefined;
}

/** Reads such an object; 400 for one that is none. */
export function readBoosted(object: JsonObject): Boosted {
  const read: Boosted = { value: undefined, boost: undefined };
  for (const [key, part] of Object.entries(object)) {
    if (key === 'value' || key === '_value') read.value = part;
    else if (key === 'boost' || key === '_boost') read.boost = floatOf(part);
    else throw new ElasticsearchError('ElasticsearchIllegalArgumentException', `unknown property [${key}]`);
  }
  return read;
}

/** Refuses a boost that no norm could hold, as Lucene does of every field that it is given. */
export function checkBoost({ indexed, stored, norms }: FieldTraits, boost: number): void {
  if (boost === 1 || !(indexed || stored) || (indexed && norms)) return;
  throw javaArgument('You cannot set an index-time boost on an unindexed field, or one that omits norms');
}
