/** Random queries without others inside, over the fields of a scope. */
import type { Chance } from './chance.js';
import { type Scope, text, fieldValue, WORDS } from './fields.js';
import type { Json, JsonObject } from './json.js';

/** Makes a query or a filter for a scope; `depth` is how deep it may nest. */
export type Maker = (c: Chance, scope: Scope, depth: number) => JsonObject;

export const boost = (c: Chance) => c.maybe(0.2, 'boost', () => c.of([2, 0.5, 3.7]));
export const minimum = (c: Chance, name = 'minimum_should_match') =>
  c.maybe(0.3, name, () => c.of<Json>([1, 2, '50%', -1, '2<75%']));
const fuzziness = (c: Chance) => c.maybe(0.25, 'fuzziness', () => c.of<Json>(['AUTO', 1, 2]));
const rewrite = (c: Chance) =>
  c.maybe(0.3, 'rewrite', () =>
    c.of([
      'constant_score_auto',
      'constant_score_boolean',
      'scoring_boolean',
      'constant_score_filter',
      'top_terms_3',
      'top_terms_boost_2',
    ]),
  );

/** Of a text, a word or, rarely, a field that is neither. */
export function anyField(c: Chance, scope: Scope): string {
  const groups = [scope.text, scope.text, scope.word, scope.number, scope.date, scope.flag, scope.ip];
  return c.of(c.of(groups.filter(({ length }) => length > 0)));
}

const textField = (c: Chance, { text, word }: Scope) =>
  c.of(text.length > 0 && c.chance(0.8) ? text : word.length > 0 ? word : text);

export function phrase(c: Chance): string {
  return text(c, 3);
}

function changed(c: Chance, word: string): string {
  return c.chance(0.5) ? word : word.slice(0, -1) + c.of(['', 'x', 'e']);
}

const match: Maker = (c, scope) => {
  const field = textField(c, scope);
  const options = (): JsonObject => ({
    ...c.maybe(0.4, 'operator', () => c.of(['and', 'or'])),
    ...minimum(c),
    ...fuzziness(c),
    ...boost(c),
    ...c.maybe(0.1, 'zero_terms_query', () => 'all'),
    ...c.maybe(0.15, 'cutoff_frequency', () => c.of([0.01, 0.3, 3])),
    ...c.maybe(0.1, 'prefix_length', () => 1),
    ...c.maybe(0.1, 'lenient', () => true),
    ...c.maybe(0.1, 'analyzer', () => c.of(['english', 'whitespace'])),
  });
  const query = c.chance(0.9) ? phrase(c) : fieldValue(c, field);
  return { match: { [field]: c.chance(0.3) ? query : { query, ...options() } } };
};

const matchPhrase: Maker = (c, scope) => ({
  match_phrase: {
    [textField(c, scope)]: { query: phrase(c), ...c.maybe(0.5, 'slop', () => c.between(0, 4)), ...boost(c) },
  },
});

const matchPhrasePrefix: Maker = (c, scope) => ({
  match_phrase_prefix: {
    [textField(c, scope)]: {
      query: `${phrase(c)} ${c.of(WORDS).slice(0, 2)}`,
      ...c.maybe(0.3, 'slop', () => 2),
      ...c.maybe(0.2, 'max_expansions', () => c.between(1, 5)),
    },
  },
});

const fields = (c: Chance, scope: Scope): string[] =>
  c.many(1, 3, () => textField(c, scope) + (c.chance(0.3) ? '^2' : ''));

const multiMatch: Maker = (c, scope) => ({
  multi_match: {
    query: phrase(c),
    fields: fields(c, scope),
    ...c.maybe(0.7, 'type', () =>
      c.of(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix']),
    ),
    ...c.maybe(0.3, 'tie_breaker', () => 0.3),
    ...c.maybe(0.3, 'operator', () => 'and'),
    ...minimum(c),
    ...boost(c),
  },
});

export const term: Maker = (c, scope) => {
  const field = anyField(c, scope);
  const value = scope.text.includes(field) ? c.early(WORDS).toLowerCase() : fieldValue(c, field);
  return { term: { [field]: c.chance(0.7) ? value : { value, ...boost(c) } } };
};

export const terms: Maker = (c, scope) => {
  const field = anyField(c, scope);
  return {
    terms: {
      [field]: c.many(1, 4, () => (scope.text.includes(field) ? c.early(WORDS) : fieldValue(c, field))),
      ...minimum(c),
      ...boost(c),
    },
  };
};

export function rangeOf(c: Chance, field: string): JsonObject {
  return {
    ...c.maybe(0.7, c.of(['gte', 'gt', 'from']), () => fieldValue(c, field)),
    ...c.maybe(0.5, c.of(['lte', 'lt', 'to']), () => fieldValue(c, field)),
  };
}

export const range: Maker = (c, scope) => {
  const field = anyField(c, scope);
  return { range: { [field]: { ...rangeOf(c, field), ...boost(c) } } };
};

const pattern = (name: string, make: (c: Chance, word: string) => string): Maker => {
  return (c, scope) => ({
    [name]: {
      [textField(c, scope)]: { value: make(c, c.early(WORDS)), ...boost(c), ...rewrite(c) },
    },
  });
};

const fuzzy: Maker = (c, scope) => {
  const field = c.chance(0.85) ? textField(c, scope) : anyField(c, scope);
  const value = scope.number.includes(field) ? fieldValue(c, field) : changed(c, c.early(WORDS));
  return {
    fuzzy: {
      [field]: {
        value,
        ...fuzziness(c),
        ...boost(c),
        ...c.maybe(0.2, 'prefix_length', () => 1),
        ...c.maybe(0.2, 'max_expansions', () => c.between(1, 4)),
      },
    },
  };
};

function queryText(c: Chance, scope: Scope): string {
  const part = (): string => {
    const word = c.early(WORDS);
    const field = c.chance(0.4) ? `${textField(c, scope)}:` : '';
    return c.of([
      () => field + word,
      () => `${field}"${phrase(c).replaceAll(',', '')}"${c.chance(0.4) ? '~2' : ''}`,
      () => `${field + word.slice(0, 2)}*`,
      () => `${field + word}~`,
      () => `${field + word}^2`,
      () => `${field}[${c.early(WORDS)} TO ${c.of(['*', 'sun', 'tea'])}]`,
      () => `(${c.early(WORDS)} ${c.of(['AND', 'OR'])} ${c.early(WORDS)})`,
      () => (scope.number.length > 0 ? `${c.of(scope.number)}:>${c.between(-2, 5)}` : word),
      () => (scope.word.length > 0 ? `_exists_:${c.of(scope.word)}` : word),
    ])();
  };
  return c
    .many(1, 4, () => c.of(['', '', '', '+', '-', 'NOT ']) + part())
    .join(c.of([' ', ' ', ' AND ', ' OR ']));
}

const queryString: Maker = (c, scope) => ({
  query_string: {
    query: queryText(c, scope),
    ...(c.chance(0.5) ? { default_field: textField(c, scope) } : { fields: fields(c, scope) }),
    ...c.maybe(0.3, 'default_operator', () => 'and'),
    ...c.maybe(0.2, 'use_dis_max', () => c.chance(0.5)),
    ...c.maybe(0.2, 'lenient', () => true),
    ...minimum(c),
  },
});

const simpleQueryString: Maker = (c, scope) => ({
  simple_query_string: {
    query: c
      .many(1, 4, () =>
        c.of([
          `${c.early(WORDS)}`,
          `-${c.early(WORDS)}`,
          `"${phrase(c)}"~1`,
          `${c.early(WORDS)}~1`,
          'r*',
          '(tea | fox)',
        ]),
      )
      .join(c.of([' ', ' + ', ' | '])),
    fields: fields(c, scope),
    ...c.maybe(0.3, 'default_operator', () => 'and'),
  },
});

const spanTerm: Maker = (c, scope) => ({ span_term: { [c.of(scope.text)]: c.early(WORDS) } });

const span: Maker = (c, scope, depth) => {
  const field = c.of(scope.text);
  const one: Scope = { ...scope, text: [field] };
  const inner = () => (depth > 0 && c.chance(0.4) ? span(c, one, depth - 1) : spanTerm(c, one, 0));
  return c.of<() => JsonObject>([
    () => ({ span_near: { clauses: c.many(1, 3, inner), slop: c.between(0, 5), in_order: c.chance(0.5) } }),
    () => ({ span_or: { clauses: c.many(1, 3, inner) } }),
    () => ({ span_first: { match: inner(), end: c.between(1, 5) } }),
    () => ({ span_not: { include: inner(), exclude: inner() } }),
    () => ({ span_multi: { match: { prefix: { [field]: c.early(WORDS).slice(0, 2) } } } }),
  ])();
};

const like: Maker = (c, scope) => ({
  more_like_this: {
    fields: c.many(1, 2, () => c.of(scope.text)),
    ...(c.chance(0.5) ? { like_text: text(c, 8) } : { ids: c.many(1, 2, () => String(c.below(20))) }),
    min_term_freq: 1,
    min_doc_freq: c.between(1, 2),
    ...c.maybe(0.3, 'max_query_terms', () => 3),
    ...c.maybe(0.3, 'minimum_should_match', () => '50%'),
    ...c.maybe(0.2, 'include', () => true),
  },
});

/** All kinds. */
export const LEAVES: readonly Maker[] = [
  match,
  match,
  match,
  term,
  term,
  terms,
  range,
  matchPhrase,
  matchPhrasePrefix,
  multiMatch,
  pattern('prefix', (c, word) => word.slice(0, c.between(1, 3))),
  pattern('wildcard', (c, word) => c.of([`${word.slice(0, 1)}*`, `*${word.slice(-1)}`, `?${word.slice(1)}`])),
  pattern('regexp', (c, word) => c.of([`${word.slice(0, 1)}.*`, `(${word}|tea)`, '[a-m]+', 'ru?.*'])),
  fuzzy,
  queryString,
  simpleQueryString,
  () => ({ match_all: {} }),
  (c) => ({ match_all: { ...boost(c) } }),
  (c) => ({
    ids: {
      ...c.maybe(0.7, 'type', () => c.of<Json>(['item', ['item', 'child']])),
      values: c.many(1, 6, () => String(c.below(40))),
    },
  }),
  (c, scope) => ({
    common: {
      [c.of(scope.text)]: {
        query: text(c, 4),
        cutoff_frequency: c.of([0.1, 0.4, 2]),
        ...c.maybe(0.3, 'low_freq_operator', () => 'and'),
        ...c.maybe(0.3, 'minimum_should_match', () => ({ low_freq: 1, high_freq: 2 })),
      },
    },
  }),
  like,
  (c, scope) => ({
    fuzzy_like_this: { fields: [c.of(scope.text)], like_text: phrase(c), max_query_terms: 5 },
  }),
  span,
  spanTerm,
];
