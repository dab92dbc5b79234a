/** What charts draw of a group of buckets: parts of stacked bars, lines, ticks of an axis. */
import { type Bucket, type Group, measureOf } from './buckets';
import { isHistogram } from './kinds';

/** Colours that are told apart: what is beyond them is drawn together. */
export const MOST_SERIES = 6;

/** The innermost buckets of a group that get a colour of their own: those with the most in them. */
export function seriesOf(group: Group, measure: string): { labels: readonly string[]; hasRest: boolean } {
  const sums = new Map<string, number>();
  for (const { inner } of group.buckets)
    for (const bucket of inner?.buckets ?? [])
      sums.set(bucket.label, (sums.get(bucket.label) ?? 0) + Math.abs(measureOf(bucket, measure) ?? 0));
  const labels = [...sums].sort(([, a], [, b]) => b - a).map(([label]) => label);
  const hasRest = labels.length > MOST_SERIES;
  return { labels: hasRest ? labels.slice(0, MOST_SERIES - 1) : labels, hasRest };
}

/** A part of a bar. */
export interface Segment {
  /** Undefined for all that has no colour of its own. */
  label: string | undefined;
  value: number;
  /** Of the palette, from 1; 0 for the rest. */
  color: number;
}

/** The parts of a bucket's bar. Only counts and sums can be stacked; a mean or a maximum is one bar. */
export function segmentsOf(bucket: Bucket, measure: string, labels: readonly string[]): readonly Segment[] {
  const value = measureOf(bucket, measure) ?? 0;
  if (labels.length === 0 || !isSummable(measure)) return [{ label: undefined, value, color: 1 }];
  const segments = labels.map((label, i) => {
    const inner = bucket.inner?.buckets.find((each) => each.label === label);
    return { label, value: inner === undefined ? 0 : (measureOf(inner, measure) ?? 0), color: i + 1 };
  });
  const rest = value - segments.reduce((sum, each) => sum + each.value, 0);
  return [...segments, { label: undefined, value: Math.max(0, rest), color: 0 }].filter(
    (each) => each.value > 0,
  );
}

/** Whether parts of a measure make up the whole: a document with several terms counts in each of their buckets. */
export function isSummable(measure: string): boolean {
  return measure === '' || /^(sum|value_count)_/.test(measure);
}

/** Lines: x of the histogram's buckets, y of each series. Undefined where no level is a histogram. */
export interface Lines {
  isTime: boolean;
  xs: readonly number[];
  series: readonly { title: string; values: readonly (number | undefined)[] }[];
}

export function linesOf(group: Group, measure: string, title: string): Lines | undefined {
  if (isHistogram(group.kind)) {
    const { labels } = seriesOf(group, measure);
    const xs = group.buckets.map(({ key }) => xOf(group.kind, key));
    const whole = { title, values: group.buckets.map((bucket) => measureOf(bucket, measure)) };
    const parts = labels.map((label) => ({
      title: label,
      values: group.buckets.map(({ inner }) => {
        const found = inner?.buckets.find((each) => each.label === label);
        return found === undefined ? 0 : measureOf(found, measure);
      }),
    }));
    return { isTime: group.kind === 'date_histogram', xs, series: parts.length > 0 ? parts : [whole] };
  }
  const inner = group.buckets.find((bucket) => bucket.inner !== undefined)?.inner;
  if (inner === undefined || !isHistogram(inner.kind)) return undefined;
  const outer = group.buckets.slice(0, MOST_SERIES);
  const maps = outer.map(
    (bucket) =>
      new Map(bucket.inner?.buckets.map((each) => [xOf(inner.kind, each.key), measureOf(each, measure)])),
  );
  const xs = [...new Set(maps.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
  return {
    isTime: inner.kind === 'date_histogram',
    xs,
    series: outer.map(({ label }, i) => ({
      title: label,
      values: xs.map((x) => (maps[i]!.has(x) ? maps[i]!.get(x) : 0)),
    })),
  };
}

/** Where a column stands, in pixels. */
export interface ColumnPlace {
  x: number;
  width: number;
}

/** The smallest and the largest key of a scale, and how far neighbours are apart. */
export interface Domain {
  from: number;
  to: number;
  gap: number;
}

/** The scale of a histogram's buckets; undefined where they have none, or are fewer than two. */
export function domainOf(kind: string, buckets: readonly Bucket[]): Domain | undefined {
  const keys = isHistogram(kind) ? buckets.map(({ key }) => Number(String(key))) : [];
  const gap = keys
    .slice(1)
    .reduce((least, key, i) => Math.min(least, key - keys[i]!), Number.POSITIVE_INFINITY);
  return gap > 0 && gap < Number.POSITIVE_INFINITY ? { from: keys[0]!, to: keys.at(-1)!, gap } : undefined;
}

/** One scale for several. */
export function commonDomain(domains: readonly (Domain | undefined)[]): Domain | undefined {
  return domains.reduce((all, each) => {
    if (all === undefined || each === undefined) return all ?? each;
    return {
      from: Math.min(all.from, each.from),
      to: Math.max(all.to, each.to),
      gap: Math.min(all.gap, each.gap),
    };
  }, undefined);
}

/** Columns of a histogram stand where their keys are on the scale, also where buckets between them are empty; others side by side. */
export function placesOf(
  kind: string,
  buckets: readonly Bucket[],
  width: number,
  domain: Domain | undefined = domainOf(kind, buckets),
): readonly ColumnPlace[] {
  if (domain === undefined) {
    const step = width / Math.max(1, buckets.length);
    return buckets.map((_, i) => ({ x: i * step, width: step }));
  }
  const { from, to, gap } = domain;
  const span = to - from + gap;
  return buckets.map(({ key }) => ({
    x: ((Number(String(key)) - from) / span) * width,
    width: Math.max(1.5, (gap / span) * width),
  }));
}

/** Of a label below the axis, in pixels. */
const LABEL_WIDTH = 84;

/** Columns whose labels don't overlap each other, nor the edge. */
export function labelledPlaces(places: readonly ColumnPlace[], width: number): readonly number[] {
  const labelled: number[] = [];
  let free = Number.NEGATIVE_INFINITY;
  places.forEach((place, i) => {
    const middle = place.x + place.width / 2;
    if (middle < free || middle > width - LABEL_WIDTH / 4) return;
    labelled.push(i);
    free = middle + LABEL_WIDTH;
  });
  return labelled;
}

/**
 * The largest value of buckets, 0 where there is none. The parts that they are stacked of may be more than the whole: a document with several
 * values is in several of them.
 */
export function largest(buckets: readonly Bucket[], measure: string, labels: readonly string[] = []): number {
  return buckets.reduce((most, bucket) => {
    const parts = segmentsOf(bucket, measure, labels).reduce((sum, { value }) => sum + Math.abs(value), 0);
    return Math.max(most, Math.abs(measureOf(bucket, measure) ?? 0), parts);
  }, 0);
}

/** Round numbers from 0 to the maximum, or a little beyond. */
export function ticksOf(max: number, count = 4): readonly number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const raw = max / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= raw) ?? 10) * power;
  const ticks = [0];
  while (ticks.at(-1)! < max) ticks.push(ticks.length * step);
  return ticks;
}

function xOf(kind: string, key: Bucket['key']): number {
  return kind === 'date_histogram' ? Number(String(key)) / 1000 : Number(String(key));
}
