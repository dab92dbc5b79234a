/**
 * The formats of what nodes tell each other: messages of logs, questions and their answers. Nodes that know no format in common are told apart
 * before one of them is served. A version that brings a new format keeps the last one, and writes that as long as a living node knows no other.
 */
import { isObject } from '../json/values.js';
import { COMMAND_FORMAT } from './documentCommand.js';
import { isCount } from './message.js';

/** The formats that a node reads and writes. */
export interface Formats {
  readonly oldest: number;
  readonly newest: number;
}

/** Those of this version. */
export const FORMATS: Formats = { oldest: 1, newest: COMMAND_FORMAT };

/** The format since which logs say when their indices were closed, and by which settings documents are parsed. */
export const MARKS_FORMAT = 2;

/** What a node says of its formats; one that says nothing is of the first version. */
export function formatsOf(value: unknown): Formats {
  const { oldest, newest } = isObject(value) ? value : {};
  return isCount(oldest) && isCount(newest) && oldest <= newest
    ? { oldest, newest }
    : { oldest: 1, newest: 1 };
}
