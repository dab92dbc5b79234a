/** Words that 1.7 takes for booleans. */

/** Whether a text is one of the words for false. Most places take every other text for true. */
export function isFalse(text: string): boolean {
  return text === 'false' || text === '0' || text === 'no' || text === 'off';
}

/** A setting that is a boolean: all but the words for false are true. */
export function isSet(text: string | undefined, byDefault: boolean): boolean {
  return text === undefined ? byDefault : !isFalse(text);
}

/** Whether a text is one of the words for true. */
export function isTrue(text: string): boolean {
  return text === 'true' || text === '1' || text === 'yes' || text === 'on';
}
