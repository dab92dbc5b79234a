/** Tables as text (RFC 4180): commas between cells, quotes around those that need them, a line for each row. */

/** @param rows the first is the header */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('');
}

/** One row with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
