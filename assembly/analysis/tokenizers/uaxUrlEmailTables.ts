/**
 * The automaton of a scanner of Lucene 4.10.4, written by scripts/generate-automata.mjs; automaton.ts reads it. The host
 * has its data.
 */
export const STATES: u32 = 2910;
export const CLASSES: u32 = 84;
/** The states that scanning begins in. */
export const START_0: u32 = 1;
export const START_1: u32 = 2;
/** The class of code points that are nowhere assigned. */
export const UNASSIGNED: u32 = 0;
/** The classes end after this many bytes. */
export const CLASS_BYTES: u32 = 3045;
/** Bytes of the data. */
export const BYTES: u32 = 51631;
