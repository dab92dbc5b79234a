import type { NamedQuery } from './corpus.js';
import type { OracleBench } from './oracle.js';
import { Progress } from './progress.js';
import type { Resilin } from './resilin.js';
import { type Latency, ofCategory, overRounds, timed } from './statistics.js';

/** One query's figures over all rounds. */
export interface QueryFigures {
  readonly name: string;
  readonly category: string;
  readonly total: number;
  /** The query file's number of matches. */
  readonly expected: number | undefined;
  readonly core: Latency;
  readonly engine: Latency;
  readonly lucene: (Latency & { total: number }) | undefined;
}

export interface CategoryFigures {
  readonly category: string;
  readonly queries: number;
  readonly core: Latency;
  readonly engine: Latency;
  readonly lucene: Latency | undefined;
}

interface Rounds {
  readonly core: Latency[];
  readonly engine: Latency[];
  readonly lucene: (Latency & { total: number })[];
}

/** Times every query in every round: first at the core, then through the engine, then, in a pass of its own, in Lucene. */
export async function runRounds(
  resilin: Resilin,
  oracle: OracleBench | undefined,
  queries: readonly NamedQuery[],
  rounds: number,
  seconds: number,
): Promise<QueryFigures[]> {
  const all: Rounds[] = queries.map(() => ({ core: [], engine: [], lucene: [] }));
  const plans = queries.map(({ query }) => resilin.plan(query));
  const bodies = queries.map(({ query }) => JSON.stringify({ query }));
  for (let round = 0; round < rounds; round++) {
    const ours = new Progress(`round ${round + 1}/${rounds}, Resilin`, queries.length);
    for (const [i, each] of all.entries()) {
      const plan = plans[i] as Uint8Array;
      const body = bodies[i] as string;
      each.core.push(timed(() => resilin.searchCore(plan), seconds));
      each.engine.push(timed(() => resilin.search(body), seconds / 2));
      ours.update(i + 1);
      // Lets signals and the progress bar through.
      await new Promise((turn) => setImmediate(turn));
    }
    ours.end();
    if (oracle === undefined) continue;
    const theirs = new Progress(`round ${round + 1}/${rounds}, Lucene`, queries.length);
    const results = await oracle.round((done) => theirs.update(done));
    for (const [i, result] of results.entries()) all[i]?.lucene.push(result);
    theirs.end();
  }
  return queries.map(({ name, category, hits }, i) => {
    const { core, engine, lucene } = all[i] as Rounds;
    const total = resilin.search(bodies[i] as string).total;
    return {
      name,
      category,
      total,
      expected: hits,
      core: overRounds(core),
      engine: overRounds(engine),
      lucene: lucene[0] && { ...overRounds(lucene), total: lucene[0].total },
    };
  });
}

/** The figures of each category, in the order of the query file. */
export function byCategory(queries: readonly QueryFigures[]): CategoryFigures[] {
  const groups = new Map<string, QueryFigures[]>();
  for (const query of queries) groups.set(query.category, [...(groups.get(query.category) ?? []), query]);
  return [...groups].map(([category, group]) => {
    const lucene = group.flatMap((query) => (query.lucene ? [query.lucene] : []));
    return {
      category,
      queries: group.length,
      core: ofCategory(group.map((query) => query.core)),
      engine: ofCategory(group.map((query) => query.engine)),
      lucene: lucene.length === group.length ? ofCategory(lucene) : undefined,
    };
  });
}
