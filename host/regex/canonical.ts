/** Canonical equivalence: texts that stand for the same characters, whatever they are composed of. */

/** More marks than that on one character are taken in the order in which they stand. */
const MOST_ORDERED = 4;

/** The code points of every text that is canonically equivalent to a character with its marks. */
export function equivalents(text: string): number[][] {
  const normal = text.normalize('NFD');
  const [base = '', ...marks] = normal;
  const forms = new Set<string>();
  for (const order of marks.length > MOST_ORDERED ? [marks] : permutations(marks)) {
    const whole = base + order.join('');
    if (whole.normalize('NFD') !== normal) continue;
    // The first of the marks may be part of the character already.
    for (let n = 0; n <= order.length; n++)
      forms.add((base + order.slice(0, n).join('')).normalize('NFC') + order.slice(n).join(''));
  }
  return [...forms].map((form) => Array.from(form, (c) => c.codePointAt(0)!));
}

/** Whether what stands behind a character belongs to it. */
export function isMark(codePoint: number): boolean {
  return codePoint > 0x7f && /^\p{M}$/u.test(String.fromCodePoint(codePoint));
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}
