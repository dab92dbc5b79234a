import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ARTICLES, namedStopWords, STOP_WORDS } from '../../host/analysis/stopwords.js';

/** Language, words and digest of the sorted words of Lucene 4.10.4's `getDefaultStopSet()`, without its comment lines. */
const LUCENE = `
arabic 119 fcb04de025d55eab
armenian 45 0635c4091d70f1c3
basque 98 77ec0dd6addd7a3f
brazilian 126 0ee779fe5d8e3252
bulgarian 190 6108eee40cb89d64
catalan 218 c7a0a356d616761d
cjk 35 4623d68ce894bcfe
czech 171 5fb266cd499a0947
danish 94 9d971e9ea9925f01
dutch 101 cb335cbd3b59442e
english 33 2f66c0e3dde5d31c
finnish 229 fbd3da9ccd593404
french 164 1fdb88b19eaab680
galician 160 6da25aa50c8b8612
german 231 12e5595d31fa3e80
greek 75 6c2dd8a9c04267e7
hindi 225 d6531961a76a3689
hungarian 198 bfbad039aff85aff
indonesian 355 7d0fc890c34bd70a
irish 109 666b7ffc22b854b0
italian 279 05233e321dd34af7
latvian 161 ad016a295dbdfea2
norwegian 172 05c2fe689d7e8314
persian 308 1bbcdfe850df8722
portuguese 203 78ddf4f80d1c81da
romanian 230 6fa7bd5777eeae40
russian 159 db6f684a9966fe7b
sorani 62 6bbcc2007b77d8e2
spanish 308 19a0da6a9b09bd74
swedish 114 1b6134d3305d3f91
thai 115 db848aa16893340c
turkish 209 bae1bde423fab6bc
`;

describe('stop words', () => {
  it("are Lucene's", () => {
    const lists = Object.entries(STOP_WORDS).map(([language, words]) => {
      const sorted = [...words].sort();
      const digest = createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 16);
      return `${language} ${sorted.length} ${digest}`;
    });
    expect(lists).toEqual(LUCENE.trim().split('\n'));
  });

  it('hold no word twice, and none in upper case', () => {
    for (const words of Object.values<readonly string[]>(STOP_WORDS)) {
      expect(new Set(words).size).toBe(words.length);
      for (const word of words) expect(word).toBe(word.toLowerCase());
    }
  });

  it('are named by languages', () => {
    expect(namedStopWords('_english_')).toBe(STOP_WORDS.english);
    expect(namedStopWords('_sorani_')).toBe(STOP_WORDS.sorani);
    for (const name of ['english', '_cjk_', '_none_', '__proto__'])
      expect(namedStopWords(name)).toBeUndefined();
  });

  it('leave the articles to elision', () => {
    expect(Object.values(ARTICLES).map((articles) => articles.length)).toEqual([6, 13, 3, 21]);
  });
});
