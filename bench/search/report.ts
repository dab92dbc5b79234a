import type { Census } from './census.js';
import type { Comparison } from './check.js';
import type { OracleIndexing } from './oracle.js';
import type { PeersReport } from './peerRounds.js';
import type { PostingFigures } from './postings.js';
import type { Indexing } from './resilin.js';
import type { CategoryFigures, QueryFigures } from './run.js';
import { median } from './statistics.js';
import { megabytes, short, table, thousands } from './table.js';

const SHOWN_DIFFERENCES = 30;

export function printIndexing(indexing: Indexing, parts: Census): void {
  const { bytes } = parts;
  const each = (part: number): string[] => [megabytes(part), short(part / parts.postings)];
  console.log(`Indexing, Resilin: ${indexingLine(indexing)}`);
  console.log(
    `${thousands(parts.documents)} documents, ${thousands(parts.terms)} terms, ${thousands(parts.postings)} postings; ` +
      `peak linear memory ${megabytes(indexing.memoryBytes)}\n`,
  );
  console.log(
    `${table(
      ['image', 'size', 'bytes a posting'],
      [
        ['postings', ...each(bytes.postings)],
        ['positions', ...each(bytes.positions)],
        ['dictionary', ...each(bytes.dictionary)],
        ['norms', ...each(bytes.norms)],
        ['whole image', ...each(bytes.image)],
      ],
    )}\n`,
  );
}

export function printOracleIndexing(theirs: OracleIndexing, again: Indexing): void {
  const ms = theirs.index_ms + theirs.force_merge_ms;
  console.log(`Indexing, Resilin again: ${indexingLine(again)}`);
  console.log(
    `Indexing, Lucene: ${thousands((theirs.docs * 1000) / ms)} docs/s (${short(theirs.index_ms / 1000)} s, ` +
      `merge ${short(theirs.force_merge_ms / 1000)} s), ${megabytes(theirs.bytes)}\n`,
  );
}

function indexingLine({ docs, bytes, ms, applyMs, refreshMs, mergeMs }: Indexing): string {
  const seconds = [applyMs, refreshMs, mergeMs].map((part) => short(part / 1000));
  return (
    `${thousands((docs * 1000) / ms)} docs/s, ${short(bytes / 1000 / ms)} MB/s ` +
    `(apply ${seconds[0]} s, refresh ${seconds[1]} s, merge ${seconds[2]} s)`
  );
}

export function printCategories(categories: readonly CategoryFigures[]): void {
  const withLucene = categories.some((each) => each.lucene !== undefined);
  const head = ['category', 'queries', 'core', 'p95', 'engine', 'p95'];
  const rows = categories.map(({ category, queries, core, engine, lucene }) => [
    category,
    String(queries),
    ...[core, engine].flatMap(({ median: middle, p95 }) => [short(middle), short(p95)]),
    ...(lucene
      ? [
          short(lucene.median),
          short(lucene.p95),
          short(core.median / lucene.median),
          short(engine.median / lucene.median),
        ]
      : []),
  ]);
  if (withLucene) head.push('Lucene', 'p95', 'core/Lucene', 'engine/Lucene');
  console.log(
    `Latency in microseconds, medians and 95th percentiles, top 10 and exact total\n${table(head, rows)}\n`,
  );
}

/** Totals against the query file (where it speaks of this corpus) and against Lucene's. */
export function printTotals(queries: readonly QueryFigures[], ofCorpus: boolean): void {
  const wrong: string[] = [];
  let compared = 0;
  for (const { name, total, expected, lucene } of queries) {
    const others = [
      ...(ofCorpus && expected !== undefined ? [['the query file', expected] as const] : []),
      ...(lucene ? [['Lucene', lucene.total] as const] : []),
    ];
    if (others.length > 0) compared++;
    for (const [who, other] of others) if (other !== total) wrong.push(`${name}: ${total}, ${who} ${other}`);
  }
  console.log(
    `Totals: ${compared} queries compared, ${wrong.length} differences${wrong.length > 0 ? ':' : ''}`,
  );
  console.log(`${list(wrong)}`);
}

export function printComparison(comparison: Comparison): void {
  const { queries, totalsEqual, ordersEqual, scores, scoresBitEqual, worstError, differences } = comparison;
  console.log(
    `Check against Lucene: ${queries} queries; totals equal ${totalsEqual}, order of hits equal ${ordersEqual}, ` +
      `scores equal to the bit ${scoresBitEqual} of ${scores}, largest relative error ${worstError.toExponential(1)}`,
  );
  console.log(list(differences));
}

/** The median over the terms. */
export function nanosecondsPerPosting(postings: readonly PostingFigures[]): number {
  return median(postings.map((each) => each.nanoseconds));
}

export function printPostings(postings: readonly PostingFigures[]): void {
  if (postings.length === 0) return;
  const rows = [...postings]
    .sort((a, b) => b.documents - a.documents)
    .map(({ term, documents, density, nanoseconds, prunedNanoseconds }) => [
      term,
      thousands(documents),
      `${short(density * 100)} %`,
      short(nanoseconds),
      short(prunedNanoseconds),
    ]);
  const head = ['one term', 'documents', 'density', 'ns a posting, all scored', 'ns a posting, pruned'];
  console.log(`${table(head, rows)}\n`);
}

export function printPeers({ docs, resilinIndexMs, peers, fastest }: PeersReport): void {
  const rate = (ms: number): string => thousands((docs * 1000) / ms);
  console.log(`Peers, ${thousands(docs)} documents; Resilin indexes ${rate(resilinIndexMs)} docs/s`);
  console.log(
    table(
      [
        'library',
        'docs/s',
        'queries',
        'other totals',
        'median us',
        'Resilin core',
        'engine',
        'times',
        'by engine',
      ],
      peers.map(({ name, indexMs, queries, otherTotals, medians }) => [
        name,
        rate(indexMs),
        String(queries.length),
        String(otherTotals),
        short(medians.peer),
        short(medians.core),
        short(medians.engine),
        short(median(queries.map((query) => query.peer.median / query.core.median))),
        short(median(queries.map((query) => query.peer.median / query.engine.median))),
      ]),
    ),
  );
  for (const { name, categories } of peers) {
    console.log(
      `${name} says exactly: ${Object.entries(categories)
        .map(([category, count]) => `${category} ${count}`)
        .join(', ')}`,
    );
  }
  console.log(
    `Fastest library of each of ${fastest.queries} queries: Resilin is ${short(fastest.timesFasterCore)} times faster ` +
      `at the core, ${short(fastest.timesFasterEngine)} times with the engine (medians)\n`,
  );
}

function list(lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN_DIFFERENCES).map((line) => `  ${line}\n`);
  const more = lines.length - shown.length;
  return shown.join('') + (more > 0 ? `  … and ${more} more\n` : '');
}
