/** `order` of buckets: by count, by key, or by a number of an aggregation below. */

import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { isObject } from '../json/values.js';
import type { Aggregation, Bucket, OrderTarget } from './aggregation.js';
import { malformed } from './body.js';

export interface Order {
  by: 'count' | 'key' | 'metric';
  ascending: boolean;
  /** The path of a metric as it was given. */
  path: string;
}

/** A number that the core doesn't know: buckets are put in order here. */
export const UNKNOWN_METRIC = 0xff;

export const BY_COUNT: Order = { by: 'count', ascending: false, path: '_count' };
export const BY_KEY: Order = { by: 'key', ascending: true, path: '_term' };

/** One key of an order; `kind` is `terms` or what errors call another aggregation. */
export function readOrder(path: string, direction: unknown, keyName: string, complaint: string): Order {
  const text = String(direction).toLowerCase();
  if (text !== 'asc' && text !== 'desc') throw malformed(complaint);
  const by = path === '_count' ? 'count' : path === keyName ? 'key' : 'metric';
  if (by === 'metric') elementsOf(path);
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

/** A step of a path as it is written: the name of an aggregation, and of a number of it. */
interface Element {
  text: string;
  name: string;
  key: string | undefined;
}

/** Takes a path apart; throws what 1.7 says of one that can't be. */
function elementsOf(path: string): Element[] {
  const parts = path.split('>').map((part) => part.trim());
  const texts = parts.filter((text) => text !== '');
  if (texts.length === 0) throw illegalArgument('Invalid path []');
  return texts.map((text, i) => {
    const refuse = () =>
      new ElasticsearchError(
        'AggregationExecutionException',
        `Invalid path element [${text}] in path [${path}]`,
        { status: 400 },
      );
    const bracket = text.lastIndexOf('[');
    if (bracket >= 0) {
      if (bracket === 0 || bracket > text.length - 3 || !text.endsWith(']')) throw refuse();
      return { text, name: text.slice(0, bracket), key: text.slice(bracket + 1, -1) };
    }
    const dot = i === texts.length - 1 ? text.lastIndexOf('.') : -1;
    if (dot < 0) return { text, name: text, key: undefined };
    if (dot === 0 || dot > text.length - 2) throw refuse();
    return { text, name: text.slice(0, dot), key: text.slice(dot + 1) };
  });
}

/** Finds what a path names below some aggregations; throws what 1.7 throws when a search begins. */
export function findTarget(given: string, children: readonly Aggregation[]): Target {
  const elements = elementsOf(given);
  const path = elements.map(({ text }) => text).join('>');
  let siblings = children;
  const steps: number[] = [];
  let at: Aggregation | undefined;
  for (const { name, key } of elements) {
    const i = siblings.findIndex((each) => each.name === name);
    at = siblings[i];
    if (at === undefined)
      throw invalid(`Invalid term-aggregator order path [${path}]. Unknown aggregation [${name}]`);
    steps.push(i);
    // The part of the path that 1.7 means to name comes out as all of it.
    if (steps.length < elements.length && (at.shape !== 'single' || key !== undefined))
      throw invalid(`${throughSeveral(path)} Sub-path [${path}] points to non single-bucket aggregation`);
    siblings = at.children;
  }
  const aggregation = at!;
  const { name, key } = elements.at(-1)!;
  if (aggregation.shape === 'several' || (aggregation.shape === 'metric' && aggregation.targets().size === 0))
    throw invalid(throughSeveral(path));
  return { steps, aggregation, ...numberOf(path, name, key, aggregation) };
}

function throughSeveral(path: string): string {
  return `Invalid terms aggregation order path [${path}]. Terms buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.`;
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

/**
 * What 1.7 says when it compares two buckets of a histogram by what a path names below them; undefined if that is a number. Of such
 * paths it finds out nothing before.
 */
export function histogramOrderProblem(
  given: string,
  children: readonly Aggregation[],
): ElasticsearchError | undefined {
  const elements = elementsOf(given);
  const path = elements.map(({ text }) => text).join('>');
  const refuse = (detail: string) => illegalArgument(`Invalid order path [${path}]. ${detail}`);
  let siblings = children;
  for (const [i, { text, name, key }] of elements.entries()) {
    const at = siblings.find((each) => each.name === name);
    if (at === undefined) return refuse(`Cannot find aggregation named [${name}]`);
    if (at.shape === 'single') {
      if (key !== undefined && key !== 'doc_count')
        return refuse(
          `Unknown value key [${key}] for single-bucket aggregation [${name}]. Either use [doc_count] as key or drop the key all together`,
        );
      siblings = at.children;
      continue;
    }
    if (i + 1 < elements.length)
      return refuse(
        `Metrics aggregations cannot have sub-aggregations (at [${text}>${elements[i + 1]!.text}]`,
      );
    if (at.isSingleValue) {
      if (key === undefined || key === 'value') return undefined;
      return refuse(
        `Unknown value key [${key}] for single-value metric aggregation [${name}]. Either use [value] as key or drop the key all together`,
      );
    }
    if (key === undefined)
      return refuse(`Missing value key in [${text}] which refers to a multi-value metric aggregation`);
  }
  return undefined;
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
