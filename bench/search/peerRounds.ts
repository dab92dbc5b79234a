import { corpusChunks, type NamedQuery, type Spec } from './corpus.js';
import { type Expression, PEER_FIELDS, toExpression } from './expression.js';
import { allPeers, type Peer, type PeerDocument } from './peers.js';
import { Progress } from './progress.js';
import { indexCorpus, type Resilin } from './resilin.js';
import { type Latency, median, overRounds, timed } from './statistics.js';

export interface PeerFigures {
  readonly name: string;
  readonly indexMs: number;
  /** Queries that it says exactly, per category. */
  readonly categories: Record<string, number>;
  /** Queries that it can put but answers with another number of matches. */
  readonly otherTotals: number;
  readonly queries: { name: string; category: string; peer: Latency; core: Latency; engine: Latency }[];
  /** Medians over those queries, in microseconds. */
  readonly medians: { peer: number; core: number; engine: number };
}

export interface PeersReport {
  readonly docs: number;
  readonly resilinIndexMs: number;
  readonly peers: PeerFigures[];
  /** Of the queries that any library says exactly: the library's time over ours, the fastest library of each query. */
  readonly fastest: { queries: number; timesFasterCore: number; timesFasterEngine: number };
}

interface Entry {
  readonly query: NamedQuery;
  readonly expression: Expression;
  readonly plan: Uint8Array;
  readonly body: string;
  readonly total: number;
  readonly core: Latency[];
  readonly engine: Latency[];
  readonly calls: { peer: Peer; call: () => number; rounds: Latency[] }[];
}

/** Indexes a part of the corpus in every library and in Resilin, and lets them take turns. */
export async function runPeers(
  wasm: Uint8Array,
  spec: Spec,
  corpus: readonly string[],
  docs: number,
  queries: readonly NamedQuery[],
  rounds: number,
  seconds: number,
): Promise<PeersReport> {
  const resilin = await indexCorpus(wasm, spec, corpus, docs);
  const documents = await peerDocuments(resilin, corpus, docs);
  const entries = queries.flatMap((query): Entry[] => {
    const expression = toExpression(query.query, (text) => resilin.terms(text));
    if (expression === undefined) return [];
    const body = JSON.stringify({ query: query.query });
    const { total } = resilin.search(body);
    const plan = resilin.plan(query.query);
    return [{ query, expression, plan, body, total, core: [], engine: [], calls: [] }];
  });

  const indexMs = new Map<Peer, number>();
  const otherTotals = new Map<Peer, number>();
  for (const peer of allPeers()) {
    process.stderr.write(`indexing ${documents.length} documents in ${peer.name}\n`);
    const start = performance.now();
    await peer.index(documents);
    indexMs.set(peer, performance.now() - start);
    for (const entry of entries) {
      const call = peer.prepare(entry.expression);
      if (call === undefined) continue;
      if (call() === entry.total) entry.calls.push({ peer, call, rounds: [] });
      else otherTotals.set(peer, (otherTotals.get(peer) ?? 0) + 1);
    }
  }

  for (let round = 0; round < rounds; round++) {
    const progress = new Progress(`round ${round + 1}/${rounds}, peers`, entries.length);
    for (const [i, { plan, body, core, engine, calls }] of entries.entries()) {
      if (calls.length > 0) {
        core.push(timed(() => resilin.searchCore(plan), seconds));
        engine.push(timed(() => resilin.search(body), seconds));
        for (const { call, rounds: theirs } of calls) theirs.push(timed(call, seconds));
      }
      progress.update(i + 1);
    }
    progress.end();
  }

  const best = entries
    .filter(({ calls }) => calls.length > 0)
    .map(({ core, engine, calls }) => {
      const peer = Math.min(...calls.map((each) => overRounds(each.rounds).median));
      return { core: peer / overRounds(core).median, engine: peer / overRounds(engine).median };
    });
  return {
    docs: documents.length,
    resilinIndexMs: resilin.indexing.ms,
    peers: [...indexMs].map(([peer, ms]) => figures(peer, ms, otherTotals.get(peer) ?? 0, entries)),
    fastest: {
      queries: best.length,
      timesFasterCore: median(best.map((each) => each.core)),
      timesFasterEngine: median(best.map((each) => each.engine)),
    },
  };
}

function figures(peer: Peer, indexMs: number, otherTotals: number, entries: readonly Entry[]): PeerFigures {
  const queries = entries.flatMap((entry) => {
    const own = entry.calls.find((each) => each.peer === peer);
    if (own === undefined) return [];
    const { name, category } = entry.query;
    const [core, engine] = [overRounds(entry.core), overRounds(entry.engine)];
    return [{ name, category, peer: overRounds(own.rounds), core, engine }];
  });
  const categories: Record<string, number> = {};
  for (const { category } of queries) categories[category] = (categories[category] ?? 0) + 1;
  return {
    name: peer.name,
    indexMs,
    categories,
    otherTotals,
    queries,
    medians: {
      peer: median(queries.map((query) => query.peer.median)),
      core: median(queries.map((query) => query.core.median)),
      engine: median(queries.map((query) => query.engine.median)),
    },
  };
}

/** The terms that Resilin indexes, with a space between. */
async function peerDocuments(
  resilin: Resilin,
  corpus: readonly string[],
  limit: number,
): Promise<PeerDocument[]> {
  const documents: PeerDocument[] = [];
  const progress = new Progress('analysing for the peers', limit);
  for await (const chunk of corpusChunks(corpus, limit, 1000)) {
    for (const { source } of chunk) {
      const [title, body] = PEER_FIELDS.map((field) => resilin.terms(String(source[field] ?? '')).join(' '));
      documents.push({ id: documents.length, title: title ?? '', body: body ?? '' });
    }
    progress.update(documents.length);
  }
  progress.end();
  return documents;
}
