/** `nested` and `reverse_nested`: from documents to the objects of a nested field, and back. */

import { nestedDocumentsNode } from '../query/joining/nested.js';
import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError } from '../errors.js';
import type { JsonObject } from '../json/values.js';
import type { Aggregation } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, malformed, readKeys } from './body.js';
import { nothingBelow, Single } from './singles.js';

/** In place of a filter's number: documents that are not nested. */
const NOT_NESTED = 0xffff;

class Nested extends Single {
  readonly #objects: number;
  readonly #above: number;

  constructor(name: string, objects: number, above: number) {
    super(name);
    this.#objects = objects;
    this.#above = above;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.nested);
    bytes.u16(this.#objects);
    bytes.u16(this.#above);
  }
}

class ReverseNested extends Single {
  readonly #documents: number;

  constructor(name: string, documents: number) {
    super(name);
    this.#documents = documents;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.reverseNested);
    bytes.u16(this.#documents);
  }
}

/** Reads the path of a body that has no other key. */
function pathOf(name: string, body: JsonObject): string | undefined {
  let path: string | undefined;
  readKeys(
    name,
    body,
    (value, token, key) => {
      if (key !== 'path' || token !== 'VALUE_STRING') return false;
      path = String(value);
      return true;
    },
    ['VALUE_STRING'],
  );
  return path;
}

/** The number of the filter of a nested field's objects; undefined where the mapping has no such field. */
function objectsOf(kind: string, path: string, context: AggregationContext): number | undefined {
  const { dsl, filters } = context;
  const object = dsl.model.objectAt(path);
  if (object === undefined) return undefined;
  if (object.nested === undefined) {
    const detail = `[${kind}] nested path [${path}] is not nested`;
    context.failure ??= new ElasticsearchError('AggregationExecutionException', detail);
    return undefined;
  }
  filters.push(nestedDocumentsNode(path));
  return filters.length - 1;
}

function filterOf(path: string | undefined, { filters }: AggregationContext): number {
  if (path === undefined) return NOT_NESTED;
  filters.push(nestedDocumentsNode(path));
  return filters.length - 1;
}

export function nestedAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  const path = pathOf(name, body);
  if (path === undefined) throw malformed(`Missing [path] field for nested aggregation [${name}]`);
  const objects = objectsOf('nested', path, context);
  const made =
    objects === undefined
      ? nothingBelow(name, context)
      : new Nested(name, objects, filterOf(context.inside, context));
  made.inside = { path, nested: true };
  return made;
}

export function reverseNestedAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const path = pathOf(name, body);
  if (!context.nested) {
    const detail = `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`;
    context.failure ??= malformed(detail);
  }
  const documents = path === undefined ? NOT_NESTED : objectsOf('reverse_nested', path, context);
  const made = documents === undefined ? nothingBelow(name, context) : new ReverseNested(name, documents);
  made.inside = { path, nested: context.nested };
  return made;
}
