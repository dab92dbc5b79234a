import { setUnit, unitAt } from './word';

/**
 * Takes accents from letters: `table` has a unit for each of U+00E0–U+00FF. The tables are those of the light stemmers,
 * which do not take the same accents.
 */
export function mapAccents(s: usize, length: i32, table: string): void {
  const plain = changetype<usize>(table);
  for (let i = 0; i < length; i++) {
    const letter = unitAt(s, i) - 0xe0;
    if (letter < 32) setUnit(s, i, unitAt(plain, letter as i32));
  }
}
