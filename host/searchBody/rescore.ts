/** The `rescore` of a search: other queries that score the first hits again. */

import { invokedOnNull, nullPointer } from '../compat17/javaCasts.js';
import { ElasticsearchError, parseFailure } from '../errors.js';
import { isCompound, isObject, strictFloatOf, strictIntOf, textOf } from '../json/values.js';
import { type Rescore, RescoreMode } from '../plan/plan.js';
import { rewrite } from '../plan/rewrite.js';
import type { Compiler } from '../query/compiler.js';

const DEFAULT_WINDOW = 10;

/** One rescorer or a list of them. */
export function compileRescore(json: unknown, compiler: Compiler): Rescore[] {
  if (Array.isArray(json)) return json.map((each) => rescorer(each, compiler));
  return [rescorer(json, compiler)];
}

function rescorer(json: unknown, compiler: Compiler): Rescore {
  let window = DEFAULT_WINDOW;
  let rescore: Rescore | undefined;
  for (const [key, value] of Object.entries(isObject(json) ? json : {})) {
    if (key === 'query') {
      if (!isObject(value)) throw parseFailure('rescore type malformed, must start with start_object');
      rescore = queryRescorer(value, compiler);
    } else if (key === 'window_size' && !isCompound(value) && value !== null)
      window = Math.max(0, strictIntOf(value));
    else if (value !== null && !isCompound(value)) throw illegal(`rescore doesn't support [${key}]`);
  }
  if (rescore === undefined) throw illegal('missing rescore type');
  return { ...rescore, window };
}

function queryRescorer(json: Record<string, unknown>, compiler: Compiler): Rescore {
  const rescore: Rescore = {
    window: DEFAULT_WINDOW,
    node: { kind: 'none' },
    queryWeight: 1,
    rescoreWeight: 1,
    mode: RescoreMode.total,
  };
  let found = false;
  for (const [key, value] of Object.entries(json)) {
    if (key === 'rescore_query') {
      rescore.node = rewrite(compiler.query(value));
      found = true;
    } else if (key === 'query_weight') rescore.queryWeight = strictFloatOf(value);
    else if (key === 'rescore_query_weight') rescore.rescoreWeight = strictFloatOf(value);
    else if (key === 'score_mode') {
      const mode = textOf(value) ?? '';
      if (!Object.hasOwn(RescoreMode, mode)) throw illegal(`[rescore] illegal score_mode [${mode}]`);
      rescore.mode = RescoreMode[mode as keyof typeof RescoreMode];
    } else if (value !== null && !isCompound(value)) throw illegal(`rescore doesn't support [${key}]`);
  }
  // 1.7 fails when it comes to score.
  if (!found)
    throw nullPointer(
      invokedOnNull('org.apache.lucene.search.Query.rewrite(org.apache.lucene.index.IndexReader)', 'query'),
    );
  return rescore;
}

function illegal(detail: string): ElasticsearchError {
  return new ElasticsearchError('ElasticsearchIllegalArgumentException', detail);
}
