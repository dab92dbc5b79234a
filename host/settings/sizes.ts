/** Amounts of memory as settings write them: `512mb`, `1.5g`, `100`, or a share of what there is, `60%`. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
};

/** Bytes; undefined where the text is none of these. @param all what a share is a share of */
export function parseSize(text: string, all: number): number | undefined {
  const trimmed = text.trim();
  const share = /^(\d+(?:\.\d+)?)%$/.exec(trimmed)?.[1];
  if (share !== undefined) return Number(share) <= 100 ? Math.floor((Number(share) / 100) * all) : undefined;
  const match = /^(-?\d+(?:\.\d+)?)\s*([kmgtp]?b?)$/i.exec(trimmed);
  if (match === null) return undefined;
  return Math.trunc(Number(match[1]) * UNITS[match[2]!.toLowerCase()]!);
}

const SIZES = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];

/** `115b`, `5.1kb`, `1.2mb`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < SIZES.length - 1; unit++) value /= 1024;
  return `${oneDigit(value)}${SIZES[unit]}`;
}

/** One digit after the point, cut and not rounded; none where it is zero. */
export function oneDigit(value: number): string {
  return String(Math.trunc(value * 10) / 10);
}
