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

/** `Name[message]; ` without its name. */
function messageOf(text: string): string {
  const end = text.lastIndexOf(']');
  const begin = text.indexOf('[');
  return begin > 0 && end > begin && !text.slice(0, begin).includes(' ') ? text.slice(begin + 1, end) : text;
}
