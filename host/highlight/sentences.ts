/**
 * Where the sentences of a text end, by the rules of Java's sentence BreakIterator for the root locale: a full stop ends a
 * sentence only where blanks follow and then something that can begin one; other stops always do, as does a paragraph separator.
 */

const STOP = /[!?\u3002\uFF01\uFF1F]/;
const PERIOD = /[.\uFF0E]/;
const CLOSING = /[\p{Pe}\p{Pf}"']/u;
const OPENING = /[\p{Ps}\p{Pi}"']/u;
const BLANK = /[\t\r\f\n\u2028\p{Zs}]/u;
const NO_BEGINNING = /[\p{Ll}\p{Nd}\p{Pe}\p{Pf}\u2029]/u;
const IDEOGRAPH = /[\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF]/;
const SEPARATOR = '\u2029';

/** The offsets at which sentences end, ascending; the last is the length of the text. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  let at = 0;
  while (at < text.length) {
    const letter = text[at]!;
    if (letter === SEPARATOR) ends.push(++at);
    else if (STOP.test(letter) || PERIOD.test(letter)) {
      const { next, ended } = afterStop(text, at);
      if (ended) ends.push(next);
      at = next;
    } else at++;
  }
  if (text.length > 0 && ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/** Reads stops, what closes quotations and brackets, and blanks. */
function afterStop(text: string, from: number): { next: number; ended: boolean } {
  let at = from;
  let sure = false;
  for (; at < text.length; at++) {
    const letter = text[at]!;
    if (STOP.test(letter)) sure = true;
    else if (!PERIOD.test(letter) && !CLOSING.test(letter)) break;
  }
  let next = at;
  while (next < text.length && BLANK.test(text[next]!)) next++;
  if (text[next] === SEPARATOR) return { next: next + 1, ended: true };
  return { next, ended: sure || canBegin(text, next, next > at) };
}

/** Whether a sentence can begin at `from`; without blanks before it only one of ideographs can. */
function canBegin(text: string, from: number, blanks: boolean): boolean {
  let at = from;
  while (at < text.length && OPENING.test(text[at]!)) at++;
  if (at === text.length) return false;
  const letter = String.fromCodePoint(text.codePointAt(at)!);
  if (!blanks) return IDEOGRAPH.test(letter);
  return !NO_BEGINNING.test(letter) && !STOP.test(letter) && !PERIOD.test(letter);
}
