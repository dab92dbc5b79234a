/** Asks shards why documents score as they do, and what they know of a query's terms. */
import type { CompiledSearch } from '../searchBody/compile.js';
import { encodePlan } from '../searchBody/encode.js';
import { explaining } from '../explain/lateExplaining.js';
import type { Explanation } from '../explain/explanation.js';
import { readExplanationNodes } from '../explain/explanationNodes.js';
import type { Plan } from '../plan/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import type { FieldMemoryStats, Statistics, TermStatistics } from '../plan/statistics.js';
import { Fielddata } from '../mapping/fielddata.js';
import type { WorkLimit } from '../workLimit.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { readElsewhere, type SearchedShard } from '../shard/searchedShard.js';
import { refusedValue } from './searchFailures.js';

/** One shard with the search that it takes part in. */
export interface Searched {
  index: OpenIndex;
  shard: SearchedShard;
  search: CompiledSearch;
  /** Document frequencies of all shards, in place of its own. */
  statistics?: Statistics | undefined;
}

/** What scores, without what is around it. */
function scoring({ tree: { root, inOrder, similarities } }: CompiledSearch): Plan {
  return { k: 0, inOrder, root, similarities };
}

/** The explanations of the documents with these keys; undefined for those that are not there. */
export async function explainKeys(
  searched: Searched,
  keys: readonly number[],
  limit: WorkLimit,
): Promise<(Explanation | undefined)[]> {
  const { search } = searched;
  const plan = scoring(search);
  let found = await explainPlan(searched, plan, keys, limit);
  for (const rescore of search.rescore) {
    const again = await explainPlan(searched, { ...plan, root: rescore.node }, keys, limit);
    found = found.map((first, i) => first && explaining.loaded.explainRescore(rescore, first, again[i]));
  }
  return found;
}

async function explainPlan(
  { index, shard, statistics }: Omit<Searched, 'search'>,
  scored: Plan,
  keys: readonly number[],
  limit: WorkLimit,
): Promise<(Explanation | undefined)[]> {
  const places = new Map<number, PlanNode>();
  const plan = { ...scored, statistics, explain: keys };
  const { sortValues } = await shard.searches
    .query(() => encodePlan(plan, shard, places), limit)
    .catch((e) => {
      throw refusedValue(e, plan.root) ?? e;
    });
  const names = index.model.fieldDefinitions().map(({ name }) => name);
  const fielddata = new Fielddata(index.model);
  const documents = new Map(statistics?.fields.map((each) => [each.field, each.documents]));
  const explain = () =>
    readExplanationNodes(sortValues, places).map((facts, i) => {
      const values = (field: number) => {
        const [document, name] = [shard.documents.byKey(keys[i]!), names[field]];
        if (document === undefined || name === undefined) return [];
        const found = fielddata.values(document, [name]).get(name) ?? [];
        return found.flatMap((value) =>
          typeof value === 'string' ? [] : typeof value === 'bigint' ? Number(value) : value,
        );
      };
      return facts && explaining.loaded.explanation(facts, names, values, documents);
    });
  return shard.elsewhere === undefined ? explain() : readElsewhere([shard], limit, explain);
}

/** A query as a shard rewrites it, in Lucene's syntax. */
export async function rewrittenText(
  index: OpenIndex,
  shard: SearchedShard,
  root: PlanNode,
  limit: WorkLimit,
): Promise<string> {
  const places = new Map<number, PlanNode>();
  const plan = { k: 0, inOrder: false, root, explain: [] };
  const { sortValues } = await shard.searches.query(() => encodePlan(plan, shard, places), limit);
  const [facts] = readExplanationNodes(sortValues, places);
  const names = index.model.fieldDefinitions().map(({ name }) => name);
  return facts === undefined ? '' : explaining.loaded.printExplanationNode(facts.root, names);
}

/** The statistics of all shards together, for each of them; fields of one name are one field in all indices. */
export async function gatherStatistics(parts: readonly Searched[], limit: WorkLimit): Promise<Statistics[]> {
  const found = await Promise.all(parts.map((part) => gather(part, limit)));
  const terms = new Map<string, { df: number; frequency: number }>();
  const fields = new Map<string, { documents: number; frequency: number }>();
  for (const own of found) {
    for (const [key, { df, frequency }] of own.terms) {
      const sum = terms.get(key) ?? { df: 0, frequency: 0 };
      terms.set(key, { df: sum.df + df, frequency: together(sum.frequency, frequency) });
    }
    for (const [name, { documents, frequency }] of own.fields) {
      const sum = fields.get(name) ?? { documents: 0, frequency: 0 };
      fields.set(name, {
        documents: sum.documents + documents,
        frequency: together(sum.frequency, frequency),
      });
    }
  }
  return found.map((own) => ({
    terms: [...own.terms].map(([key, { field, term }]) => ({ field, term, ...terms.get(key)! })),
    fields: [...own.fields].map(([name, { field }]) => ({ field, ...fields.get(name)! })),
  }));
}

/** How often something occurs in two places; -1 where that is unknown of one. */
function together(a: number, b: number): number {
  return a < 0 || b < 0 ? -1 : a + b;
}

/** What one shard knows of the terms that it scores by. */
interface ShardStatistics {
  /** By field and term. */
  terms: Map<string, TermStatistics>;
  /** By name. */
  fields: Map<string, FieldMemoryStats>;
}

async function gather({ index, shard, search }: Searched, limit: WorkLimit): Promise<ShardStatistics> {
  const plan = { ...scoring(search), gather: true };
  const { sortValues: bytes } = await shard.searches.query(() => encodePlan(plan, shard), limit);
  const names = index.model.fieldDefinitions().map(({ name }) => name);
  const nameOf = (field: number) => `${names[field] ?? field}`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const terms: ShardStatistics['terms'] = new Map();
  const fields: ShardStatistics['fields'] = new Map();
  let at = 4;
  for (let i = view.getUint32(0, true); i > 0; i--) {
    const [field, df] = [view.getUint16(at, true), view.getUint32(at + 2, true)];
    const frequency = view.getFloat64(at + 6, true);
    const term = bytes.slice(at + 16, at + 16 + view.getUint16(at + 14, true));
    terms.set(`${nameOf(field)}\n${[...term].join()}`, { field, term, df, frequency });
    at += 16 + term.length;
  }
  const end = at + 2 + view.getUint16(at, true) * 14;
  for (at += 2; at < end; at += 14) {
    const [field, documents] = [view.getUint16(at, true), view.getUint32(at + 2, true)];
    fields.set(nameOf(field), { field, documents, frequency: view.getFloat64(at + 6, true) });
  }
  return { terms, fields };
}
