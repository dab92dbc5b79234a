/** `top_hits`: the best documents of each bucket. */

import type { SortValue } from '../core/sortValues.js';
import { tokenOf } from '../json/jsonTokens.js';
import type { PlanNode } from '../plan/nodes.js';
import type { PlanBytes } from '../core/planBytes.js';
import { compareRows, completeRowsInTurns, sortValueType } from '../query/sort/sortedOrder.js';
import { coreKeys, insideKeys, needsAllHits, writeSort } from '../plan/sortKeys.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { JsonObject } from '../json/values.js';
import { Aggregation } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, type HitsView, malformed, unexpectedToken } from './body.js';
import type { PartialReader, ShardDocuments, TopHit } from './reader.js';
import type { Turns } from '../workLimit.js';
import type { Reduction } from './reduction.js';
import { type Rendered, ShownHits } from './rendered.js';
import { sorted } from './sorting.js';

interface Row extends TopHit {
  shard: ShardDocuments | undefined;
  /** How the hit's own index shows it. */
  view: HitsView;
}

/** A key of the sort that goes by objects of a nested field, and the number of the filter that finds these. */
interface InsideKey {
  number: number;
  filter: number;
}

interface TopHits {
  total: number;
  maxScore: number;
  rows: Row[];
}

class TopHitsAggregation extends Aggregation<TopHits> {
  override readonly shape = 'metric';
  readonly #view: HitsView;
  readonly #inside: readonly InsideKey[];

  constructor(name: string, view: HitsView, inside: readonly InsideKey[]) {
    super(name);
    this.#view = view;
    this.#inside = inside;
  }

  get #wanted(): number {
    return this.#view.from + this.#view.size;
  }

  protected override writeHead(bytes: PlanBytes): void {
    const { sort } = this.#view;
    bytes.u8(AggregationKind.hits);
    const all = sort !== undefined && needsAllHits(sort);
    bytes.u32(all ? MAX_HITS : Math.min(Math.max(this.#wanted, 1), MAX_HITS));
    bytes.u8(sort === undefined ? 0 : 1);
    if (sort === undefined) return;
    writeSort(sort, bytes);
    bytes.u8(this.#inside.length);
    for (const { number, filter } of this.#inside) {
      bytes.u8(number);
      bytes.u16(filter);
    }
  }

  override *read(reader: PartialReader, work: Reduction): Turns<TopHits> {
    const view = this.#view;
    const { sort } = view;
    const types = sort === undefined ? [] : coreKeys(sort).map(sortValueType);
    const total = reader.u32();
    const maxScore = reader.f32();
    const rows: Row[] = [];
    for (let n = reader.u32(); n > 0; n--) {
      if (work.isDue()) yield;
      const key = Number(reader.i64());
      const score = reader.f32();
      const values = types.map((type): SortValue => {
        if (type === 'long') return reader.i64();
        if (type === 'double') return reader.f64();
        const length = reader.u32();
        return length === NO_STRING ? null : reader.bytes(length);
      });
      // Unlike those of a search, hits that are sorted by their scores don't show them.
      const isShown = sort === undefined || sort.trackScores;
      rows.push({ key, score: isShown ? score : Number.NaN, values, shard: reader.shard, view });
    }
    if (sort === undefined) return { total, maxScore, rows };
    const document = (key: number) => reader.shard?.document(key);
    const complete = yield* completeRowsInTurns(sort, rows, document, () => work.isDue(READ_BUCKETS));
    return { total, maxScore, rows: complete.slice(0, this.#wanted) };
  }

  override *merge(partials: readonly TopHits[], work: Reduction): Turns<TopHits> {
    const [only] = partials;
    if (partials.length === 1 && only !== undefined) return only;
    const keys = this.#view.sort?.keys;
    const all = partials.flatMap((each) => each.rows);
    // What is equal stays in the order of the shards.
    const compare =
      keys === undefined
        ? (a: Row, b: Row) => b.score - a.score
        : (a: Row, b: Row) => compareRows(keys, a, b);
    const rows = yield* sorted(all, compare, work);
    const scores = partials.map(({ maxScore }) => maxScore).filter((score) => !Number.isNaN(score));
    return {
      total: partials.reduce((sum, { total }) => sum + total, 0),
      maxScore: scores.length === 0 ? Number.NaN : Math.max(...scores),
      rows: rows.slice(0, this.#wanted),
    };
  }

  override empty(): TopHits {
    return { total: 0, maxScore: 0, rows: [] };
  }

  override *render({ total, maxScore, rows }: TopHits, work: Reduction): Turns<Rendered> {
    const hits: unknown[] = [];
    for (const row of rows.slice(this.#view.from, this.#wanted)) {
      if (work.isDue(HIT_BUCKETS)) yield;
      const hit = row.shard === undefined ? undefined : yield* row.shard.shown(row, row.view);
      if (hit !== undefined) hits.push(hit);
    }
    work.take(SHOWN_BYTES);
    return { hits: new ShownHits(total, maxScore, hits, this.#view) };
  }
}

/** A hit that is shown takes as long as so many buckets: the clock is looked at for each. */
const HIT_BUCKETS = 256;
/** And one whose document is read for what it is sorted by, as long as so many. */
const READ_BUCKETS = 32;
/** What it shows takes beside its hits, about. */
const SHOWN_BYTES = 200;
const NO_STRING = 0xffff_ffff;
const MAX_HITS = 1 << 20;

const KEYS: Record<string, readonly string[]> = {
  VALUE_STRING: ['from', 'size', 'track_scores', 'trackScores', 'version', 'explain'],
  START_OBJECT: ['highlight', 'script_fields', 'scriptFields'],
  START_ARRAY: ['fielddata_fields', 'fielddataFields'],
};

/** Reads how hits are chosen and shown; 1.7 puts errors of Java into one of its own. */
function readView(body: JsonObject, context: AggregationContext): HitsView {
  try {
    return context.hits({ size: 3, ...body });
  } catch (thrown) {
    const error = toElasticsearchError(thrown);
    if (!OF_JAVA.has(error.exception)) throw thrown;
    throw new ElasticsearchError('ElasticsearchException', error.detail, { status: 400, nested: error });
  }
}

const OF_JAVA = new Set(['NumberFormatException', 'JsonParseException', 'NullPointerException']);

export function topHitsAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  for (const [key, value] of Object.entries(body)) {
    if (key === 'sort' || key === '_source') continue;
    const token = tokenOf(value);
    if (token === 'VALUE_NULL') throw unexpectedToken(token, `[${name}]`);
    const known = KEYS[token.startsWith('VALUE') ? 'VALUE_STRING' : token] ?? [];
    if (!known.includes(key)) throw malformed(`Unknown key for a ${token} in [${name}]: [${key}].`);
  }
  // As in 1.7, three hits are enough.
  const view = readView(body, context);
  if (view.from + view.size === 0) {
    const why = 'numHits must be > 0; please use TotalHitCountCollector if you just need the total hit count';
    context.dsl.refuse(new ElasticsearchError('IllegalArgumentException', why));
  }
  const inside = insideKeys(view.sort).map(({ number, inside: filter }) => ({
    number,
    filter: context.filters.push(filter as PlanNode) - 1,
  }));
  return new TopHitsAggregation(name, view, inside);
}
