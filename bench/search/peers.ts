import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import { Index as FlexSearchIndex } from 'flexsearch';
import lunr from 'lunr';
import MiniSearch, { type Query } from 'minisearch';
import { type Expression, PEER_FIELDS, plainTerms } from './expression.js';

/** A document for the peers: each text is the terms of the standard analyzer with a space between. */
export interface PeerDocument {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/**
 * A JavaScript search library. Its index is made of the very terms that Resilin indexes, without stemming or stop
 * words, so that the same queries match the same documents.
 */
export interface Peer {
  readonly name: string;
  index(documents: readonly PeerDocument[]): Promise<void> | void;
  /**
   * A call that runs the query and returns the exact number of matches; undefined when the library has no way to say
   * the query. How it ranks is its own affair.
   */
  prepare(query: Expression): (() => number) | undefined;
}

const split = (text: string): string[] => text.split(' ').filter((word) => word !== '');

class MiniSearchPeer implements Peer {
  readonly name = 'MiniSearch';
  readonly #index = new MiniSearch<PeerDocument>({
    fields: [...PEER_FIELDS],
    tokenize: split,
    processTerm: (term) => term,
  });

  index(documents: readonly PeerDocument[]): void {
    this.#index.addAll(documents);
  }

  prepare(query: Expression): (() => number) | undefined {
    const translated = this.#translate(query);
    return translated === undefined ? undefined : () => this.#index.search(translated).length;
  }

  #translate(query: Expression): Query | undefined {
    if (query.kind !== 'bool') {
      return {
        queries: [query.text],
        fields: [query.field],
        prefix: query.kind === 'prefix',
        combineWith: 'OR',
      };
    }
    const { must, should, mustNot } = query;
    if (must.length > 0 === should.length > 0) return undefined;
    const positive = this.#combine(must.length > 0 ? must : should, must.length > 0 ? 'AND' : 'OR');
    if (positive === undefined || mustNot.length === 0) return positive;
    const negative = mustNot.map((clause) => this.#translate(clause));
    if (negative.includes(undefined)) return undefined;
    return { combineWith: 'AND_NOT', queries: [positive, ...(negative as Query[])] };
  }

  #combine(clauses: readonly Expression[], combineWith: 'AND' | 'OR'): Query | undefined {
    const terms = plainTerms(clauses);
    if (terms !== undefined) return { queries: terms.words, fields: [terms.field], combineWith };
    const queries = clauses.map((clause) => this.#translate(clause));
    return queries.includes(undefined) ? undefined : { queries: queries as Query[], combineWith };
  }
}

class LunrPeer implements Peer {
  readonly name = 'Lunr';
  #index: lunr.Index | undefined;

  index(documents: readonly PeerDocument[]): void {
    this.#index = lunr(function (this: lunr.Builder) {
      this.pipeline.reset();
      this.searchPipeline.reset();
      (this as unknown as { tokenizer: unknown }).tokenizer = (text: string) =>
        split(text).map((word) => new lunr.Token(word, {}));
      this.ref('id');
      for (const field of PEER_FIELDS) this.field(field);
      for (const document of documents) this.add(document);
    });
  }

  prepare(query: Expression): (() => number) | undefined {
    const index = this.#index;
    if (index === undefined) return undefined;
    const { must, should, mustNot } =
      query.kind === 'bool' ? query : { must: [], should: [query], mustNot: [] as Expression[] };
    const clauses = [
      ...must.map((clause) => [clause, lunr.Query.presence.REQUIRED] as const),
      ...should.map((clause) => [clause, lunr.Query.presence.OPTIONAL] as const),
      ...mustNot.map((clause) => [clause, lunr.Query.presence.PROHIBITED] as const),
    ];
    if (clauses.some(([clause]) => clause.kind === 'bool')) return undefined;
    return () =>
      index.query((builder) => {
        for (const [clause, presence] of clauses) {
          if (clause.kind === 'bool') continue;
          const wildcard = clause.kind === 'prefix' ? lunr.Query.wildcard.TRAILING : lunr.Query.wildcard.NONE;
          builder.term(clause.text, { fields: [clause.field], presence, wildcard, usePipeline: false });
        }
      }).length;
  }
}

class OramaPeer implements Peer {
  readonly name = 'Orama';
  readonly #database = create({
    schema: { title: 'string', body: 'string' } as const,
    components: { tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: split } },
  });

  async index(documents: readonly PeerDocument[]): Promise<void> {
    await insertMultiple(
      this.#database,
      documents.map(({ title, body }) => ({ title, body })),
      1000,
    );
  }

  prepare(query: Expression): (() => number) | undefined {
    const { must, should, mustNot } =
      query.kind === 'bool' ? query : { must: [], should: [query], mustNot: [] as Expression[] };
    if (mustNot.length > 0 || (must.length > 0 && should.length > 0)) return undefined;
    const prefix = should.length === 1 && should[0]?.kind === 'prefix' ? should[0] : undefined;
    const terms = prefix
      ? { field: prefix.field, words: [prefix.text] }
      : plainTerms(must.length > 0 ? must : should);
    if (terms === undefined) return undefined;
    const parameters = {
      term: terms.words.join(' '),
      properties: [terms.field as 'title' | 'body'],
      exact: prefix === undefined,
      threshold: must.length > 0 ? 0 : 1,
      limit: 10,
    };
    return () => {
      const results = searchOrama(this.#database, parameters);
      return 'count' in results ? results.count : Number.NaN;
    };
  }
}

class FlexSearchPeer implements Peer {
  readonly name = 'FlexSearch';
  readonly #exact = new Map<string, FlexSearchIndex>();
  readonly #forward = new Map<string, FlexSearchIndex>();
  #documents = 0;

  index(documents: readonly PeerDocument[]): void {
    this.#documents = documents.length;
    for (const field of PEER_FIELDS) {
      const exact = new FlexSearchIndex({ tokenize: 'strict', encode: split });
      const forward = new FlexSearchIndex({ tokenize: 'forward', encode: split });
      for (const document of documents) {
        const text = document[field as 'title' | 'body'];
        exact.add(document.id, text);
        if (field === 'title') forward.add(document.id, text);
      }
      this.#exact.set(field, exact);
      if (field === 'title') this.#forward.set(field, forward);
    }
  }

  /** It has no totals: the number of matches takes a limit above it. It says terms, intersections and title prefixes. */
  prepare(query: Expression): (() => number) | undefined {
    const limit = this.#documents;
    if (query.kind === 'prefix') return searching(this.#forward.get(query.field), query.text, limit);
    const must = query.kind === 'term' ? [query] : query.must;
    if (query.kind === 'bool' && query.should.length + query.mustNot.length > 0) return undefined;
    const terms = plainTerms(must);
    return terms && searching(this.#exact.get(terms.field), terms.words.join(' '), limit);
  }
}

function searching(
  index: FlexSearchIndex | undefined,
  text: string,
  limit: number,
): (() => number) | undefined {
  return index && (() => index.search(text, { limit }).length);
}

export function allPeers(): Peer[] {
  return [new MiniSearchPeer(), new FlexSearchPeer(), new OramaPeer(), new LunrPeer()];
}
