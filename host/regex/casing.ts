/** Java's mappings between upper and lower case: one code point to one, whatever the language. */
import { CodePointSet } from './codePointSet.js';
import { unicodeSet } from './unicode.js';

/** Character.toLowerCase. */
function lowerCase(codePoint: number): number {
  // Its lower case in Unicode's full mapping has a dot above as a second character.
  if (codePoint === 0x130) return 0x69;
  return single(String.fromCodePoint(codePoint).toLowerCase()) ?? codePoint;
}

let upperOfSpecial: Map<number, number> | undefined;

/** Character.toUpperCase. */
function upperCase(codePoint: number): number {
  const upper = single(String.fromCodePoint(codePoint).toUpperCase());
  if (upper !== undefined) return upper;
  if (upperOfSpecial === undefined) {
    // Greek letters with an iota below: their full mappings are two characters, their simple ones titlecase letters.
    upperOfSpecial = new Map();
    for (let c = 0x1f80; c <= 0x1fff; c++) {
      const lower = lowerCase(c);
      if (lower !== c && single(String.fromCodePoint(lower).toUpperCase()) === undefined) {
        upperOfSpecial.set(lower, c);
      }
    }
  }
  return upperOfSpecial.get(codePoint) ?? codePoint;
}

function single(text: string): number | undefined {
  const codePoint = text.codePointAt(0)!;
  return text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : undefined;
}

/** A code point and what Java compares in its stead where the case doesn't matter. */
interface Folded {
  readonly codePoint: number;
  readonly upper: number;
  /** The lower case of the upper case. */
  readonly folded: number;
}

let foldedOnes: readonly Folded[] | undefined;

/** All code points that have a case. */
function cased(): readonly Folded[] {
  if (foldedOnes !== undefined) return foldedOnes;
  const found: Folded[] = [];
  const { ranges } = unicodeSet('Changes_When_Casemapped');
  for (let i = 0; i < ranges.length; i += 2) {
    for (let codePoint = ranges[i]!; codePoint <= ranges[i + 1]!; codePoint++) {
      const upper = upperCase(codePoint);
      const folded = lowerCase(upper);
      if (upper !== codePoint || folded !== codePoint) found.push({ codePoint, upper, folded });
    }
  }
  foldedOnes = found;
  return found;
}

/** All code points that are the same as that one but for their case. */
export function caseVariants(codePoint: number, unicode: boolean): CodePointSet {
  const self = CodePointSet.of(codePoint, codePoint);
  if (!unicode) return codePoint < 128 ? self.union(asciiVariants(codePoint, codePoint)) : self;
  const upper = upperCase(codePoint);
  const target = lowerCase(upper);
  if (upper === target) return self;
  return CodePointSet.from([
    codePoint,
    codePoint,
    target,
    target,
    ...cased().flatMap((each) => (each.folded === target ? [each.codePoint, each.codePoint] : [])),
  ]);
}

/** All code points of which one variant is in `first..last`. */
export function rangeVariants(first: number, last: number, unicode: boolean): CodePointSet {
  const self = CodePointSet.of(first, last);
  if (!unicode) return self.union(asciiVariants(first, last));
  const inside = (c: number) => first <= c && c <= last;
  const more = cased().filter((each) => inside(each.upper) || inside(each.folded));
  return CodePointSet.from([first, last, ...more.flatMap((each) => [each.codePoint, each.codePoint])]);
}

/** The ASCII letters of the other case. */
function asciiVariants(first: number, last: number): CodePointSet {
  const range = CodePointSet.of(first, last);
  const shifted = (letters: CodePointSet, by: number) =>
    range.intersection(letters).ranges.map((bound) => bound + by);
  return CodePointSet.from([
    ...shifted(CodePointSet.of(0x41, 0x5a), 32),
    ...shifted(CodePointSet.of(0x61, 0x7a), -32),
  ]);
}
