/**
 * What does it cost to find the first ten documents by a column?
 *
 * Measured: plans that match all of a million documents, sorted by a random number, by a time that ascends (both ways), by a string, by
 * string and number; the time by documents. In it: counting the matches, and the copy of the hits. Blocks of 128 documents whose
 * bounds say that they hold no hit are not read; that is why the figures lie far below the time to read a value.
 */
import { FIELD } from './columnIndex.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

function cases(subjects: Subjects): Case[] {
  const index = subjects.columns();
  const key = (field: number, descending: boolean) =>
    ({
      kind: 'column',
      field,
      type: field === FIELD.key ? 'string' : 'long',
      descending,
      single: false,
      mode: descending ? 1 : 0,
      missing: field === FIELD.key ? 'last' : 0n,
    }) as const;
  const by = (name: string, ...keys: ReturnType<typeof key>[]) =>
    index.case(name, { sort: { keys, trackScores: false } });
  return [
    by('random number', key(FIELD.random, false)),
    by('time, upwards', key(FIELD.time, false)),
    by('time, downwards', key(FIELD.time, true)),
    by('string', key(FIELD.key, false)),
    by('string and number', key(FIELD.key, true), key(FIELD.random, false)),
  ];
}

export const columnSort: Question = { title: 'first ten of a million by a column', item: 'document', cases };
