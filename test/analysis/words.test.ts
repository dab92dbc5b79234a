/**
 * Stemmers and normalizers against Lucene 4.10.4: test/fixtures/words has a file per algorithm, named by its number, with
 * a word and what Lucene makes of it per line, divided by a tab. The words are taken from word lists, changed at random and
 * from random letters, two for each kind of change; for the stemmers up to 24 they are random syllables with endings.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILDS } from './core.js';
import { WordCore } from './wordCore.js';

const FOLDER = resolve(import.meta.dirname, '../fixtures/words');

const ENDING = '.tsv.gz';

const files = readdirSync(FOLDER).filter((file) => file.endsWith(ENDING));
const algorithms = files.map((file) => ({
  name: file.slice(0, -ENDING.length),
  id: Number.parseInt(file, 10),
  pairs: gunzipSync(readFileSync(resolve(FOLDER, file)))
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
}));

/** Lengths around the limits that algorithms have, and one that must not take quadratic time. */
const LENGTHS = { debug: [0, 1, 2, 3, 4, 5, 6, 1000], release: [0, 1, 2, 3, 4, 5, 6, 1000, 40_000] };
/** Words that are all of one kind: each letter is deleted, doubled or part of an ending somewhere. */
const UNITS = ['a', 's', 'ß', 'I', '\u0307', '\u0640', '\ud800', 'ae', 'ge', 'kinda', 'lardaki', 'laatseden'];

for (const build of BUILDS) {
  describe(`words (${build})`, () => {
    let core: WordCore;
    beforeAll(() => {
      core = new WordCore(build);
    });

    for (const { name, id, pairs } of algorithms) {
      it(name, () => {
        const wrong = pairs
          .map(([word, expected]) => ({ word, expected, got: core.change(id, word) }))
          .filter(({ expected, got }) => expected !== got);
        expect(wrong).toEqual([]);
        expect(pairs.length).toBeGreaterThan(100);
      });

      it(`${name} stays within its buffer`, () => {
        for (const unit of UNITS) {
          for (const length of LENGTHS[build]) core.change(id, unit.repeat(Math.ceil(length / unit.length)));
        }
      });
    }
  });
}
