import {
  MATCHER_PREFIX,
  NODE_BOOLEAN,
  NODE_MULTI_TERM,
  NODE_NONE,
  NODE_PHRASE,
  NODE_TERM,
  SHOULD,
} from '../../abi/plan';
import { ERR_CLAUSES, ERR_MEMORY, OK } from '../../abi/status';
import { requestAlloc } from '../../memory/arena';
import { f32Next, u16Next, u32Next } from '../../plan/planReader';
import { BOOLEAN_NO_COORD, MAX_CLAUSES, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { findField, openDictionary } from '../../segment/segment';
import { Dictionary } from '../../terms/dictionary';
import { Search } from '../context';
import { Decoding } from '../decoding';
import { addChild, make, termNode, unwrapped } from '../rewriting';
import { findTerm } from '../statistics';
import { TermList } from '../termList';
import { TermWalk } from '../termWalk';
import { positionsNext } from './phrase';

// A phrase whose last words are prefixes.

export function decodePhrasePrefix(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.boost = f32Next();
  node.slop = u32Next();
  // The most terms of the last position.
  node.codePoints = u32Next();
  positionsNext(node);
}

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** Terms that start with the prefixes of a phrase's last position; stops between prefixes like 1.7. */
export function expandPhrasePrefix(search: Search, query: Query, _scoring: bool): Query {
  const list = TermList.make(u32.MAX_VALUE, false, search.shard.segmentCount);
  const prefix = Query.make(NODE_MULTI_TERM);
  if (list === null || prefix === null) {
    fail(ERR_MEMORY);
    return query;
  }
  prefix.matcher = MATCHER_PREFIX;
  prefix.field = query.field;
  const walk = TermWalk.make(prefix);
  if (walk === null) {
    fail(ERR_MEMORY);
    return query;
  }
  const most = query.codePoints;
  for (let i = query.size; i < query.termCount && list.count <= most; i++) {
    prefix.lower = query.term(i).ptr;
    prefix.lowerLength = query.term(i).length;
    let done = false;
    for (let s: u32 = 0; s < search.shard.segmentCount && !done; s++) {
      const seg = search.shard.segment(s);
      const entry = findField(seg, query.field);
      if (!entry) continue;
      openDictionary(seg, entry, dictionary);
      walk.start(dictionary);
      while (walk.next()) {
        const terms = walk.terms;
        if (!list.add(terms.termPtr, terms.termLength, 1, s, terms.df, terms.postingsOffset)) {
          fail(ERR_MEMORY);
          return query;
        }
        if (list.count >= most) {
          done = true;
          break;
        }
      }
    }
  }
  if (!list.count) return make(NODE_NONE, 1, 0);
  // What a term has in other segments than those walked counts too.
  for (let i: u32 = 0; i < list.count; i++) {
    if (!findTerm(search.shard, query.field, list.term(i))) {
      fail(ERR_MEMORY);
      return query;
    }
  }
  if (!query.size) {
    const any = make(NODE_BOOLEAN, query.boost, list.count);
    any.flags = BOOLEAN_NO_COORD;
    if (list.count > MAX_CLAUSES) fail(ERR_CLAUSES);
    for (let i: u32 = 0; i < list.count && requestStatus == OK; i++)
      addChild(any, termNode(NODE_TERM, query.field, 1, list.term(i)), SHOULD);
    return unwrapped(any);
  }
  const phrase = make(NODE_PHRASE, query.boost, 0);
  phrase.field = query.field;
  phrase.slop = query.slop;
  phrase.termCount = query.size + list.count;
  phrase.terms = requestAlloc(phrase.termCount << 2);
  if (!phrase.terms) {
    fail(ERR_MEMORY);
    return query;
  }
  memory.copy(phrase.terms, query.terms, query.size << 2);
  const position = query.term(query.size).position;
  for (let i: u32 = 0; i < list.count; i++) {
    list.term(i).position = position;
    store<usize>(phrase.terms + ((<usize>(query.size + i)) << 2), changetype<usize>(list.term(i)));
  }
  phrase.stacked = query.stacked - (query.termCount - query.size > 1 ? 1 : 0) + (list.count > 1 ? 1 : 0);
  return phrase;
}
