import { ADVERB, AUGMENTATIVE, FEMININE, NOUN, PLURAL, VERB, VOWEL } from './portugueseRules';
import { applyRules, readRules } from './rslp';
import { setUnit, unitAt } from './word';

let plural: u32 = 0;
let adverb: u32 = 0;
let feminine: u32 = 0;
let augmentative: u32 = 0;
let noun: u32 = 0;
let verb: u32 = 0;
let vowel: u32 = 0;

function readSteps(): void {
  plural = readRules(PLURAL);
  adverb = readRules(ADVERB);
  feminine = readRules(FEMININE);
  augmentative = readRules(AUGMENTATIVE);
  noun = readRules(NOUN);
  verb = readRules(VERB);
  vowel = readRules(VOWEL);
}

/** The letter without an accent for U+00E0–U+00FF, a unit of this literal each. */
const PLAIN = 'aaaaaaæceeeeiiiiðnooooo÷øuuuuyþy';

function withoutAccents(s: usize, length: i32): void {
  const plain = changetype<usize>(PLAIN);
  for (let i = 0; i < length; i++) {
    const letter = unitAt(s, i) - 0xe0;
    if (letter < 32) setUnit(s, i, unitAt(plain, letter as i32));
  }
}

/** Takes the plural from Portuguese words as Lucene's PortugueseMinimalStemFilter does. */
export function stemPortugueseMinimal(s: usize, length: i32): i32 {
  if (plural == 0) readSteps();
  return applyRules(plural, s, length, false);
}

/** Stems Portuguese with the rules of RSLP as Lucene's PortugueseStemFilter does. */
export function stemPortugueseRslp(s: usize, length: i32): i32 {
  if (plural == 0) readSteps();
  length = applyRules(plural, s, length, false);
  length = applyRules(adverb, s, length, true);
  length = applyRules(feminine, s, length, false);
  length = applyRules(augmentative, s, length, false);
  let rest = applyRules(noun, s, length, true);
  if (rest == length) {
    rest = applyRules(verb, s, length, true);
    if (rest == length) rest = applyRules(vowel, s, length, true);
  }
  withoutAccents(s, rest);
  return rest;
}
