import { CENTRE } from '../place.js';
import { TWENTIETHS, TYPE } from './shard.js';

/** A query or filter, and what it is called. */
export interface Named {
  readonly name: string;
  readonly body: Record<string, unknown>;
}

const match = (words: string, operator = 'or') => ({ match: { body: { query: words, operator } } });

/** What is searched for with and without a filter. A list is asked for in turn. */
export const queries: readonly { readonly name: string; readonly bodies: readonly unknown[] }[] = [
  { name: 'term 50 %', bodies: [match('half0')] },
  { name: 'term 20 %', bodies: [match('fifth0')] },
  { name: 'term 5 %', bodies: [match('twentieth0')] },
  {
    name: `${TWENTIETHS} terms 5 %, in turn`,
    bodies: Array.from({ length: TWENTIETHS }, (_, i) => match(`twentieth${i}`)),
  },
  { name: 'term 1 %', bodies: [match('hundredth0')] },
  { name: 'term 0.1 %', bodies: [match('thousandth0')] },
  { name: 'and 20 %, 20 %', bodies: [match('fifth0 fifth1', 'and')] },
  { name: 'and 20 %, 1 %', bodies: [match('fifth0 hundredth0', 'and')] },
  { name: 'and 50 %, 20 %, 5 %', bodies: [match('half0 fifth2 twentieth1', 'and')] },
  { name: 'or 20 %, 20 %', bodies: [match('fifth0 fifth1')] },
  { name: 'or 5 %, 1 %, 1 %', bodies: [match('twentieth2 hundredth0 hundredth1')] },
  { name: 'or of 5', bodies: [match('half0 fifth0 twentieth0 hundredth0 thousandth0')] },
  { name: 'or 0.1 %, 0.1 %', bodies: [match('thousandth0 thousandth1')] },
  { name: 'phrase', bodies: [{ match_phrase: { body: 'fifth0 fifth1' } }] },
  { name: 'all', bodies: [{ match_all: {} }] },
];

const range = (below: number) => ({ range: { bytes: { lt: below } } });

/** The filters. */
export const filters: readonly Named[] = [
  { name: 'type', body: { type: { value: TYPE } } },
  { name: 'term 30 %', body: { term: { tags: 'dense' } } },
  { name: 'term 5 %', body: { term: { tags: 'medium' } } },
  { name: 'term 0.3 %', body: { term: { tags: 'sparse' } } },
  { name: 'range 40 %', body: range(400_000) },
  { name: 'range 2 %', body: range(20_000) },
  {
    name: 'bool 17 %',
    body: { bool: { must: [range(800_000), { term: { tags: 'dense' } }], must_not: range(200_000) } },
  },
  { name: 'terms 10 %', body: { terms: { page: Array.from({ length: 100 }, (_, i) => `page-${i * 7}`) } } },
  { name: 'geo 16 %', body: { geo_distance: { distance: '200km', place: CENTRE, _cache: true } } },
];
