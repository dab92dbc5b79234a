/** `order` of buckets: by count, by key, or by a number of an aggregation below. */

import type { PlanBytes } from '../dsl/planBytes.js';
import { ElasticsearchError } from '../errors.js';
import { isObject } from '../mapping/values.js';
import type { Aggregation, Bucket, OrderTarget } from './aggregation.js';
import { malformed } from './body.js';

export interface Order {
  by: 'count' | 'key' | 'metric';
  ascending: boolean;
  /** The path of a metric as it was given. */
  path: string;
}

export const BY_COUNT: Order = { by: 'count', ascending: false, path: '_count' };
export const BY_KEY: Order = { by: 'key', ascending: true, path: '_term' };

/** One key of an order; `kind` is `terms` or what errors call another aggregation. */
export function readOrder(path: string, direction: unknown, keyName: string, complaint: string): Order {
  const text = String(direction).toLowerCase();
  if (text !== 'asc' && text !== 'desc') throw malformed(complaint);
  const by = path === '_count' ? 'count' : path === keyName ? 'key' : 'metric';
  return { by, ascending: text === 'asc', path };
}

/** An order as an object or a list of them. */
export function orderEntries(value: unknown): [string, unknown][] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => (isObject(each) ? Object.entries(each) : []));
}

/** A step of a path to a metric. */
export interface Target {
  /** The numbers of the aggregations on the way, each among its siblings. */
  steps: number[];
  aggregation: Aggregation;
  /** What the last one calls the number. */
  name: string;
  found: OrderTarget;
}

function invalid(detail: string): ElasticsearchError {
  return new ElasticsearchError('AggregationExecutionException', detail);
}

/** Finds what a path names below some aggregations; throws what 1.7 throws when a search begins. */
export function findTarget(path: string, children: readonly Aggregation[]): Target {
  const names = path.split('>').map((part) => part.trim());
  const last = names.pop() ?? '';
  const bracket = /^(.*)\[(.*)\]$/.exec(last);
  const dot = last.indexOf('.');
  const metric = bracket !== null ? bracket[2] : dot < 0 ? undefined : last.slice(dot + 1);
  const leaf = bracket !== null ? (bracket[1] ?? '') : dot < 0 ? last : last.slice(0, dot);
  let siblings = children;
  const steps: number[] = [];
  let at: Aggregation | undefined;
  for (const name of [...names, leaf]) {
    const i = siblings.findIndex((each) => each.name === name);
    at = siblings[i];
    if (at === undefined)
      throw invalid(`Invalid term-aggregator order path [${path}]. Unknown aggregation [${name}]`);
    steps.push(i);
    const isLast = steps.length === names.length + 1;
    if (!isLast && at.shape !== 'single') throw throughSeveral(path, at);
    siblings = at.children;
  }
  const aggregation = at!;
  if (aggregation.shape === 'several') throw throughSeveral(path, aggregation);
  return { steps, aggregation, ...numberOf(path, leaf, metric, aggregation) };
}

function throughSeveral(path: string, at: Aggregation): ElasticsearchError {
  return invalid(
    `Invalid terms aggregation order path [${path}]. Terms buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end. Sub-path [${at.name}] points to non single-bucket aggregation`,
  );
}

/** The targets of orders by a metric; throws what {@link findTarget} throws. */
export function targetsOf(orders: readonly Order[], children: readonly Aggregation[]): Target[] {
  return orders.flatMap(({ by, path }) => (by === 'metric' ? [findTarget(path, children)] : []));
}

function numberOf(
  path: string,
  leaf: string,
  metric: string | undefined,
  aggregation: Aggregation,
): Pick<Target, 'name' | 'found'> {
  const targets = aggregation.targets();
  const start = `Invalid terms aggregation order path [${path}].`;
  if (aggregation.shape === 'single') {
    const found = targets.get('doc_count')!;
    if (metric === undefined || metric === 'doc_count') return { name: 'doc_count', found };
    throw invalid(
      `${start} Ordering on a single-bucket aggregation can only be done on its doc_count. Either drop the key (a la "${leaf}") or change it to "doc_count" (a la "${leaf}.doc_count")`,
    );
  }
  if (aggregation.isSingleValue) {
    const [[name, found]] = [...targets] as [[string, OrderTarget]];
    if (metric === undefined || metric === 'value') return { name, found };
    throw invalid(
      `${start} Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la "${leaf}") or change it to "value" (a la "${leaf}.value")`,
    );
  }
  if (metric === undefined) {
    throw invalid(
      `${start} When ordering on a multi-value metrics aggregation a metric name must be specified`,
    );
  }
  const found = targets.get(metric);
  if (found === undefined) {
    throw invalid(`${start} Unknown metric name [${metric}] on multi-value metrics aggregation [${leaf}]`);
  }
  return { name: metric, found };
}

/** Writes orders as the core reads them; those it has no numbers for can't be told apart there. */
export function writeOrders(bytes: PlanBytes, orders: readonly Order[], targets: readonly Target[]): void {
  bytes.u8(orders.length);
  let next = 0;
  for (const { by, ascending } of orders) {
    bytes.u8(by === 'count' ? 0 : by === 'key' ? 1 : 2);
    bytes.u8(ascending ? 1 : 0);
    if (by !== 'metric') continue;
    const { steps, found } = targets[next++]!;
    bytes.u8(steps.length);
    for (const step of steps) bytes.u16(step);
    bytes.u8(found.metric);
    bytes.f64(found.argument);
  }
}

/** Compares two reduced buckets. */
export function bucketOrder<B extends Bucket>(
  orders: readonly Order[],
  targets: readonly Target[],
  compareKeys: (a: B, b: B) => number,
): (a: B, b: B) => number {
  const metrics = targets.map(({ steps, name, aggregation }) => (bucket: Bucket) => {
    let partial: unknown = bucket.below[steps[0]!];
    for (const step of steps.slice(1)) partial = (partial as Bucket).below[step];
    return aggregation.number(partial, name);
  });
  return (a, b) => {
    let next = 0;
    for (const { by, ascending } of orders) {
      let order: number;
      if (by === 'count') order = a.docs - b.docs;
      else if (by === 'key') order = compareKeys(a, b);
      else {
        const value = metrics[next++]!;
        const [x, y] = [value(a), value(b)];
        // What is no number comes last in any order.
        if (Number.isNaN(x) || Number.isNaN(y)) {
          if (!Number.isNaN(x)) return -1;
          if (!Number.isNaN(y)) return 1;
          continue;
        }
        order = x < y ? -1 : x > y ? 1 : 0;
      }
      if (order !== 0) return ascending ? order : -order;
    }
    return compareKeys(a, b);
  };
}
