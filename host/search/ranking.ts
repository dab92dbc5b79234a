/**
 * The hits of several shards in one order, a page at a time: score descending or by the keys of a sort, then shard, then
 * document order.
 */
import { matchedNames, type SearchResult } from '../core/result.js';
import type { SortValue } from '../core/sortValues.js';
import type { Explanation } from '../explain/explanation.js';
import type { Highlight } from '../highlight/request.js';
import type { CompiledSearch, InnerSearch } from '../searchBody/compile.js';
import { compareRows, type SortedRow } from '../query/sort/sortedOrder.js';
import type { Sort } from '../plan/sortKeys.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { Highlighters } from '../highlight/highlight.js';
import { highlighting } from '../highlight/lateHighlighting.js';
import type { MappingModel } from '../mapping/model.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import type { NestedIdentity } from './nestedObjects.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { fetchError } from './searchFailures.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { sortedRows } from './sortedRows.js';
import type { VisibleDocument } from '../mapping/sourcePaths.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** What a hit takes in memory beside its source, about. */
export const HIT_BYTES = 600;
/** Bytes of hits that are counted together. */
const WEIGHED_BYTES = 32 * 1024;
/** So many that the clock is looked at for each hit: one can take long. */
export const HIT_STEPS = 1024;

/** A document that was found. */
export interface Hit {
  index: string;
  shard: SearchedShard;
  key: number;
  model: MappingModel;
  /** null where the sort needs none. */
  score: number | null;
  document: VisibleDocument;
  /** Which object of a nested field it is, where it is one: the source of `document` is its own. */
  nested?: NestedHit;
  /** What a sorted hit is sorted by. */
  sortValues?: readonly SortValue[];
  /** The named queries that match it. */
  matched?: readonly string[];
  /** The places of its texts that the query looks for, by field. */
  highlight?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The values of filtered fields that are left in its segment, by name. */
  kept?: ReadonlyMap<string, readonly string[]>;
  /** Why it scores as it does. */
  explanation?: Explanation | undefined;
  /** What is to be shown of its parts and relatives; innerHits.ts finds it. */
  wanted?: { index: OpenIndex; inner: readonly InnerSearch[] };
  /** What was found of them, by name. */
  inner?: ReadonlyMap<string, InnerHits>;
}

/** An object of a nested field. */
export interface NestedHit {
  identity: NestedIdentity;
  /** The document as if it had this object alone, for the values that stand in it. */
  alone: VisibleDocument;
  /** The document, and how many places before it in the index the object stands. */
  holder: StoredDocument;
  place: number;
}

/** Parts or relatives of a hit. */
export interface InnerHits {
  total: number;
  /** null where there are no scores. */
  maxScore: number | null;
  hits: readonly Hit[];
  /** How they are shown. */
  search: CompiledSearch;
}

/** What one shard found; whoever reads it holds the shard. */
export interface ShardHits {
  readonly index: OpenIndex;
  readonly shard: SearchedShard;
  readonly result: SearchResult;
  /** How the hits are sorted; all parts are sorted by as many keys, or none is. */
  readonly sort?: Sort | undefined;
  /** The named queries of the plan. */
  readonly names?: readonly string[] | undefined;
  /** What of the hits is highlighted. */
  readonly highlight?: Highlight | undefined;
  /** Why no hit can be shown, if none can. */
  readonly unshown?: ElasticsearchError | undefined;
  /** What is shown of each hit's parts and relatives. */
  readonly inner?: readonly InnerSearch[] | undefined;
  /** Whether the plan may end early. */
  readonly terminates?: boolean;
  /** What 1.7 says of the search. */
  readonly state?: (() => string) | undefined;
  /** What the search is counted under besides. */
  readonly groups?: readonly string[];
}

/** The document of a hit; undefined if it is gone, or can't be read: then `unread` is told why. */
export function readDocument(
  { documents }: SearchedShard,
  key: number,
  unread: (error: ElasticsearchError) => void,
): StoredDocument | undefined {
  try {
    return documents.byKey(key);
  } catch (e) {
    if (!(e instanceof ElasticsearchError)) throw e;
    unread(e);
    return undefined;
  }
}

type Complaints = ReadonlyMap<ShardHits, ElasticsearchError>;

const NONE: Complaints = new Map();

/** Reads the hits of some shards, each once. */
export class Ranking {
  readonly #parts: readonly ShardHits[];
  /** How many hits of each shard are read. */
  readonly #at: number[];
  /** The rows of each part, if they are sorted. */
  readonly #rows: SortedRow[][] | undefined;
  #late = false;
  /** What parts say whose hits can't be shown. */
  #failed = NONE;
  #unread = NONE;
  /** What highlights the hits of each part on one page. */
  #highlighters: Map<ShardHits, Highlighters> | undefined;

  constructor(parts: readonly ShardHits[]) {
    this.#parts = parts;
    const sorted = parts.flatMap(({ sort, result, shard }) =>
      sort === undefined ? [] : [sortedRows(sort, result, (key) => readDocument(shard, key, () => {}))],
    );
    if (sorted.length > 0 && sorted.length === parts.length) this.#rows = sorted;
    this.#at = new Array<number>(parts.length).fill(0);
  }

  /**
   * The largest score of the shards that no hit was read of yet, or, where they are sorted, that have hits left: so Lucene knows it behind
   * a hit. Null if there is none.
   */
  get maxScore(): number | null {
    let most: number | null = null;
    this.#parts.forEach(({ result }, p) => {
      const at = this.#at[p]!;
      const isKnown = at === 0 || (this.#rows !== undefined && at < result.keys.length);
      if (isKnown && result.total > 0 && !Number.isNaN(result.maxScore))
        most = Math.max(most ?? Number.NEGATIVE_INFINITY, result.maxScore);
    });
    return most;
  }

  /** The parts whose hits could not be shown, with the reasons. */
  get failures(): ReadonlyMap<ShardHits, ElasticsearchError> {
    return this.#failed;
  }

  /** Shards that have hits for the last page which can't be read: they are left out. */
  get unread(): ReadonlyMap<ShardHits, ElasticsearchError> {
    return this.#unread;
  }

  /** Whether the last page is shorter because its time was over. */
  get isLate(): boolean {
    return this.#late;
  }

  /** Has other threads read the documents of the hits behind the next ones into memory; undefined where there is nothing to wait for. */
  prefetch(skipped: number, count: number, limit: WorkLimit): Promise<unknown> | undefined {
    if (!this.#parts.some(({ shard }) => shard.documents.areCold)) return undefined;
    const before = this.#at.slice();
    const keys = this.#parts.map((): number[] => []);
    for (let i = 0; i < skipped + count; i++) {
      const p = this.#best();
      if (p < 0) break;
      const at = this.#at[p]! - 1;
      if (i >= skipped) keys[p]!.push(this.#rows?.[p]?.[at]?.key ?? this.#parts[p]!.result.keys[at]!);
    }
    before.forEach((at, p) => {
      this.#at[p] = at;
    });
    return Promise.all(this.#parts.map(({ shard }, p) => shard.documents.prefetch(keys[p]!, limit)));
  }

  /** Passes over hits. */
  *skip(count: number, work: WorkLimit): Turns<void> {
    for (let i = 0; i < count && this.#best() >= 0; i++) if (work.isDue(this.#parts.length)) yield;
  }

  /**
   * The next hits, in order. A document that is gone for good is left out.
   * @param weigh told what each takes, in bytes; throws when that is too much
   * @param work counts the steps
   * @param until when its time is over, the hits that are there are the page
   */
  *next(
    count: number,
    weigh: (bytes: number) => void,
    work: WorkLimit,
    until: WorkLimit = work,
  ): Turns<Hit[]> {
    this.#late = false;
    this.#unread = NONE;
    const hits: Hit[] = [];
    const started = performance.now();
    const read: number[] = [];
    let unweighed = 0;
    this.#highlighters = undefined;
    while (hits.length < count) {
      const p = this.#best();
      if (p < 0) break;
      const part = this.#parts[p]!;
      const hit = this.#read(p, part);
      if (hit !== undefined) {
        hits.push(hit);
        const { highlight, unshown } = part;
        // As many hits are shown as without a failure, less those of the part.
        if (unshown !== undefined) this.#fail(part, unshown);
        else if (highlight === undefined || (yield* this.#highlight(part, hit, highlight, work)))
          unweighed += HIT_BYTES + (hit.document.whole ?? hit.document.source).length;
        // Asking whether there is room takes as long as to render a hit.
        if (unweighed >= WEIGHED_BYTES) {
          weigh(unweighed);
          unweighed = 0;
        }
      }
      if (!read.includes(p)) read.push(p);
      if (!work.isDue(HIT_STEPS)) continue;
      if (until.late) {
        this.#late = true;
        break;
      }
      yield;
    }
    if (unweighed > 0) weigh(unweighed);
    const ms = (performance.now() - started) / read.length;
    for (const p of read) {
      const { shard, groups = [] } = this.#parts[p]!;
      for (const counters of shard.counters.searching(groups)) {
        counters.fetches++;
        counters.fetchTime += ms;
      }
    }
    if (this.#failed.size === 0) return hits;
    const failed = new Set([...this.#failed.keys()].map(({ shard }) => shard));
    return hits.filter(({ shard }) => !failed.has(shard));
  }

  /** Moves past the best hit that is left and tells whose it is; -1 at the end. */
  #best(): number {
    if (this.#rows !== undefined) return this.#bestRow(this.#rows);
    const [only, second] = this.#parts;
    if (second === undefined) {
      if (only === undefined || this.#at[0]! >= only.result.scores.length) return -1;
      this.#at[0]!++;
      return 0;
    }
    let winner = -1;
    let score = Number.NEGATIVE_INFINITY;
    this.#parts.forEach(({ result: { scores } }, p) => {
      const at = this.#at[p]!;
      if (at < scores.length && (winner < 0 || scores[at]! > score)) {
        winner = p;
        score = scores[at]!;
      }
    });
    if (winner >= 0) this.#at[winner]!++;
    return winner;
  }

  #bestRow(rows: readonly SortedRow[][]): number {
    const { keys } = this.#parts[0]!.sort!;
    let winner = -1;
    let best: SortedRow | undefined;
    rows.forEach((own, p) => {
      const row = own[this.#at[p]!];
      if (row === undefined || (best !== undefined && compareRows(keys, row, best) >= 0)) return;
      winner = p;
      best = row;
    });
    if (winner >= 0) this.#at[winner]!++;
    return winner;
  }

  #fail(part: ShardHits, error: ElasticsearchError): void {
    if (this.#failed.get(part) !== error) this.#failed = new Map([...this.#failed, [part, error]]);
  }

  /** Reads the hit that was moved past; undefined where its document is gone. */
  #read(p: number, part: ShardHits): Hit | undefined {
    const { index, shard, result, names, inner } = part;
    const at = this.#at[p]! - 1;
    const row = this.#rows === undefined ? undefined : this.#rows[p]?.[at];
    const key = row === undefined ? result.keys[at]! : row.key;
    const document = this.#document(part, key);
    if (document === undefined) return undefined;
    const score = row?.score ?? result.scores[at]!;
    const hit: Hit = {
      index: index.name,
      shard,
      key,
      model: index.model,
      score: Number.isNaN(score) ? null : score,
      document: index.visible(document),
    };
    if (row !== undefined) hit.sortValues = row.values;
    if (inner !== undefined && inner.length > 0) hit.wanted = { index, inner };
    if (names !== undefined && names.length > 0)
      hit.matched = matchedNames(result, key, names, part.terminates ?? false);
    return hit;
  }

  #document(part: ShardHits, key: number): StoredDocument | undefined {
    try {
      return part.shard.documents.byKey(key);
    } catch (e) {
      if (!(e instanceof ElasticsearchError)) throw e;
      this.#unread = new Map([...this.#unread, [part, e]]);
      return undefined;
    }
  }

  /** Highlights a hit; false if it can't be, and with it all of its part. */
  *#highlight(part: ShardHits, hit: Hit, highlight: Highlight, work: WorkLimit): Turns<boolean> {
    if (this.#failed.has(part)) return false;
    try {
      this.#highlighters ??= new Map();
      const shared = this.#highlighters.get(part) ?? new highlighting.loaded.Highlighters(highlight.query);
      this.#highlighters.set(part, shared);
      const found = { document: hit.document, model: hit.model };
      hit.highlight = yield* highlighting.loaded.highlightsOf(found, highlight, work, shared);
      return true;
    } catch (e) {
      this.#fail(part, fetchError(toElasticsearchError(e), part));
      return false;
    }
  }
}
