/** `children`: from parents to the documents of a type whose parents they are. */

import { cached, typeNode } from '../query/context.js';
import type { PlanBytes } from '../core/planBytes.js';
import { UNKNOWN_FIELD } from '../mapping/field.js';
import type { JsonObject } from '../json/values.js';
import type { Aggregation } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, malformed, readKeys } from './body.js';
import { nothingBelow, Single } from './singles.js';

class Children extends Single {
  readonly #own: number;
  readonly #parent: number;
  readonly #type: number;

  /** The fields of the parents' uids, of parents and of children; the number of the filter of the children. */
  constructor(name: string, own: number, parent: number, type: number) {
    super(name);
    this.#own = own;
    this.#parent = parent;
    this.#type = type;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.children);
    bytes.u16(this.#own);
    bytes.u16(this.#parent);
    bytes.u16(this.#type);
  }
}

export function childrenAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  let type: string | undefined;
  readKeys(
    name,
    body,
    (value, token, key) => {
      if (key !== 'type' || token !== 'VALUE_STRING') return false;
      type = String(value);
      return true;
    },
    ['VALUE_STRING'],
  );
  if (type === undefined) throw malformed(`Missing [child_type] field for children aggregation [${name}]`);
  const made = childrenOf(name, type, context);
  made.inside = { path: undefined, nested: false };
  return made;
}

function childrenOf(name: string, type: string, context: AggregationContext): Aggregation {
  const { model } = context.dsl;
  const mapping = model.type(type);
  if (mapping === undefined) return nothingBelow(name, context);
  const { parent } = mapping;
  if (parent === undefined) throw malformed('[children] _parent field not configured');
  if (!model.hasType(parent.parentType)) return nothingBelow(name, context);
  context.filters.push(cached(typeNode([type])));
  const own = model.ownUid(parent.parentType)?.number ?? UNKNOWN_FIELD;
  return new Children(name, own, parent.number, context.filters.length - 1);
}
