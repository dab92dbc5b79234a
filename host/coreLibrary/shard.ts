/** One shard: documents in, segments, and searches over them. */
import { BatchWriter } from '../core/batch.js';
import { type Core, type Interrupted, Work } from '../core/instance.js';
import { decodeResult, type SegmentInfo } from '../core/result.js';
import { decodeSortValues } from '../core/sortValues.js';
import type { ShardHandle } from '../core/status.js';
import { explaining } from '../explain/lateExplaining.js';
import type { Explanation } from '../explain/explanation.js';
import { readExplanationNodes } from '../explain/explanationNodes.js';
import type { PlanNode } from '../plan/nodes.js';
import { EMPTY_SHARD } from '../plan/plan.js';
import { encodePlan } from '../searchBody/encode.js';
import { TermReader } from '../shard/termReader.js';
import { WorkLimit } from '../workLimit.js';
import { CoreError, named, naming, wrong } from './coreErrors.js';
import type { CoreDocument } from './definitions.js';
import type { Fields } from './fields.js';
import { count } from './nodes.js';
import { Plan, type PlanOptions } from './plan.js';
import type { Query } from './queries.js';
import { readStatistics } from './planStatistics.js';
import type { ScoringStatistics } from './statistics.js';

/** A value that hits are sorted by; of a keyword that a document lacks null, of a number the smallest or the largest one. */
export type SortValue = number | bigint | string | null;

/** A document that was found. */
export interface CoreHit {
  /** The key that {@link Shard.add} gave. */
  key: number;
  score: number;
  /** The values that it was sorted by, where the plan has a sort. */
  sort?: SortValue[];
}

/** What a search found. */
export interface CoreResult {
  /** How many documents match, exactly. */
  total: number;
  /** The largest score; null where nothing matches, and where no hits were wanted. */
  maxScore: number | null;
  /** The best ones, first the best. */
  hits: CoreHit[];
}

/** How a search is carried out. */
export interface SearchOptions {
  /** Milliseconds after which it fails with the status `interrupted`; looked at every millisecond or so. */
  timeout?: number;
}

/** What a shard knows of a field; deleted documents count until their segment is merged. */
export interface FieldFacts {
  /** Segments that have terms of it. */
  segments: number;
  /** Documents that have a term in it. */
  documents: number;
  /** Its terms; one that several segments have counts for each. */
  terms: number;
  /** The sum over all terms of the documents that have each. */
  postings: number;
  /** The sum over all terms of how often each occurs; -1 where that isn't kept. */
  occurrences: number;
}

/** Units of the core's work in one slice. */
const SLICE = 1_000_000;
/** Bytes of documents that are handed over at once. */
const BATCH_BYTES = 1 << 20;
/** The most documents that have been numbered: a double has no larger whole number. */
const LAST_KEY = Number.MAX_SAFE_INTEGER;
const utf8 = new TextDecoder();

/** Documents, as segments of an inverted index. Made by {@link ResilinCore.createShard}. */
export class Shard {
  readonly #core: Core;
  readonly #shard: ShardHandle;
  readonly #fields: Fields;
  readonly #batch: BatchWriter = new BatchWriter();
  #nextKey = 1;
  /** Bytes since the core last wrote what it holds to a segment. */
  #pending = 0;
  #isOpen = true;

  /** @internal */
  constructor(core: Core, fields: Fields) {
    this.#core = core;
    this.#fields = fields;
    this.#shard = core.createShard();
    try {
      for (const field of fields.forCore()) core.defineField(this.#shard, field);
    } catch (e) {
      if (!core.dead) core.dropShard(this.#shard);
      throw e;
    }
  }

  /** Adds a document, which searches see after the next {@link refresh}. @returns its key: 1 for the first, then ascending */
  add(document: CoreDocument): number {
    return this.addAll([document]);
  }

  /**
   * Adds documents, a megabyte at a time, which is quicker than one by one. Where it throws, those of the megabytes before are there.
   * @returns the key of the first; those of the others follow it
   */
  addAll(documents: Iterable<CoreDocument>): number {
    const first = this.#nextKey;
    this.#do(() => {
      let next = first;
      try {
        for (const document of documents) {
          if (next >= LAST_KEY) throw new CoreError('limit', 'the shard has no more keys');
          this.#batch.index(next, (batch) => this.#fields.write(batch, document));
          next++;
          if (this.#batch.length >= BATCH_BYTES) this.#apply(next);
        }
        this.#apply(next);
      } finally {
        this.#batch.reset();
      }
    });
    return first;
  }

  /** Hands over what was written; `next` is the key behind it. */
  #apply(next: number): void {
    if (this.#batch.operations === 0) return;
    this.#core.apply(this.#shard, this.#batch.bytes());
    this.#nextKey = next;
    this.#pending += this.#batch.length;
    this.#batch.reset();
    if (this.#pending < BATCH_BYTES) return;
    this.#pending = 0;
    while (this.#core.work(this.#shard, SLICE) === Work.flushing);
  }

  /** Deletes a document, at once where it is in a segment. A key that there isn't is fine. */
  delete(key: number): void {
    this.#do(() => {
      try {
        this.#batch.delete(count(key, 'a key'));
        this.#apply(this.#nextKey);
      } finally {
        this.#batch.reset();
      }
    });
  }

  /** Makes a segment of what was added, and merges where Lucene's policy does: searches see all then. */
  refresh(): void {
    this.#do(() => {
      this.#core.refresh(this.#shard);
      this.#pending = 0;
      this.#work();
    });
  }

  /** Merges down to so many segments; deleted documents don't count any more then. */
  merge(segments = 1): void {
    this.#do(() => {
      this.#core.refresh(this.#shard);
      this.#work();
      this.#core.forceMerge(this.#shard, Math.max(1, count(segments, 'segments')));
      this.#work();
    });
  }

  #work(): void {
    while (this.#core.work(this.#shard, SLICE) !== Work.idle);
  }

  /** Makes a plan of a query: what can be searched again and again, looked at as bytes, and printed. */
  plan(query: Query, options: PlanOptions = {}): Plan {
    return this.#do(() => new Plan(this.#fields, query, options));
  }

  /** Finds documents, by a plan or a query. */
  search(query: Plan | Query, options: PlanOptions & SearchOptions = {}): CoreResult {
    const plan = query instanceof Plan ? query : this.plan(query, options);
    const bytes = this.searchBytes(plan.bytes, options);
    const { total, maxScore, keys, scores, sortValues } = decodeResult(bytes);
    const { sortTypes } = plan;
    const values = sortTypes.length === 0 ? undefined : decodeSortValues(sortValues, keys.length, sortTypes);
    return {
      total,
      maxScore: Number.isNaN(maxScore) ? null : maxScore,
      hits: Array.from(keys, (key, i) => ({
        key,
        score: scores[i]!,
        ...(values === undefined ? {} : { sort: values[i]!.map(shown) }),
      })),
    };
  }

  /** A plan's bytes in, a result's bytes out, as `assembly/search/README.md` draws them: for experiments with plans, and for measuring. */
  searchBytes(plan: Uint8Array, { timeout }: SearchOptions = {}): Uint8Array {
    return this.#do(() =>
      this.#core.search(this.#shard, plan, timeout === undefined ? undefined : until(timeout)),
    );
  }

  /** Why a document scores as it does: a tree, as Lucene's `explain` gives it. Undefined where no live document has the key. */
  async explain(
    query: Plan | Query,
    key: number,
    options: PlanOptions = {},
  ): Promise<Explanation | undefined> {
    await this.#late(() => explaining.load());
    const plan = query instanceof Plan ? query : this.plan(query, options);
    const { root, similarities, statistics } = plan.parts;
    const explain = [count(key, 'a key')];
    return this.#do(() => {
      const places = new Map<number, PlanNode>();
      const parts = { k: 0, inOrder: false, root, similarities, statistics, explain };
      const { sortValues } = decodeResult(
        this.#core.search(this.#shard, encodePlan(parts, EMPTY_SHARD, places)),
      );
      const [found] = readExplanationNodes(sortValues, places);
      if (found === undefined) return undefined;
      const documents = new Map(statistics?.fields.map((each) => [each.field, each.documents]));
      return explaining.loaded.explanation(found, this.#fields.names, undefined, documents);
    });
  }

  /** What the scores of a query go by in this shard; see {@link sumStatistics}. */
  statistics(query: Plan | Query): ScoringStatistics {
    const { root, similarities } = (query instanceof Plan ? query : this.plan(query)).parts;
    return this.#do(() => {
      const plan = encodePlan({ k: 0, inOrder: false, root, similarities, gather: true }, EMPTY_SHARD);
      return readStatistics(
        decodeResult(this.#core.search(this.#shard, plan)).sortValues,
        this.#fields.names,
      );
    });
  }

  /** What the shard knows of a field. */
  async fieldStatistics(field: string): Promise<FieldFacts> {
    return this.#late(async () => {
      const found = await this.#reader().statistics([this.#fields.named(field).number]);
      const { segments, documents, terms, postings, occurrences } = found.fields[0]!;
      return { segments, documents, terms, postings, occurrences };
    });
  }

  /** The terms of a field of texts or keywords that begin so, in their order, with how many documents have each; at most `limit` (100). */
  async terms(
    field: string,
    { prefix = '', limit = 100 }: { prefix?: string; limit?: number } = {},
  ): Promise<{ term: string; documents: number }[]> {
    return this.#late(async () => {
      const { number, definition } = this.#fields.named(field);
      if (definition.type === 'long' || definition.type === 'double')
        throw wrong(`${field} has numbers; its terms are no texts`, field);
      const matcher = { type: 'prefix', prefix: new TextEncoder().encode(prefix) } as const;
      const wanted = { above: 0, least: 0, limit: count(limit, 'limit') };
      const found = await this.#reader().alike(number, matcher, wanted);
      return found.map(({ term, documents }) => ({ term: utf8.decode(term), documents }));
    });
  }

  #reader(): TermReader {
    const terms = async (request: Uint8Array) => this.#core.terms(this.#shard, request);
    return new TermReader({ terms }, WorkLimit.of(Number.POSITIVE_INFINITY));
  }

  /** The terms that an analyzer makes of a text; the one of a field that has that name, where it is one. */
  analyze(field: string, text: string): { term: string; position: number }[] {
    return this.#do(() => {
      const { searchAnalyzer, analyzer, ...rest } = this.#fields.named(field);
      return this.#fields
        .tokens({ ...rest, analyzer, searchAnalyzer: analyzer }, text)
        .map(({ term, position }) => ({ term, position }));
    });
  }

  /** Its segments, in the order of their documents. */
  segments(): SegmentInfo[] {
    return this.#do(() => this.#core.segments(this.#shard));
  }

  /** The bytes of a segment (`assembly/segment/README.md` draws them), which {@link load} takes. Deletions aren't in it. */
  image(segment: number): Uint8Array {
    return this.#do(() => this.#core.segmentImage(this.#shard, count(segment, 'a segment')));
  }

  /** Adds a segment behind the others, from the image of a shard of the same definition whose keys are above those that are there. */
  load(image: Uint8Array): void {
    this.#do(() => {
      this.#core.loadSegment(this.#shard, image);
      const { lastKey } = this.#core.segmentInfo(this.#shard, this.#core.segmentCount(this.#shard) - 1);
      this.#nextKey = Math.max(this.#nextKey, lastKey + 1);
    });
  }

  /** Lets go of it all. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (!this.#core.dead) this.#core.dropShard(this.#shard);
  }

  #do<T>(work: () => T): T {
    this.#check();
    return naming(work, (field) => this.#fields.names[field]);
  }

  async #late<T>(work: () => Promise<T>): Promise<T> {
    this.#check();
    try {
      return await work();
    } catch (e) {
      throw named(e, (field) => this.#fields.names[field]);
    }
  }

  #check(): void {
    if (!this.#isOpen) throw wrong('the shard is closed');
  }
}

function until(timeout: number): Interrupted {
  if (!(timeout >= 0)) throw wrong(`a timeout is a number of milliseconds, not ${timeout}`);
  const end = performance.now() + timeout;
  return () => performance.now() >= end;
}

function shown(value: bigint | number | Uint8Array | null): SortValue {
  return value instanceof Uint8Array ? utf8.decode(value) : value;
}
