/** Errors of 1.x in a few words: `Outer[message]; nested: Inner[message]; `. */

/** What the error below the outermost says: that one only says that an index could not be made. */
export function firstCause(error: string): string {
  const causes = error.split('nested: ');
  return messageOf(causes[1] ?? causes[0]!);
}

/** What the innermost error says. */
export function lastCause(error: string): string {
  return messageOf(error.split('nested: ').at(-1)!);
}

/** `Name[message]; ` without its name, and without what stands before it. */
function messageOf(text: string): string {
  const begin = text.indexOf('[');
  const end = text.lastIndexOf(']');
  const name = text.slice(0, Math.max(begin, 0)).split(' ').at(-1)!;
  return /(?:Exception|Error)$/.test(name) && end > begin ? text.slice(begin + 1, end) : text;
}
