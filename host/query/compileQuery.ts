/** A query alone becomes a plan: as for a count, and as the part of a search that finds its hits. */

import type { PlanNode } from '../plan/nodes.js';
import type { Plan } from '../plan/plan.js';
import { rewrite, rewriteFilter } from '../plan/rewrite.js';
import { Compiler } from './compiler.js';
import { matchAll } from './context.js';
import type { SearchContext } from './searchContext.js';
import { searched, withFilters } from './visible.js';

/** Compiles a query alone, as for a count: `k` hits are wanted. */
export function compileQuery(query: unknown, context: SearchContext, k = 0): Plan {
  const compiler = new Compiler(context);
  const node = query === undefined ? matchAll() : compiler.query(query);
  if (compiler.refusal !== undefined) throw compiler.refusal;
  return compilePlan(node, undefined, k, context, compiler);
}

/** The plan of a query; a type in the URL or a filter of an alias makes it score document by document. */
export function compilePlan(
  query: PlanNode,
  postFilter: PlanNode | undefined,
  wanted: number,
  context: SearchContext,
  compiler: Compiler,
  explained = false,
): Plan {
  const byType = context.types !== undefined && context.types.length > 0;
  // Explanations tell of types even where every document is of one.
  const whole = explained
    ? withFilters(query, context, compiler, byType)
    : searched(query, context, compiler);
  const similarities = context.model.similarities();
  return {
    ...(similarities.size === 0 ? {} : { similarities }),
    k: Math.min(wanted, 0xffff_ffff),
    inOrder: byType || context.filter !== undefined || context.model.hasNested,
    root: rewrite(whole),
    postFilter: postFilter === undefined || postFilter.kind === 'all' ? undefined : rewriteFilter(postFilter),
  };
}
