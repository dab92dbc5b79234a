/** Groups of buckets as rows: one for each innermost bucket, with the keys of those around it. */

import type { Json } from '../../api/json';
import { csvOf } from '../../components/csv';
import { type Bucket, type Group, measureNames, type Result } from './buckets';

export interface BucketRow {
  /** From the outermost to the innermost, as shown. */
  labels: readonly string[];
  bucket: Bucket;
  /** Filters of all the buckets, as far as there are any. */
  filters: readonly Json[];
  /** Of the documents of the buckets beside it, and of those that aren't shown: from 0 to 1. */
  share: number;
}

/** Titles of the columns of keys. */
export function keyTitles(group: Group): readonly string[] {
  const titles: string[] = [];
  for (let level: Group | undefined = group; level !== undefined; ) {
    titles.push(level.field === '' ? level.name : level.field);
    level = level.buckets.find(({ inner }) => inner !== undefined)?.inner;
  }
  return titles;
}

export function rowsOf(group: Group): readonly BucketRow[] {
  const rows: BucketRow[] = [];
  const visit = (each: Group, labels: readonly string[], filters: BucketRow['filters']) => {
    const sum = each.others + each.buckets.reduce((all, { count }) => all + count, 0);
    for (const bucket of each.buckets) {
      const all = [...labels, bucket.label];
      const narrowed = bucket.filter === undefined ? filters : [...filters, bucket.filter];
      if (bucket.inner !== undefined && bucket.inner.buckets.length > 0) visit(bucket.inner, all, narrowed);
      else rows.push({ labels: all, bucket, filters: narrowed, share: sum === 0 ? 0 : bucket.count / sum });
    }
  };
  visit(group, [], []);
  return rows;
}

/** All of a result as CSV. */
export function resultCsv(result: Result): string {
  const { group } = result;
  const names = measureNames(result);
  const numbers = (measures: Bucket['measures']) => names.map((name) => measures.get(name)?.toString() ?? '');
  if (group === undefined)
    return csvOf([
      ['documents', ...names],
      [String(result.total), ...numbers(result.measures)],
    ]);
  const titles = keyTitles(group);
  return csvOf([
    [...titles, 'documents', ...names],
    ...rowsOf(group).map(({ labels, bucket }) => [
      ...titles.map((_, i) => labels[i] ?? ''),
      String(bucket.count),
      ...numbers(bucket.measures),
    ]),
  ]);
}
