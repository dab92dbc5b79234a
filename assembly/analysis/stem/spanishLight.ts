import { mapAccents } from './accents';
import { ends, setUnit, unitAt } from './word';

const PLAIN = 'aaaãaåæçeeeeiiiiðñoooõo÷øuuuuýþÿ';
const A: u32 = 0x61;
const E: u32 = 0x65;
const O: u32 = 0x6f;

/** Stems Spanish as Lucene's SpanishLightStemFilter does: accents, gender and number. */
export function stemSpanishLight(s: usize, length: i32): i32 {
  if (length < 5) return length;
  mapAccents(s, length, PLAIN);
  const last = unitAt(s, length - 1);
  if (last == O || last == A || last == E) return length - 1;
  if (last != 0x73) return length;
  if (ends(s, length, 'eses')) return length - 2;
  if (ends(s, length, 'ces')) {
    setUnit(s, length - 3, 0x7a);
    return length - 2;
  }
  const before = unitAt(s, length - 2);
  return before == O || before == A || before == E ? length - 2 : length;
}
