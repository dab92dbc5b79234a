/**
 * The formats of what nodes tell each other: messages of logs, questions and their answers. Nodes that know no format in common are told apart
 * before one of them is served. A version that brings a new format keeps the last one, and writes that as long as a living node knows no other.
 */
import { isObject } from '../json/values.js';
import { isCount } from './message.js';

/** The formats that a node reads and writes. */
export interface Formats {
  readonly oldest: number;
  readonly newest: number;
}

/** What is said as ever, so that older versions read it. */
export const PLAIN_FORMAT = 1;
/** The format since which logs say when their indices were closed, and by which settings documents are parsed. */
export const MARKS_FORMAT = 2;
/** The format of operations whose messages count for the comparison of copies with all that they say, not by their outcomes alone. */
export const COMPARED_FORMAT = 3;
/** The last one that this version knows; a node that reads a later one stops. */
export const NEWEST_FORMAT = COMPARED_FORMAT;

/** Those of this version. */
export const FORMATS: Formats = { oldest: PLAIN_FORMAT, newest: NEWEST_FORMAT };

/** What a node says of its formats; one that says nothing is of the first version. */
export function formatsOf(value: unknown): Formats {
  const { oldest, newest } = isObject(value) ? value : {};
  return isCount(oldest) && isCount(newest) && oldest <= newest
    ? { oldest, newest }
    : { oldest: 1, newest: 1 };
}
