import { MUST_NOT } from '../abi/plan';
import { requestAlloc } from '../memory/arena';
import { Query, QueryTerm } from '../plan/query';
import { findField, openDictionary } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Dictionary, foundDf, foundPostings, lookupTerm } from '../terms/dictionary';
import { spend } from '../workLimit';
import { Search } from './context';
import { FIRST_SCORES, HAS_TERMS, kindOf, OWN_SEARCH } from './kind';

// What a query needs to know of the whole shard before any document is looked at: each term's document frequency. The weights are made of
// these (weights.ts).

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** Looks a term up in every segment; false without room. */
export function findTerm(shard: Shard, field: u32, term: QueryTerm): bool {
  const n = shard.segmentCount;
  if (!term.segments) term.segments = requestAlloc(n << 3);
  if (!term.segments) return false;
  let total: u32 = 0;
  spend(n << 3);
  for (let i: u32 = 0; i < n; i++) {
    const seg = shard.segment(i);
    const entry = findField(seg, field);
    const at = term.segments + ((<usize>i) << 3);
    store<u64>(at, 0);
    if (!entry) continue;
    openDictionary(seg, entry, dictionary);
    if (!lookupTerm(dictionary, term.ptr, term.length)) continue;
    store<u32>(at, foundDf);
    store<u32>(at, foundPostings, 4);
    total += foundDf;
  }
  term.df = total;
  return true;
}

/** Term number `i` of those that were gathered. */
export function gathered(search: Search, i: u32): QueryTerm {
  return changetype<QueryTerm>(load<usize>(search.terms + ((<usize>i) << 2)));
}

function gather(search: Search, term: QueryTerm): bool {
  const n = search.termCount;
  if (n == search.termRoom) {
    const room = max<u32>(16, n << 1);
    const grown = requestAlloc(room << 2);
    if (!grown) return false;
    memory.copy(grown, search.terms, n << 2);
    search.terms = grown;
    search.termRoom = room;
  }
  store<usize>(search.terms + ((<usize>n) << 2), changetype<usize>(term));
  search.termCount = n + 1;
  return true;
}

/** Gathers the terms that a rewritten query scores by, as Lucene's extractTerms; false without room. */
export function gatherTerms(search: Search, query: Query): bool {
  const traits = kindOf(query.kind).traits;
  if (traits & OWN_SEARCH) return true;
  if (traits & HAS_TERMS) {
    for (let i: u32 = 0; i < query.termCount; i++) {
      query.term(i).field = query.field;
      if (!gather(search, query.term(i))) return false;
    }
  }
  const n: u32 = traits & FIRST_SCORES ? 1 : query.childCount;
  for (let i: u32 = 0; i < n; i++) {
    const child = query.child(i);
    if (child.occur != MUST_NOT && !gatherTerms(search, child)) return false;
  }
  return true;
}

/** Looks up every scored or matched term of the tree that hasn't been; false without room. */
export function findTerms(shard: Shard, query: Query): bool {
  if (kindOf(query.kind).traits & HAS_TERMS) {
    for (let i: u32 = 0; i < query.termCount; i++) {
      const term = query.term(i);
      if (!term.segments && !findTerm(shard, query.field, term)) return false;
    }
  }
  for (let i: u32 = 0; i < query.childCount; i++) if (!findTerms(shard, query.child(i))) return false;
  return true;
}
