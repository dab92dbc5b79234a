/** Asks shards why documents score as they do, and what they know of a query's terms. */
import type { CompiledSearch } from '../dsl/search.js';
import { encodePlan } from '../dsl/encode.js';
import { explanation } from '../dsl/explain.js';
import type { Explanation } from '../dsl/explanation.js';
import { readFacts } from '../dsl/facts.js';
import type { Plan, PlanNode, Statistics } from '../dsl/plan.js';
import { Fielddata } from '../mapping/fielddata.js';
import type { OpenIndex } from './openIndex.js';
import type { Shard } from './shard.js';

/** One shard with the search that it takes part in. */
export interface Searched {
  index: OpenIndex;
  shard: Shard;
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
  { index, shard, search, statistics }: Searched,
  keys: readonly number[],
): Promise<(Explanation | undefined)[]> {
  const places = new Map<number, PlanNode>();
  const plan = { ...scoring(search), statistics, explain: keys };
  const { sortValues } = await shard.query(() => encodePlan(plan, (uid) => shard.visibleKey(uid), places));
  const names = index.model.fieldDefinitions().map(({ name }) => name);
  const fielddata = new Fielddata(index.model);
  return readFacts(sortValues, places).map((facts, i) => {
    const values = (field: number) => {
      const [document, name] = [shard.document(keys[i]!), names[field]];
      if (document === undefined || name === undefined) return [];
      const found = fielddata.values(document, [name]).get(name) ?? [];
      return found.flatMap((value) =>
        typeof value === 'string' ? [] : typeof value === 'bigint' ? Number(value) : value,
      );
    };
    return facts && explanation(facts, names, values);
  });
}

/** The statistics of all shards together, for each of them; fields of one name are one field in all indices. */
export async function gatherStatistics(parts: readonly Searched[]): Promise<Statistics[]> {
  const found = await Promise.all(parts.map(gather));
  const maxDoc = found.reduce((sum, own) => sum + own.maxDoc, 0);
  const sums = new Map<string, number>();
  for (const { terms } of found) for (const [key, { df }] of terms) sums.set(key, (sums.get(key) ?? 0) + df);
  return found.map(({ terms }) => ({
    maxDoc,
    terms: [...terms].map(([key, { field, term }]) => ({ field, term, df: sums.get(key)! })),
  }));
}

type Terms = Map<string, { field: number; term: Uint8Array; df: number }>;

async function gather({ index, shard, search }: Searched): Promise<{ maxDoc: number; terms: Terms }> {
  const plan = { ...scoring(search), gather: true };
  const { sortValues: bytes } = await shard.query(() => encodePlan(plan, (uid) => shard.visibleKey(uid)));
  const names = index.model.fieldDefinitions().map(({ name }) => name);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const terms: Terms = new Map();
  for (let i = view.getUint32(4, true), at = 8; i > 0; i--) {
    const [field, df] = [view.getUint16(at, true), view.getUint32(at + 2, true)];
    const term = bytes.slice(at + 8, at + 8 + view.getUint16(at + 6, true));
    terms.set(`${names[field] ?? field}\n${[...term].join()}`, { field, term, df });
    at += 8 + term.length;
  }
  return { maxDoc: view.getUint32(0, true), terms };
}
