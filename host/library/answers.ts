/** Bodies and answers of the interface as types: as far as programs read them. */

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** The body of a search; queries, filters and aggregations are as 1.7 documents them. */
export interface SearchBody {
  query?: object;
  post_filter?: object;
  from?: number;
  size?: number;
  sort?: string | readonly (string | object)[] | object;
  aggs?: Record<string, object>;
  _source?:
    | boolean
    | string
    | readonly string[]
    | { include?: readonly string[]; exclude?: readonly string[] };
  fields?: readonly string[];
  highlight?: object;
  suggest?: object;
  rescore?: object;
  min_score?: number;
  explain?: boolean;
  version?: boolean;
  timeout?: string | number;
}

/** A document that a search found. */
export interface Hit<T> {
  _index: string;
  _type: string;
  _id: string;
  /** Null where hits are sorted by something else. */
  _score: number | null;
  /** Not there where the search doesn't ask for it. */
  _source: T;
  _version?: number;
  fields?: Record<string, JsonValue[]>;
  highlight?: Record<string, string[]>;
  sort?: (string | number | boolean | null)[];
}

/** The answer of a search. */
export interface SearchAnswer<T> {
  /** Milliseconds. */
  took: number;
  timed_out: boolean;
  _scroll_id?: string;
  _shards: { total: number; successful: number; failed: number };
  hits: { total: number; max_score: number | null; hits: Hit<T>[] };
  /** By the names that the search gave them. */
  aggregations?: Record<string, JsonObject>;
  suggest?: Record<string, JsonObject[]>;
}

/** A document by its id. */
export interface StoredDocument<T> {
  _index: string;
  _type: string;
  _id: string;
  _version: number;
  found: true;
  _source: T;
}

/** The answer of a write. */
export interface Written {
  _index: string;
  _type: string;
  _id: string;
  _version: number;
  /** Whether there was no such document before. */
  created: boolean;
}

/** The answer of a bulk: an item for each operation, in their order. */
export interface BulkAnswer {
  took: number;
  /** Whether any item has an error; the others are done all the same. */
  errors: boolean;
  items: Record<string, { _index: string; _type: string; _id: string; status: number; error?: string }>[];
}

/** An answer with a status of 400 or above. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  /** The answer's body. */
  readonly body: JsonValue;

  constructor(status: number, body: JsonValue) {
    const told = body !== null && typeof body === 'object' && 'error' in body ? body.error : body;
    super(typeof told === 'string' ? told : JSON.stringify(told));
    this.status = status;
    this.body = body;
  }
}
