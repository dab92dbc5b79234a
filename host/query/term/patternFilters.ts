/** The filters `prefix` and `regexp`. */

import { queryParsing } from '../../errors.js';
import { isObject, strictIntOf, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  asFilter,
  cached,
  type FilterCompiler,
  type FilterKind,
  NOTHING,
  Options,
  ofType,
  resolve,
} from '../context.js';
import { emptyHasNoField } from '../emptyOptions.js';
import { filterOptions } from '../filterOptions.js';
import { metaPrefix } from './meta.js';
import { metaMatching } from './metaPatterns.js';
import { multiTerm, patternOn, readFlags } from './patterns.js';
import { regexpMatcher } from './termMatchers.js';

const prefix: FilterCompiler = (body, dsl, name) => {
  // The last scalar counts, whatever it stands under.
  const scalars = filterOptions(body, dsl, name)
    .rest()
    .flatMap(([field, given]) => {
      const value = [given]
        .flat(Number.POSITIVE_INFINITY)
        .flatMap((each) => textOf(each) ?? [])
        .at(-1);
      return value === undefined ? [] : [[field, value] as const];
    });
  const entry = scalars.at(-1);
  if (entry === undefined) throw queryParsing(dsl.index, 'No value specified for prefix filter');
  const [, value] = entry;
  const meta = metaPrefix(entry[0], value, dsl);
  if (meta !== undefined) return cached(asFilter(meta, () => `PrefixFilter(${entry[0]}:${value})`));
  const resolved = resolve(dsl, entry[0]);
  const bytes = resolved.field === undefined ? textTerm(value) : resolved.field.term(value);
  const node: PlanNode = { kind: 'prefix', field: resolved.number, prefix: bytes };
  return ofType(resolved, cached(asFilter(node, () => `PrefixFilter(${resolved.name}:${value})`)));
};

export const prefixFilter: FilterKind = { names: ['prefix'], read: prefix, reach: 'found' };

const regexp: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  let flags = readFlags(options.text('flags'), options.scalar('flags_value'));
  readMost(options);
  const [entry] = options.rest();
  let value = entry?.[1];
  if (isObject(value)) {
    const inner = new Options(dsl, name, value, 'filter', { ignored: NOTHING });
    value = inner.scalar('value');
    const own = inner.text('flags');
    const number = inner.scalar('flags_value');
    if (own !== undefined || number !== undefined) flags = readFlags(own, number);
    readMost(inner);
    inner.end();
  }
  const pattern = textOf(value);
  if (entry === undefined || pattern === undefined) {
    throw queryParsing(dsl.index, 'No value specified for regexp filter');
  }
  const matcher = regexpMatcher(pattern, flags);
  const meta = metaMatching(entry[0], matcher, dsl, (text) => regexpMatcher(text + pattern, flags));
  if (meta !== undefined) return cached(asFilter(meta, () => `${entry[0]}:${pattern}`));
  const resolved = resolve(dsl, entry[0]);
  const own = patternOn(resolved, pattern, (text) => regexpMatcher(text, flags));
  return ofType(resolved, cached(asFilter(multiTerm(resolved, own), () => `${resolved.name}:${pattern}`)));
};

export const regexpFilter: FilterKind = {
  names: ['regexp'],
  read: regexp,
  reach: 'found',
  empty: emptyHasNoField,
};

/** Automata are bounded in another way. */
function readMost(options: Options): void {
  const most = options.scalar('max_determinized_states', 'maxDeterminizedStates');
  if (most !== undefined) strictIntOf(most);
}
