/** Values with boosts of their own: `{"value": …, "boost": …}` in place of a value. */

import { ElasticsearchError } from '../errors.js';
import { floatOf, type JsonObject } from './values.js';

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

/** 500: only norms can hold the boost of a value. */
export function normsOmitted(field: string): ElasticsearchError {
  return new ElasticsearchError(
    'UnsupportedOperationException',
    `You cannot set an index-time boost: norms are omitted for field '${field}'`,
    { status: 500 },
  );
}
