/** Random suggestions of all kinds. */
import type { Chance } from './chance.js';
import { place, TAGS, type Scope } from './fields.js';
import type { JsonObject } from './json.js';
import { phrase } from './leaves.js';

function term(c: Chance, field: string): JsonObject {
  return {
    field,
    ...c.maybe(0.5, 'suggest_mode', () => c.of(['missing', 'popular', 'always'])),
    ...c.maybe(0.4, 'sort', () => c.of(['score', 'frequency'])),
    ...c.maybe(0.3, 'min_word_length', () => 2),
    ...c.maybe(0.2, 'string_distance', () => c.of(['internal', 'levenstein', 'jarowinkler', 'ngram'])),
    ...c.maybe(0.15, 'size', () => c.between(1, 3)),
    ...c.maybe(0.15, 'shard_size', () => c.between(1, 9)),
    ...c.maybe(0.15, 'max_edits', () => c.between(1, 2)),
    ...c.maybe(0.15, 'prefix_length', () => c.between(0, 2)),
    ...c.maybe(0.15, 'min_doc_freq', () => c.of([0.05, 2])),
    ...c.maybe(0.15, 'max_term_freq', () => c.of([0.2, 5])),
    ...c.maybe(0.1, 'accuracy', () => c.of([0.3, 0.8])),
    ...c.maybe(0.1, 'analyzer', () => c.of(['whitespace', 'english'])),
  };
}

const smoothing = (c: Chance): JsonObject =>
  c.of([
    { laplace: { alpha: 0.7 } },
    { stupid_backoff: { discount: 0.5 } },
    { linear_interpolation: { trigram_lambda: 0.2, bigram_lambda: 0.3, unigram_lambda: 0.5 } },
  ]);

function phrases(c: Chance, scope: Scope, field: string): JsonObject {
  return {
    field,
    ...c.maybe(0.5, 'max_errors', () => c.of([2, 0.5])),
    ...c.maybe(0.5, 'confidence', () => c.of([0, 1])),
    ...c.maybe(0.2, 'gram_size', () => c.between(1, 2)),
    ...c.maybe(0.2, 'real_word_error_likelihood', () => 0.8),
    ...c.maybe(0.2, 'separator', () => '|'),
    ...c.maybe(0.2, 'size', () => c.between(1, 3)),
    ...c.maybe(0.2, 'force_unigrams', () => false),
    ...c.maybe(0.2, 'token_limit', () => 2),
    ...c.maybe(0.2, 'highlight', () => ({ pre_tag: '<b>', post_tag: '</b>' })),
    ...c.maybe(0.3, 'smoothing', () => smoothing(c)),
    ...c.maybe(0.3, 'direct_generator', () =>
      c.many(1, 2, () => ({
        field: c.of(scope.text),
        suggest_mode: c.of(['always', 'missing']),
        min_word_length: 2,
        ...c.maybe(0.3, 'prefix_length', () => 0),
        ...c.maybe(0.3, 'size', () => 3),
      })),
    ),
    ...c.maybe(0.1, 'collate', () => ({
      query: { match: { [field]: '{{suggestion}}' } },
      ...c.maybe(0.5, 'prune', () => true),
    })),
  };
}

const input = (c: Chance) => c.of(['r', 'f', 't', 'ru', 'x', 're']);

/** Suggestions of all kinds. */
export function suggestions(c: Chance, scope: Scope): JsonObject {
  const field = c.of(scope.text);
  return {
    text: phrase(c),
    ...c.maybe(0.6, 't', () => ({ text: `${phrase(c)} rde fxo`, term: term(c, field) })),
    ...c.maybe(0.3, 'p', () => ({
      ...c.maybe(0.5, 'text', () => `${phrase(c)} rde`),
      phrase: phrases(c, scope, field),
    })),
    ...c.maybe(0.5, 'c', () => ({
      text: input(c),
      completion: {
        field: 'auto',
        ...c.maybe(0.4, 'fuzzy', () => ({
          fuzziness: c.of([1, 2, 'AUTO']),
          ...c.maybe(0.3, 'min_length', () => 1),
          ...c.maybe(0.3, 'prefix_length', () => 0),
          ...c.maybe(0.2, 'transpositions', () => false),
          ...c.maybe(0.2, 'unicode_aware', () => true),
        })),
        ...c.maybe(0.3, 'size', () => 2),
      },
    })),
    ...c.maybe(0.3, 'x', () => ({
      text: input(c),
      completion: {
        field: 'around',
        size: c.between(1, 9),
        context: {
          kind: c.of([c.early(TAGS), c.many(1, 2, () => c.early(TAGS))]),
          where: { ...place(c), ...c.maybe(0.4, 'precision', () => [c.between(1, 3)]) },
        },
        ...c.maybe(0.3, 'fuzzy', () => ({})),
      },
    })),
  };
}
