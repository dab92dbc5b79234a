/** Random reading of documents, of what is told of their terms, and searches by the parameters of a URI. */
import type { Chance } from './chance.js';
import { fieldValue, SCOPES, text, WORDS } from './fields.js';
import type { Json, JsonObject } from './json.js';
import { INDEX } from './layouts.js';
import { phrase } from './leaves.js';
import type { Request } from './request.js';

const ROOT = SCOPES.item!;

const withQuery = (parameters: Record<string, Json | undefined>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]))
    .join('&');

/** What is told of the terms of a document, and how much of it. */
function vectorOptions(c: Chance): JsonObject {
  return {
    fields: c.many<Json>(1, 3, () => c.of(['title', 'body', 'tag', 'obj.note', 'n'])),
    ...c.maybe(0.5, 'term_statistics', () => c.chance(0.5)),
    ...c.maybe(0.5, 'field_statistics', () => c.chance(0.5)),
    ...c.maybe(0.3, 'offsets', () => c.chance(0.5)),
    ...c.maybe(0.3, 'positions', () => c.chance(0.5)),
    ...c.maybe(0.2, 'payloads', () => c.chance(0.5)),
  };
}

const artificial = (c: Chance): JsonObject => ({ title: text(c, 5), body: text(c, 9), tag: c.early(WORDS) });

export const reading = (c: Chance): Request => {
  const id = c.below(40);
  return c.of<() => Request>([
    () => ({ method: 'GET', uri: `/${INDEX}/item/${id}?fields=title,tag,n,kids.name` }),
    () => ({ method: 'GET', uri: `/${INDEX}/item/${id}?_source_include=t*,kids.*&_source_exclude=tag` }),
    () => ({ method: 'GET', uri: `/${INDEX}/item/${id}/_source` }),
    () => ({ method: 'HEAD', uri: `/${INDEX}/item/${id}` }),
    () => ({
      method: 'POST',
      uri: `/${INDEX}/item/_mget`,
      body: { ids: c.many(1, 4, () => String(c.below(60))) },
    }),
    () => ({
      method: 'POST',
      uri: `/${INDEX}/_mget?_source=${c.of(['true', 'false', 'n'])}`,
      body: {
        docs: c.many(1, 3, () => ({
          _id: String(c.below(60)),
          _type: c.of(['item', 'child', 'grand']),
          ...c.maybe(0.4, 'fields', () => ['tag', 'n']),
        })),
      },
    }),
    () => ({
      method: 'GET',
      uri: `/${INDEX}/item/${id}/_termvector?fields=title,body,tag&term_statistics=${c.chance(0.5)}&field_statistics=${c.chance(0.5)}`,
    }),
    () => ({ method: 'POST', uri: `/${INDEX}/item/${id}/_termvector`, body: vectorOptions(c) }),
    () => ({
      method: 'POST',
      uri: `/${INDEX}/item/_termvector`,
      body: { doc: artificial(c), ...vectorOptions(c) },
    }),
    () => ({
      method: 'POST',
      uri: `/${INDEX}/item/_mtermvectors`,
      body: {
        docs: c.many(1, 3, () =>
          c.chance(0.7)
            ? { _id: String(c.below(60)), ...vectorOptions(c) }
            : { doc: artificial(c), ...vectorOptions(c) },
        ),
      },
    }),
    () => ({
      method: 'GET',
      uri: `/${INDEX}/item/${id}/_mlt?${withQuery({
        min_term_freq: 1,
        min_doc_freq: 1,
        mlt_fields: 'title,body',
        search_size: c.chance(0.3) ? 3 : undefined,
        include: c.chance(0.3) ? true : undefined,
        stop_words: c.chance(0.2) ? 'the,of' : undefined,
        max_query_terms: c.chance(0.2) ? 2 : undefined,
        boost_terms: c.chance(0.2) ? 1.5 : undefined,
        minimum_should_match: c.chance(0.2) ? '60%' : undefined,
      })}`,
    }),
    () => ({
      method: 'GET',
      uri: `/${INDEX}/_field_stats?fields=${c.of(['n,title,when', 'd,huge,tag', 'flag,addr,seq'])}&level=${c.of(['cluster', 'indices'])}`,
    }),
  ])();
};

/** A search, a count or an explanation that the parameters of the URI tell. */
export const uriSearch = (c: Chance): Request => {
  const words = c.of<() => string>([
    () => `title:${String(fieldValue(c, 'title'))}`,
    () => phrase(c),
    () => `${c.early(WORDS).slice(0, 2)}* ${c.of(['AND', 'OR', 'NOT'])} ${c.early(WORDS)}`,
    () => `n:[${String(fieldValue(c, 'n'))} TO *] tag:${c.early(['a', 'b', 'dd'])}`,
  ])();
  const query = {
    q: c.chance(0.9) ? words : undefined,
    df: c.chance(0.3) ? c.of(ROOT.text) : undefined,
    default_operator: c.chance(0.3) ? 'AND' : undefined,
    analyzer: c.chance(0.2) ? c.of(['whitespace', 'english']) : undefined,
    analyze_wildcard: c.chance(0.2) ? true : undefined,
    lowercase_expanded_terms: c.chance(0.2) ? false : undefined,
    lenient: c.chance(0.2) ? true : undefined,
  };
  if (c.chance(0.2)) return { method: 'GET', uri: `/${INDEX}/item/_count?${withQuery(query)}` };
  if (c.chance(0.15))
    return { method: 'GET', uri: `/${INDEX}/item/${c.below(40)}/_explain?${withQuery(query)}` };
  const rest = {
    sort: 'seq:desc',
    size: c.chance(0.6) ? c.between(0, 9) : undefined,
    from: c.chance(0.2) ? c.between(0, 3) : undefined,
    fields: c.chance(0.2) ? 'title,n,_parent' : undefined,
    _source: c.chance(0.2) ? c.of(['false', 'n,t*']) : undefined,
    fielddata_fields: c.chance(0.1) ? 'tag,n' : undefined,
    track_scores: c.chance(0.2) ? true : undefined,
    explain: c.chance(0.1) ? true : undefined,
    version: c.chance(0.1) ? true : undefined,
    suggest_field: c.chance(0.1) ? 'title' : undefined,
    suggest_text: c.chance(0.1) ? 'rde fxo' : undefined,
  };
  return { method: 'GET', uri: `/${INDEX}/_search?${withQuery({ ...query, ...rest })}` };
};
