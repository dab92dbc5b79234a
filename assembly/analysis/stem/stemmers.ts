import { stemPorter } from './porter';

/**
 * Stems the word of `length` UTF-16 units at `s` in place with the stemmer of that number (host/analysis/stemmers.ts):
 * its new length. The buffer has room for 32 units more. An unknown number changes nothing.
 */
export function stemUnits(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 1:
      return stemPorter(s, length);
  }
  return length;
}
