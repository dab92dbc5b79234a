/** Finds the inner hits of hits: for each, a search of its own among its parts, children or parents. */
import { encodePlan } from '../searchBody/encode.js';
import { typeNode } from '../query/context.js';
import type { InnerScope } from '../query/joining/innerDefinition.js';
import { nestedDocumentsNode } from '../query/joining/nested.js';
import type { Plan } from '../plan/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import { rewrite } from '../plan/rewrite.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import { combine } from '../query/sets.js';
import { inTurns, type Turns, type WorkLimit } from '../workLimit.js';
import { explainKeys } from './explaining.js';
import { type Found, hitOf, type Place } from './hitOf.js';
import { readKept } from './keptValues.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { bounded } from './planBound.js';
import { HIT_BYTES, HIT_STEPS, type Hit, type InnerHits } from './ranking.js';
import { readElsewhere } from '../shard/searchedShard.js';
import { queryError } from './searchFailures.js';
import { sortedRows } from './sortedRows.js';

/** So many hits are asked about at a time. */
const AT_A_TIME = 32;
const utf8 = new TextEncoder();

/**
 * Finds what hits want of their parts and relatives, and of these in turn.
 * @param weigh told what each takes, in bytes; throws when that is too much
 * @returns the hits that there was time for
 */
export async function findInner(
  hits: readonly Hit[],
  weigh: (bytes: number) => void,
  limit: WorkLimit,
): Promise<readonly Hit[]> {
  const waiting = hits.filter(({ wanted }) => wanted !== undefined);
  const work = limit.untimed();
  for (let at = 0; at < waiting.length && !limit.late; at += AT_A_TIME) {
    const filled = waiting.slice(at, at + AT_A_TIME).map((hit) => fill(hit, weigh, limit));
    await Promise.all(filled).catch((e) => {
      if (!limit.late) throw e;
    });
    if (work.due) await work.yield();
  }
  return hits.filter(({ wanted, inner }) => wanted === undefined || inner !== undefined);
}

async function fill(hit: Hit, weigh: (bytes: number) => void, limit: WorkLimit): Promise<void> {
  const { index, inner } = hit.wanted!;
  const found = new Map<string, InnerHits>();
  for (const { name, scope, search } of inner)
    found.set(name, await innerHits(hit, index, scope, search, weigh, limit));
  hit.inner = found;
}

/** The documents in the scope that belong to a hit; undefined where it can't have any. */
function relatives(hit: Hit, scope: InnerScope): PlanNode | undefined {
  const { document, key, model } = hit;
  if (scope.kind === 'parts') {
    const parents = scope.around === undefined ? undefined : nestedDocumentsNode(scope.around);
    return combine([{ kind: 'parts', keys: [key], parents }, nestedDocumentsNode(scope.path)], [], []);
  }
  const { type } = scope;
  const parent = model.type(type)?.parent;
  if (parent?.parentType === document.type) {
    const uid = utf8.encode(`${document.type}#${document.id}`);
    return combine([{ kind: 'terms', field: parent.number, terms: [uid] }, typeNode([type])], [], []);
  }
  const isChild = model.type(document.type)?.parent?.parentType === type;
  if (!isChild || document.parent === undefined) return undefined;
  return { kind: 'uids', uids: [`${type}#${document.parent}`] };
}

async function innerHits(
  hit: Hit,
  index: OpenIndex,
  scope: InnerScope,
  search: CompiledSearch,
  weigh: (bytes: number) => void,
  limit: WorkLimit,
): Promise<InnerHits> {
  const filter = relatives(hit, scope);
  if (filter === undefined) return { total: 0, maxScore: 0, hits: [], search };
  const { shard } = hit;
  const { from, size, sort } = search;
  const root = rewrite({ kind: 'filtered', boost: 1, query: search.tree.root, filter });
  const tree: Plan = {
    ...search.tree,
    root,
    inOrder: true,
    findsNested: scope.kind === 'parts',
    partial: false,
  };
  if (size === 0) tree.k = 0;
  let result: Awaited<ReturnType<typeof shard.searches.query>>;
  try {
    result = await shard.searches.query(() => bounded(encodePlan(tree, shard), shard, false), limit);
  } catch (e) {
    throw queryError(e, { index, shard, search });
  }
  const { total } = result;
  if (size === 0) return { total, maxScore: 0, hits: [], search };
  // As in 1.7: a page behind the last hit knows of none, unless they are sorted.
  if (sort === undefined && from >= total) return { total: 0, maxScore: null, hits: [], search };
  const rowsOf = () =>
    sort === undefined || tree.sort === undefined
      ? [...result.keys].map((key, i) => ({ key, score: result.scores[i]!, values: [] }))
      : sortedRows(
          sort,
          result,
          (key) => shard.documents.byKey(key) ?? shard.documents.holder(key)?.document,
        );
  const work = limit.untimed();
  const read = () => {
    const shown = rowsOf().slice(from, from + size);
    return inTurns(readRows(shown, { index, shard }, search, weigh, work), work);
  };
  const hits = shard.elsewhere === undefined ? await read() : await readElsewhere([shard], limit, read);
  await explain(hits, index, search, limit);
  await readKept(hits, search.fielddata, limit);
  const scored = result.keys.length > 0 && !Number.isNaN(result.maxScore);
  return {
    total,
    maxScore: scored ? result.maxScore : null,
    hits: await findInner(hits, weigh, limit),
    search,
  };
}

/** The rows as hits, without those that are gone. */
function* readRows(
  rows: readonly Found[],
  place: Place,
  search: CompiledSearch,
  weigh: (bytes: number) => void,
  work: WorkLimit,
): Turns<Hit[]> {
  const hits: Hit[] = [];
  for (const row of rows) {
    if (work.isDue(HIT_STEPS)) yield;
    const hit = yield* hitOf(place, row, search, work);
    if (hit === undefined) continue;
    weigh(HIT_BYTES + hit.document.source.length);
    hits.push(hit);
  }
  return hits;
}

/** Explains hits by the query alone, without whose parts or relatives they are. */
async function explain(
  hits: readonly Hit[],
  index: OpenIndex,
  search: CompiledSearch,
  limit: WorkLimit,
): Promise<void> {
  const [first] = hits;
  if (first === undefined || !search.explain) return;
  const { shard } = first;
  const found = await explainKeys(
    { index, shard, search },
    hits.map(({ key }) => key),
    limit,
  );
  hits.forEach((hit, i) => {
    hit.explanation = found[i];
  });
}
