import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { BUILDS, coreBuilds } from '../support/cores.js';
import { random } from './corpus.js';

/** Patterns and fuzzy words over dictionaries of many blocks, in several segments, against looking at every word. */

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'é', '漢', '𝒳'];
const SEGMENTS = 3;

const next = random(7);
const letter = () => LETTERS[Math.floor(next() ** 2 * LETTERS.length)]!;
const word = () => Array.from({ length: 1 + Math.floor(next() * 9) }, letter).join('');
const long = (i: number) => `${'abcde'.repeat(30)}${word()}${'d'.repeat(i % 40)}`;

/** A document is a word; some words are in several segments. */
const segments = Array.from({ length: SEGMENTS }, () => {
  const some = Array.from({ length: 2200 }, word);
  return [...new Set([...some, ...Array.from({ length: 60 }, (_, i) => long(i))])];
});
const documents = segments.flatMap((words, s) => words.map((text, i) => ({ id: `${s}-${i}`, text })));
/** By UTF-8, as terms are. */
const words = [...new Set(documents.map(({ text }) => text))].sort((a, b) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)),
);

/** Edits between two words: insertions, deletions, replacements. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  for (const [i, x] of a.entries()) {
    let [corner, left] = [i, i + 1];
    row = row.map((above, j) => {
      const best = Math.min(above + 1, left + 1, corner + (x === b[j] ? 0 : 1));
      [corner, left] = [above, best];
      return best;
    });
  }
  return row.at(-1) ?? a.length;
}

/** The words within so many edits, the most alike first, of those the first by UTF-8. */
function alike(text: string, most: number, limit: number): Set<string> {
  const own = [...text];
  const found = words.flatMap((other) => {
    const points = [...other];
    if (Math.abs(points.length - own.length) > most) return [];
    const edits = distance(own, points);
    const boost = edits === 0 ? 1 : 1 - edits / Math.min(own.length, points.length);
    return edits <= most && boost > 0 ? [{ other, boost: Math.fround(boost) }] : [];
  });
  return new Set(
    found
      .sort((a, b) => b.boost - a.boost)
      .slice(0, limit)
      .map(({ other }) => other),
  );
}

const cores = await coreBuilds('resilin');

describe.each(BUILDS)('%s core', (build) => {
  let api: Api;

  beforeAll(async () => {
    api = await openApi(cores[build]);
    await api.call('PUT', '/a', {
      settings: { number_of_shards: 1, refresh_interval: '-1' },
      mappings: { t: { properties: { x: { type: 'string', index: 'not_analyzed' } } } },
    });
    for (const [s, texts] of segments.entries()) {
      const lines = texts.map((x, i) => `{"index":{"_id":"${s}-${i}"}}\n${JSON.stringify({ x })}\n`);
      await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
    }
  });

  afterAll(() => api.close());

  async function found(query: object): Promise<string[]> {
    const body = { query, size: documents.length, fields: [] };
    const answer = (await api.call('POST', '/a/_search', body)).body as {
      hits: { hits: { _id: string }[] };
    };
    return answer.hits.hits.map(({ _id }) => _id).sort();
  }

  const wanted = (has: (text: string) => boolean): string[] =>
    documents
      .filter(({ text }) => has(text))
      .map(({ id }) => id)
      .sort();

  const FUZZY: [string, number, number][] = ['abcabc', 'aab', 'cédab', 'bé漢a', 'a𝒳abab', 'bacabada'].flatMap(
    (text) =>
      [1, 2].flatMap((edits) => [1, 7, 50, 1024].map((n): [string, number, number] => [text, edits, n])),
  );

  it('finds the words that are most like another', async () => {
    for (const [value, fuzziness, max_expansions] of FUZZY) {
      const want = alike(value, fuzziness, max_expansions);
      const query = { fuzzy: { x: { value, fuzziness, max_expansions, transpositions: false } } };
      expect(await found(query), JSON.stringify(query)).toEqual(wanted((text) => want.has(text)));
    }
  });

  // The last two of the expressions have more states than rows are held at once.
  it.each([
    ['wildcard', '*', /^.*$/u],
    ['wildcard', '*ab', /^.*ab$/u],
    ['wildcard', '*é', /^.*é$/u],
    ['wildcard', '?b*d', /^.b.*d$/u],
    ['wildcard', '*c?𝒳', /^.*c.𝒳$/u],
    ['wildcard', '*dddddddddd', /^.*d{10}$/u],
    ['wildcard', '*ca*', /^.*ca.*$/u],
    ['wildcard', 'ab*d', /^ab.*d$/u],
    ['wildcard', 'a?c*', /^a.c.*$/u],
    ['wildcard', '漢*', /^漢.*$/u],
    ['regexp', '(ab|cd)+e?.*', /^(ab|cd)+e?.*$/u],
    ['regexp', '[^a]{2}.{3}', /^[^a]{2}.{3}$/u],
    ['regexp', '.*(bad|dab).*', /^.*(bad|dab).*$/u],
    ['regexp', '.*dab', /^.*dab$/u],
    ['regexp', '.+é', /^.+é$/u],
    ['regexp', '.*a.{7}', /^.*a.{7}$/u],
    ['regexp', '.*[ab].{8}d*', /^.*[ab].{8}d*$/u],
  ])('finds the words that match %s %s', async (kind, pattern, expression) => {
    expect(await found({ [kind]: { x: pattern } })).toEqual(wanted((text) => expression.test(text)));
  });
});
