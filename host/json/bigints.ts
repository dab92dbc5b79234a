/** Values of JavaScript to JSON texts, bigints among them. */

/** `JSON.stringify` that prints a bigint as a number with all its digits. */
export function bodyText(value: unknown): string {
  let hasSome = false;
  const marked = JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') {
      hasSome = true;
      return `\0#${each}`;
    }
    return typeof each === 'string' && each.startsWith('\0') ? `\0${each}` : each;
  });
  if (!hasSome && !marked?.includes('"\\u0000')) return marked;
  // Keys, which a colon follows, are not marked.
  return marked.replace(/"(?:[^"\\]|\\.)*":?/g, (text) =>
    text.startsWith('"\\u0000#') && !text.endsWith(':')
      ? text.slice(8, -1)
      : text.startsWith('"\\u0000\\u0000') && !text.endsWith(':')
        ? `"${text.slice(7)}`
        : text,
  );
}
