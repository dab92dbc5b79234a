import { ADVERB, AUGMENTATIVE, NOUN, PLURAL, UNIFICATION, VERB, VOWEL } from './galicianRules';
import { applyRules, readRules } from './rslp';
import { setUnit, unitAt } from './word';

let plural: u32 = 0;
let unification: u32 = 0;
let adverb: u32 = 0;
let augmentative: u32 = 0;
let noun: u32 = 0;
let verb: u32 = 0;
let vowel: u32 = 0;

function readSteps(): void {
  plural = readRules(PLURAL);
  unification = readRules(UNIFICATION);
  adverb = readRules(ADVERB);
  augmentative = readRules(AUGMENTATIVE);
  noun = readRules(NOUN);
  verb = readRules(VERB);
  vowel = readRules(VOWEL);
}

function plain(unit: u32): u32 {
  switch (unit) {
    case 0xe1: // á
      return 0x61;
    case 0xe9: // é
    case 0xea: // ê
      return 0x65;
    case 0xed: // í
      return 0x69;
    case 0xf3: // ó
      return 0x6f;
    case 0xfa: // ú
      return 0x75;
    default:
      return unit;
  }
}

/** Takes the plural from Galician words as Lucene's GalicianMinimalStemFilter does. */
export function stemGalicianMinimal(s: usize, length: i32): i32 {
  if (plural == 0) readSteps();
  return applyRules(plural, s, length, false);
}

/** Stems Galician as Lucene's GalicianStemFilter does. */
export function stemGalician(s: usize, length: i32): i32 {
  if (plural == 0) readSteps();
  length = applyRules(plural, s, length, false);
  length = applyRules(unification, s, length, true);
  length = applyRules(adverb, s, length, true);
  let rest = applyRules(augmentative, s, length, false);
  while (rest != length) {
    length = rest;
    rest = applyRules(augmentative, s, length, false);
  }
  rest = applyRules(noun, s, length, true);
  if (rest == length) rest = applyRules(verb, s, length, true);
  length = applyRules(vowel, s, rest, true);
  for (let i = 0; i < length; i++) setUnit(s, i, plain(unitAt(s, i)));
  return length;
}
