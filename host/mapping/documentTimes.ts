/** When a document was made and when it expires: what is given for it, what its mapping says, and what comes of both. */

import { alreadyExpired, mapperParsing } from '../errors.js';
import { parseTime } from '../time/durations.js';
import type { DocumentTimes, MetaFields } from './metaFields.js';
import { isNumber, textOf } from '../json/values.js';

/** What a new document brings. */
export interface GivenTimes {
  /** Milliseconds since the epoch, or a date of the mapping's format. */
  timestamp: string | undefined;
  /** How long it lives, in milliseconds. */
  ttl: number | undefined;
  now: number;
}

/** What is kept with a document; undefined where the mapping keeps none. */
export type Times = DocumentTimes;

/** Whether these are times of a new document. */
export function isNew(times: GivenTimes | Times): times is GivenTimes {
  return 'now' in times;
}

/**
 * The time at which a document was made, for its type: what is given, what stands in it at the mapping's path (`inside`), or
 * the default.
 */
export function timestampOf({ timestamp, ttl }: MetaFields, given: GivenTimes, inside: string | undefined) {
  const said = given.timestamp ?? (timestamp.enabled ? inside : undefined);
  if (timestamp.enabled || ttl.enabled || said !== undefined) return timestamp.timeOf(said, given.now);
  return given.now;
}

/** When it expires; `inside` is its own `_ttl`. Throws if that has been already. */
export function expiryOf(
  { ttl }: MetaFields,
  given: GivenTimes,
  timestamp: number,
  inside: unknown,
  at: { index: string; type: string; id: string },
): number | undefined {
  if (!ttl.enabled) return undefined;
  const lives = given.ttl ?? ownTtl(inside) ?? ttl.byDefault;
  if (lives === undefined) return undefined;
  const expires = timestamp + lives;
  if (given.now >= expires)
    throw mapperParsing('failed to parse [_ttl]', alreadyExpired(at, expires, given.now));
  return expires;
}

function ownTtl(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = isNumber(value) ? Math.trunc(Number(value)) : parseTime(textOf(value) ?? '');
  if (ms <= 0) throw mapperParsing(`TTL value must be > 0. Illegal value provided [${ms}]`);
  return ms;
}
