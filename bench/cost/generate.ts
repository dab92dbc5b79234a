import { OTHERS } from './others.js';
import { type CostRequest, Sizes, type Written } from './request.js';
import { OTHER_SEARCHES, SEARCHES } from './searches.js';

const OTHER_FORMS: readonly Written[] = ['yaml', 'cbor', 'smile', 'gzip', 'deflate'];

/** The request of a seed with a number; neighbouring ones are unlike. */
export function generated(seed: number, number: number): CostRequest {
  const c = new Sizes(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const kind = c.next();
  const request = c.of(kind < 0.4 ? SEARCHES : kind < 0.65 ? OTHER_SEARCHES : OTHERS)(c);
  if (request.body !== undefined && c.chance(0.04)) request.written = c.of(OTHER_FORMS);
  return request;
}
