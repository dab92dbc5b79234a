import { describe, expect, it } from 'vitest';
import { snowballStemmer, stemmerOfFilter, stemmerOfLanguage } from '../../host/analysis/stemmers.js';

/** The languages of Lucene's Snowball stemmers in the order of their numbers, from 2 on. */
const SNOWBALL = (
  'armenian basque catalan danish dutch english finnish french german german2 hungarian irish italian kp lovins ' +
  'norwegian porter portuguese romanian russian spanish swedish turkish'
).split(' ');

describe('stemmers by name', () => {
  it('finds the language of a snowball filter with or without a capital, other letters as they are', () => {
    for (const [i, name] of SNOWBALL.entries()) {
      expect(snowballStemmer(name)).toBe(i + 2);
      expect(snowballStemmer(name.slice(0, 1).toUpperCase() + name.slice(1))).toBe(i + 2);
      expect(snowballStemmer(name.toUpperCase())).toBeUndefined();
    }
    for (const name of ['', 'klingon', 'light_german', 'porter2'])
      expect(snowballStemmer(name)).toBeUndefined();
  });

  it('finds the language of a stemmer filter in any case', () => {
    for (const [i, name] of SNOWBALL.entries()) {
      if (name === 'english' || name === 'porter') continue;
      expect(stemmerOfLanguage(name)).toBe(i + 2);
      expect(stemmerOfLanguage(name.toUpperCase())).toBe(i + 2);
    }
    for (const name of ['', 'klingon', 'light']) expect(stemmerOfLanguage(name)).toBeUndefined();
  });

  it('stems English by hand, unless porter2 is asked for', () => {
    expect(['english', 'English', 'porter'].map(stemmerOfLanguage)).toEqual([1, 1, 1]);
    expect(stemmerOfLanguage('porter2')).toBe(snowballStemmer('English'));
    expect(['porter_stem', 'porterStem'].map(stemmerOfFilter)).toEqual([1, 1]);
  });

  it('knows the second stemmer for Dutch by three names', () => {
    expect(['kp', 'dutch_kp', 'dutchKp'].map(stemmerOfLanguage)).toEqual([15, 15, 15]);
  });
});
