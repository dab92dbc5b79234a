/** Queries, with all that goes with a search, as the bytes that the core reads. */
import type { PlanNode } from '../plan/nodes.js';
import { print } from '../plan/print.js';
import { EMPTY_SHARD, type Plan as PlanParts } from '../plan/plan.js';
import { rewrite } from '../plan/rewrite.js';
import type { ColumnKey, SortKey } from '../plan/sortKeys.js';
import { encodePlan } from '../searchBody/encode.js';
import { naming, wrong } from './coreErrors.js';
import type { Fields } from './fields.js';
import { count, QueryNodes } from './nodes.js';
import type { Query } from './queries.js';
import { planStatistics } from './planStatistics.js';
import type { ScoringStatistics } from './statistics.js';

/** What hits are sorted by: their scores, the order in which documents came, or a field of keywords or numbers. */
export type SortBy =
  | { by: 'score' | 'document'; order?: 'asc' | 'desc' }
  | {
      by: 'field';
      field: string;
      /** `asc` without. */
      order?: 'asc' | 'desc';
      /** Which of several values counts; the smallest upwards, the largest downwards. */
      mode?: 'min' | 'max';
      /** Where documents without a value go; `last` without. */
      missing?: 'first' | 'last';
    };

/** What goes with a query. */
export interface PlanOptions {
  /** How many hits are wanted; 10 without, 0 for the total alone. */
  hits?: number;
  /** What hits are sorted by; what the first leaves equal, the next decides. By score, then as documents came, without. */
  sort?: readonly SortBy[];
  /** Documents that score less don't count. */
  minScore?: number;
  /** Documents outside it don't count; scores stay as they are. */
  filter?: Query;
  /** Statistics of several shards together, in place of the shard's own. */
  statistics?: ScoringStatistics;
  /** Score every posting, in place of passing over blocks that hold no hit: for measuring. The result is the same. */
  exhaustive?: boolean;
}

/** The flag by which no block is skipped for its bound (assembly/search/README.md), and where flags are. */
const SKIP_NOTHING = 4;
const FLAGS_AT = 5;
/** The smallest and the largest whole number of 64 bits. */
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
/** As fractions are ordered, these stand at the ends. */
const ENDS = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY } as const;

/** A search for the shard that made it, or for another one of the same definition. */
export class Plan {
  /** As the core reads it; `assembly/search/README.md` draws it. Not to be changed. */
  readonly bytes: Uint8Array;
  /** @internal */
  readonly parts: PlanParts;
  /** What the values of its sort are. @internal */
  readonly sortTypes: readonly ('long' | 'double' | 'string')[];
  readonly #names: readonly string[];

  /** @internal */
  constructor(fields: Fields, query: Query, options: PlanOptions) {
    const { hits = 10, minScore, filter, statistics, sort, exhaustive = false } = options;
    const nodes = new QueryNodes(fields);
    const keys =
      sort === undefined || sort.length === 0 ? undefined : sort.map((each) => sortKey(each, fields));
    this.#names = fields.names;
    this.sortTypes = (keys ?? []).map(typeOf);
    const parts: PlanParts = naming(() => ({
      k: count(hits, 'hits'),
      inOrder: false,
      root: rewrite(nodes.query(query)),
      ...(filter === undefined ? {} : { postFilter: nodes.filter(filter) }),
      ...(minScore === undefined ? {} : { minScore }),
      ...(keys === undefined ? {} : { sort: { keys, trackScores: true } }),
      ...(fields.similarities.size === 0 ? {} : { similarities: fields.similarities }),
      ...(statistics === undefined ? {} : { statistics: planStatistics(statistics, fields) }),
    }));
    this.parts = parts;
    this.bytes = naming(() => encodePlan(parts, EMPTY_SHARD)).slice();
    if (exhaustive) this.bytes[FLAGS_AT] = this.bytes[FLAGS_AT]! | SKIP_NOTHING;
  }

  /** The query as Lucene prints it, after its rewriting. */
  toString(): string {
    return print(this.parts.root, this.#names);
  }
}

function sortKey(given: SortBy, fields: Fields): SortKey<PlanNode> {
  if (given.by !== 'field') {
    if (given.by !== 'score' && given.by !== 'document') throw wrong(`hits can't be sorted by ${given.by}`);
    const { by: kind, order = kind === 'score' ? 'desc' : 'asc' } = given;
    return { kind, descending: order === 'desc' };
  }
  const { field: name, order = 'asc', missing = 'last' } = given;
  const { number, definition } = fields.named(name);
  const { type } = definition;
  if (type === 'text') throw wrong(`${name} has texts; hits are sorted by keywords and numbers`, name);
  const descending = order === 'desc';
  const mode = (given.mode ?? (descending ? 'max' : 'min')) === 'max' ? 1 : 0;
  const key = { kind: 'column', field: number, descending, mode, single: false } as const;
  if (type === 'keyword') return { ...key, type: 'string', missing };
  const isLow = (missing === 'first') !== descending;
  const ends = { long: isLow ? LEAST : MOST, double: isLow ? ENDS.first : ENDS.last } as const;
  return { ...key, type, missing: ends[type] } satisfies ColumnKey<PlanNode>;
}

function typeOf(key: SortKey<PlanNode>): 'long' | 'double' | 'string' {
  if (key.kind === 'column') return key.type;
  return key.kind === 'document' ? 'long' : 'double';
}
