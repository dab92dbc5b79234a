import { NODE_BOOLEAN, NODE_TERM, SHOULD } from '../../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../../abi/status';
import { requestAlloc } from '../../memory/arena';
import { bytesNext, f32Next, pointers, structNext, termNext, u16Next, u32Next } from '../../plan/planReader';
import { MAX_CLAUSES, Query, QueryTerm } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { idf } from '../../similarity/similarity';
import { Search } from '../context';
import { Decoding } from '../decoding';
import { addChild, make, termNode, unwrapped } from '../rewriting';
import { findTerm } from '../statistics';
import { minimumsNext } from '../termMinimums';

// More like this: the words of a text or a document that say most of it.

/** Most terms of all texts. */
const MAX_TERMS: u32 = 16384;

/** Terms of a text and the fields they may be in. */
@unmanaged
class LikeGroup {
  /** Address of `fieldCount` × u16. */
  fields: usize;
  fieldCount: u32;
  /** Array of QueryTerm pointers, whose `position` is the frequency in the text. */
  terms: usize;
  termCount: u32;
}

export function decodeLike(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.boost = f32Next();
  node.leastDf = u32Next();
  node.mostDf = u32Next();
  node.size = <u32>u16Next();
  // The boost of terms.
  node.cutoff = f32Next();
  const groups = <u32>u16Next();
  node.parts = pointers(groups, 4);
  node.partCount = groups;
  let total: u32 = 0;
  for (let g: u32 = 0; g < groups && requestStatus == OK; g++) {
    const made = structNext(offsetof<LikeGroup>());
    if (!made) return;
    const group = changetype<LikeGroup>(made);
    store<usize>(node.parts + <usize>g * sizeof<usize>(), made);
    group.fieldCount = <u32>u16Next();
    if (!group.fieldCount) fail(ERR_PLAN);
    group.fields = bytesNext((<usize>group.fieldCount) << 1);
    group.termCount = <u32>u16Next();
    group.terms = pointers(group.termCount, 6);
    total += group.termCount;
    if (total > MAX_TERMS) fail(ERR_LIMIT);
    for (let i: u32 = 0; i < group.termCount && requestStatus == OK; i++) {
      const frequency = u32Next();
      const term = termNext(frequency);
      if (requestStatus == OK)
        store<usize>(group.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
    }
  }
  node.termCount = 0;
  node.minimums = minimumsNext(total);
  // The most terms that the minimums speak of.
  node.codePoints = total;
}

/** The terms of a text with the highest tf * idf, each in the field where it is most frequent. */
export function expandLike(search: Search, query: Query, _scoring: bool): Query {
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
