/** `missing`: the documents that have no value. */

import type { PlanBytes } from '../core/planBytes.js';
import type { JsonObject } from '../json/values.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import type { Aggregation } from './aggregation.js';
import { type AggregationContext, readKeys, sourceFrom, sourceKey, sourceKeys } from './body.js';
import { withoutFamily } from './families.js';
import { nowhere, Single } from './singles.js';
import type { ValueSource } from './source.js';

class Missing extends Single {
  readonly #source: ValueSource;

  constructor(name: string, source: ValueSource) {
    super(name);
    this.#source = source;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.missing);
    bytes.u16(this.#source.field);
  }
}

export function missingAggregation(name: string, body: JsonObject, context: AggregationContext): Aggregation {
  const keys = sourceKeys({ type: 'missing', name, scripts: false });
  readKeys(name, body, (value, token, key) => sourceKey(keys, value, token, key), []);
  const source = sourceFrom(keys, name, 'any', context);
  if (keys.field === '_parent') return withoutFamily(name, context);
  // Every document has one.
  if (keys.field === '_uid') return nowhere(name, context);
  return new Missing(name, source);
}
