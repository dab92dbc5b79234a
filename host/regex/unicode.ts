/** Unicode's properties as sets, read off JavaScript's own expressions. */
import { CodePointSet } from './codePointSet.js';

const CHUNK = 0x8000;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

const known = new Map<string, CodePointSet>();

/**
 * The code points with a property by JavaScript's name for it, such as `Lu` or `Script=Latin`; it must be one that
 * JavaScript knows (see {@link isUnicodeProperty}).
 */
export function unicodeSet(property: string): CodePointSet {
  let set = known.get(property);
  if (set === undefined) {
    set = read(property);
    known.set(property, set);
  }
  return set;
}

/** Whether JavaScript knows a property by that name. */
export function isUnicodeProperty(property: string): boolean {
  if (known.has(property)) return true;
  if (!/^[A-Za-z_]+(=[A-Za-z_]+)?$/.test(property)) return false;
  try {
    new RegExp(`\\p{${property}}`, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Runs of one class over all code points: linear. Half surrogates can't stand beside each other in a text. */
function read(property: string): CodePointSet {
  const run = new RegExp(`\\p{${property}}+`, 'gu');
  const bounds: number[] = [];
  for (let from = 0; from < 0x110000; from += CHUNK) {
    let text = '';
    const units: number[] = [];
    for (let c = from; c < from + CHUNK; c++) {
      if (c >= FIRST_SURROGATE && c <= LAST_SURROGATE) continue;
      units.push(c);
      if (units.length === 1024) {
        text += String.fromCodePoint(...units);
        units.length = 0;
      }
    }
    text += String.fromCodePoint(...units);
    for (const [found] of text.matchAll(run)) {
      const last = found.charCodeAt(found.length - 1);
      const isPair = last >= 0xdc00 && last <= 0xdfff;
      bounds.push(found.codePointAt(0)!, found.codePointAt(found.length - (isPair ? 2 : 1))!);
    }
  }
  // A run passes over the surrogates as if they weren't there.
  const surrogates = CodePointSet.of(FIRST_SURROGATE, LAST_SURROGATE);
  const scalars = CodePointSet.from(bounds).intersection(surrogates.complement());
  return new RegExp(`\\p{${property}}`, 'u').test('\ud800') ? scalars.union(surrogates) : scalars;
}
