/** The queries that documents are percolated with: those of the documents of the type `.percolator`. */
import { NONE } from '../query/context.js';
import { encodePlan } from '../searchBody/encode.js';
import { EMPTY_SHARD, type Plan } from '../plan/plan.js';
import { compileQuery } from '../query/compileQuery.js';
import type { SearchContext } from '../query/searchContext.js';
import { ElasticsearchError, limitStatus, toElasticsearchError } from '../errors.js';
import { parseInTurns, parseLax } from '../json/laxJson.js';
import { parsedSize } from '../json/parsedSize.js';
import { isObject } from '../json/values.js';
import { requiredTerms } from '../plan/requiredTerms.js';
import { inTurns, type WorkLimit, WorkOver } from '../workLimit.js';

export const PERCOLATOR = '.percolator';

export interface QueryDocument {
  id: string;
  source: Uint8Array;
}

/** What is needed of a shard. */
export interface QueryShard {
  readonly documents: {
    /** The ids of a type's documents. */
    idsOf(type: string): Iterable<string>;
    /** One of them as it was last committed. */
    committed(type: string, id: string): QueryDocument | undefined;
  };
}

/** One query, ready to run on a document. */
export interface Registered {
  id: string;
  /** The plan, and its bytes; one that depends on the time is compiled anew for every document, which {@link QueryCompiler.run} carries out. */
  plan(): Plan;
  bytes(): Uint8Array;
  readonly tellsTime: boolean;
  /** A document that matches has one of these terms; undefined where nothing can be said. */
  terms: readonly string[] | undefined;
  /** What it takes in memory, about. */
  size: number;
}

/** What any query takes, and what it takes more for each byte of its JSON as it is parsed, and for each term that it is looked up by. */
const QUERY_BYTES = 1000;
const TREES = 2;
const TERM_BYTES = 300;

/** Compiles a query; fields that the mapping doesn't have are refused. */
export type CompilePercolated = (query: unknown) => Plan;

/** How queries are compiled for an index. */
export interface QueryCompiler {
  compile: CompilePercolated;
  /**
   * Carries out work that compiles, in passes whose memory is counted meanwhile; at once where one turn is enough.
   * @param goesOn whether others have not had the event loop since the last work
   */
  run<T>(work: () => T, limit: WorkLimit, goesOn?: boolean): T | Promise<T>;
}

/** Compiles queries for an index. */
export function percolatedQueries(context: SearchContext, lenient: boolean): CompilePercolated {
  return (query) => {
    const lateErrors: ElasticsearchError[] = [];
    const plan = compileQuery(query, { ...context, strictFields: !lenient, lateErrors });
    // A query that can't be run matches nothing.
    return lateErrors.length === 0 ? plan : { ...plan, root: NONE };
  };
}

const utf8 = new TextDecoder();

/** Sources of more bytes are read in turns. */
const LONG_SOURCE = 32 * 1024;

/**
 * The query of a document, read in turns; throws the `PercolatorException` of 1.7 where it has none that can be.
 * @param goesOn whether others have not had the event loop since the last query was read
 */
export async function readRegistered(
  index: string,
  { id, source }: { id: string; source: Uint8Array },
  { compile, run }: QueryCompiler,
  limit: WorkLimit,
  goesOn = false,
): Promise<Registered> {
  try {
    const text = utf8.decode(source);
    const isLong = source.length > LONG_SOURCE;
    const body = isLong ? await inTurns(parseInTurns(text, limit), limit) : parseLax(text);
    const query = isObject(body) ? body.query : undefined;
    if (!isObject(query)) throw new ElasticsearchError('NullPointerException', null);
    const size = QUERY_BYTES + TREES * parsedSize(source);
    // In the text a letter may be escaped.
    const mayTell = text.includes('now') || text.includes('\\u');
    const tellsTime = mayTell && JSON.stringify(query).includes('now');
    return await run(
      () => {
        const plan = compile(query);
        return tellsTime ? timely(id, () => compile(query), size) : lasting(id, plan, size);
      },
      limit,
      goesOn,
    );
  } catch (e) {
    if (e instanceof WorkOver) throw e;
    throw new ElasticsearchError('PercolatorException', `[${index}] failed to parse query [${id}]`, {
      status: limitStatus(e) ?? 500,
      nested: toElasticsearchError(e),
    });
  }
}

/** A query whose plan depends on the time. */
function timely(id: string, plan: () => Plan, size: number): Registered {
  return { id, plan, bytes: () => encodePlan(plan(), EMPTY_SHARD), tellsTime: true, terms: undefined, size };
}

/** One whose plan doesn't: nothing but the plan is kept. */
function lasting(id: string, plan: Plan, size: number): Registered {
  const bytes = encodePlan(plan, EMPTY_SHARD);
  const terms = requiredTerms(plan.root);
  const more = bytes.length + TERM_BYTES * (terms?.length ?? 0);
  return { id, plan: () => plan, bytes: () => bytes, tellsTime: false, terms, size: size + more };
}

/** The queries of one shard, looked up by the terms that they need. */
export class QuerySet {
  readonly #byId = new Map<string, Registered>();
  /** Those that need one of some terms, by each of them; the others stand under nothing. */
  readonly #byTerm = new Map<string, Set<Registered>>();
  readonly #always = new Set<Registered>();
  /** What they take in memory, about. */
  bytes = 0;
  /** Whether nobody looks for them any more. */
  dropped = false;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Registered | undefined {
    return this.#byId.get(id);
  }

  put(query: Registered): void {
    this.remove(query.id);
    this.#byId.set(query.id, query);
    this.bytes += query.size;
    if (query.terms === undefined) this.#always.add(query);
    for (const term of query.terms ?? []) {
      const known = this.#byTerm.get(term);
      if (known === undefined) this.#byTerm.set(term, new Set([query]));
      else known.add(query);
    }
  }

  remove(id: string): void {
    const query = this.#byId.get(id);
    if (query === undefined) return;
    this.#byId.delete(id);
    this.bytes -= query.size;
    this.#always.delete(query);
    for (const term of query.terms ?? []) {
      const known = this.#byTerm.get(term);
      known?.delete(query);
      if (known?.size === 0) this.#byTerm.delete(term);
    }
  }

  all(): Registered[] {
    return [...this.#byId.values()];
  }

  /** The queries that a document with these terms may match. */
  candidates(terms: Iterable<string>): Registered[] {
    const found = new Set(this.#always);
    for (const term of terms) for (const query of this.#byTerm.get(term) ?? []) found.add(query);
    return [...found];
  }
}
