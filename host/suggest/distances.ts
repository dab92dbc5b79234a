/** How alike two words are, from 0 to 1, as Lucene's string distances measure it in 32 bits. */

/** The names that requests give them; `internal` needs no measuring, since the automaton counts the edits. */
export type DistanceName = 'internal' | 'damerau_levenshtein' | 'levenstein' | 'jarowinkler' | 'ngram';

/** Measures two words. */
export type Distance = (a: string, b: string) => number;

const float = Math.fround;

/** Edits and swaps of neighbouring characters, against the shorter word. */
export function damerauLevenshtein(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  if (x.length === 0 || y.length === 0) return x.length === y.length ? 0 : Math.max(x.length, y.length);
  let before: number[] = [];
  let last = y.map((_, j) => j);
  last.push(y.length);
  for (let i = 1; i <= x.length; i++) {
    const row = [i];
    for (let j = 1; j <= y.length; j++) {
      const cost = x[i - 1] === y[j - 1] ? 0 : 1;
      let least = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        least = Math.min(least, before[j - 2]! + cost);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return float(1 - float(last[y.length]! / Math.min(x.length, y.length)));
}

/** Edits, against the longer word. */
export function levenshtein(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  let last = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 1; j <= b.length; j++) {
    const row = [j];
    for (let i = 1; i <= a.length; i++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(row[i - 1]! + 1, last[i]! + 1, last[i - 1]! + cost));
    }
    last = row;
  }
  return float(1 - float(last[a.length]! / Math.max(a.length, b.length)));
}

/** Below this a common beginning doesn't count. */
const WINKLER_THRESHOLD = float(0.7);

/** Characters in common that are near each other, and a common beginning. */
export function jaroWinkler(a: string, b: string): number {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const range = Math.max(Math.floor(long.length / 2) - 1, 0);
  const taken = new Array<boolean>(long.length).fill(false);
  let ofShort = '';
  for (let i = 0; i < short.length; i++) {
    for (let k = Math.max(i - range, 0); k < Math.min(i + range + 1, long.length); k++) {
      if (taken[k] || short[i] !== long[k]) continue;
      taken[k] = true;
      ofShort += short[i];
      break;
    }
  }
  const m = ofShort.length;
  if (m === 0) return 0;
  const ofLong = Array.from({ length: long.length }, (_, k) => (taken[k] ? long[k] : '')).join('');
  let different = 0;
  for (let i = 0; i < m; i++) if (ofShort[i] !== ofLong[i]) different++;
  let prefix = 0;
  while (prefix < short.length && a[prefix] === b[prefix]) prefix++;
  const swaps = different >> 1;
  const sum = float(float(float(m / a.length) + float(m / b.length)) + float((m - swaps) / m));
  const jaro = float(sum / 3);
  if (jaro < WINKLER_THRESHOLD) return jaro;
  const scale = Math.min(float(0.1), float(1 / long.length));
  return float(jaro + float(float(scale * prefix) * float(1 - jaro)));
}

/** Pairs of characters in common, one edit costing as much of a pair as differs. */
export function bigrams(a: string, b: string): number {
  const n = 2;
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  if (a.length < n || b.length < n) {
    let same = 0;
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] === b[i]) same++;
    return float(same / Math.max(a.length, b.length));
  }
  // A character that no text begins with stands before both.
  const [x, y] = [`\0${a}`, `\0${b}`];
  let last = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 1; j <= b.length; j++) {
    const row = [j];
    for (let i = 1; i <= a.length; i++) {
      let cost = 0;
      let compared = n;
      for (let k = 0; k < n; k++) {
        if (x[i - 1 + k] !== y[j - 1 + k]) cost++;
        else if (x[i - 1 + k] === '\0') compared--;
      }
      row.push(float(Math.min(row[i - 1]! + 1, last[i]! + 1, float(last[i - 1]! + float(cost / compared)))));
    }
    last = row;
  }
  return float(1 - float(last[a.length]! / Math.max(a.length, b.length)));
}

/** How a distance measures; undefined for the one that the automaton counts. */
export function measureOf(name: DistanceName): Distance | undefined {
  switch (name) {
    case 'internal':
      return undefined;
    case 'damerau_levenshtein':
      return damerauLevenshtein;
    case 'levenstein':
      return levenshtein;
    case 'jarowinkler':
      return jaroWinkler;
    case 'ngram':
      return bigrams;
  }
}
