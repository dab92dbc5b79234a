import { MATCH_ALL, Matcher } from '../../docset/matcher';
import { f32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { Compiling } from '../compiling';
import { Decoding } from '../decoding';
import { noRoom } from '../matcherArrays';

// Nothing, and all documents.

export function decodeNone(_d: Decoding, _node: Query, _depth: u32, _scoring: bool): void {}

export function compileNone(_c: Compiling, _query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  return null;
}

export function decodeAll(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.boost = f32Next();
}

export function compileAll(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  const m = Matcher.make(MATCH_ALL);
  if (m === null) return noRoom();
  m.value = query.value;
  m.cost = c.segment.docCount;
  return m;
}
