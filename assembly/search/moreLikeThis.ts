import { NODE_BOOLEAN, NODE_TERM, SHOULD } from '../abi/plan';
import { ERR_MEMORY, OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { idf } from '../similarity/similarity';
import { Search } from './context';
import { LikeGroup } from './decodeParts';
import { MAX_CLAUSES, Query, QueryTerm } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { addChild, make, termNode, unwrapped } from './rewriting';
import { findTerm } from './statistics';

// More like this: the words of a text or a document that say most of it.

/** The terms of a text with the highest tf * idf, each in the field where it is most frequent. */
export function expandLike(search: Search, query: Query): Query {
  const node = make(NODE_BOOLEAN, query.boost, query.codePoints);
  for (let g: u32 = 0; g < query.partCount && requestStatus == OK; g++) {
    likeGroup(
      search,
      query,
      changetype<LikeGroup>(load<usize>(query.parts + <usize>g * sizeof<usize>())),
      node,
    );
  }
  if (requestStatus != OK) return query;
  if (node.childCount > MAX_CLAUSES) node.childCount = MAX_CLAUSES;
  node.minimumShouldMatch = <u32>load<u16>(query.minimums + ((<usize>node.childCount) << 1));
  return unwrapped(node);
}

function likeGroup(search: Search, query: Query, group: LikeGroup, node: Query): void {
  const chosen = requestAlloc(min(query.size, group.termCount) << 3);
  if (!chosen) {
    fail(ERR_MEMORY);
    return;
  }
  // Ascending by score: f32 score, u32 pointer to the term.
  let n: u32 = 0;
  for (let i: u32 = 0; i < group.termCount; i++) {
    const term = changetype<QueryTerm>(load<usize>(group.terms + <usize>i * sizeof<usize>()));
    let best: u32 = 0;
    let field = <u32>load<u16>(group.fields);
    for (let f: u32 = 0; f < group.fieldCount; f++) {
      const candidate = <u32>load<u16>(group.fields + ((<usize>f) << 1));
      if (!findTerm(search.shard, candidate, term)) {
        fail(ERR_MEMORY);
        return;
      }
      if (term.df > best) {
        best = term.df;
        field = candidate;
      }
    }
    if (best < query.leastDf || best > query.mostDf || !best) continue;
    if (!findTerm(search.shard, field, term)) {
      fail(ERR_MEMORY);
      return;
    }
    term.field = field;
    const score = <f32>term.position * idf(best, search.maxDoc);
    let k = n;
    if (n == query.size) {
      if (!n || score <= load<f32>(chosen)) continue;
      memory.copy(chosen, chosen + 8, (<usize>(n - 1)) << 3);
      k = n - 1;
    } else n++;
    while (k > 0 && load<f32>(chosen + ((<usize>(k - 1)) << 3)) > score) {
      store<u64>(chosen + ((<usize>k) << 3), load<u64>(chosen + ((<usize>(k - 1)) << 3)));
      k--;
    }
    store<f32>(chosen + ((<usize>k) << 3), score);
    store<u32>(chosen + ((<usize>k) << 3), <u32>changetype<usize>(term), 4);
  }
  for (let k: u32 = 0; k < n && requestStatus == OK; k++) {
    const at = chosen + ((<usize>k) << 3);
    const term = changetype<QueryTerm>(<usize>load<u32>(at, 4));
    // 1.7 divides by the score of the first term, which is the least.
    const boost = query.cutoff ? (query.cutoff * load<f32>(at)) / load<f32>(chosen) : <f32>1;
    term.position = 0;
    addChild(node, termNode(NODE_TERM, term.field, boost, term), SHOULD);
  }
}
