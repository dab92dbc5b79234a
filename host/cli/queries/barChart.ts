/** Bar charts as SVG: one row for each value, grouped under headings. */

/** A group of bars. */
export interface BarGroup {
  heading: string;
  bars: { label: string; value: number }[];
}

const WIDTH = 720;
const LABEL = 200;
const VALUE = 80;
const ROW = 22;
const HEAD = 30;
const COLORS = ['#3465a4', '#8ab0d8', '#73a05a', '#c9a227', '#a04a4a', '#7a6aa8'];

/** The chart. Bars of the same label have the same color. @param unit of the values */
export function barChart(title: string, unit: string, groups: readonly BarGroup[]): string {
  const labels = [...new Set(groups.flatMap(({ bars }) => bars.map(({ label }) => label)))];
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const rows: string[] = [];
  let y = 2 * HEAD;
  for (const { heading, bars } of groups) {
    rows.push(`<text x="0" y="${y}" font-weight="bold">${escaped(heading)}</text>`);
    y += 8;
    for (const { label, value } of bars) {
      const width = most === 0 ? 0 : ((WIDTH - LABEL - VALUE) * value) / most;
      const color = COLORS[labels.indexOf(label) % COLORS.length];
      const middle = y + ROW / 2 + 4;
      rows.push(
        `<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
        `<rect x="${LABEL}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW - 6}" fill="${color}"/>`,
        `<text x="${(LABEL + width + 6).toFixed(1)}" y="${middle}">${shown(value)}</text>`,
      );
      y += ROW;
    }
    y += HEAD;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${y}" fill="#fff"/>`,
    `<text x="0" y="20" font-size="16">${escaped(title)} (${escaped(unit)})</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
