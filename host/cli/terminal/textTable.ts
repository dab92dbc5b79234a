/** A table of texts for a terminal: columns as wide as their widest cell. */

/** @param head names of the columns; @param numbers those whose cells stand at the right */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly string[] = [],
): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => all.reduce((most, row) => Math.max(most, row[at]!.length), 0));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) =>
        numbers.includes(head[at]!) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!),
      )
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}
