import { MATCHER_FIELD, NODE_KEYS } from '../../abi/plan';
import { ERR_PLAN } from '../../abi/status';
import { Matcher } from '../../docset/matcher';
import { programNext } from '../../expression/program';
import { at, bytesLeft, bytesNext, termBytesNext, u16Next, u32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { fail } from '../../requestStatus';
import { columnPayload } from '../columnSet';
import { Compiling } from '../compiling';
import { prefixNext, rangeNext } from '../decodeMatcher';
import { Decoding } from '../decoding';
import { isRepeated, keepSet, keptOf } from '../filterCache';
import { keptMatcher, setMatcher } from '../kept';
import { KEPT_AT_ONCE, kindOf } from '../kind';
import { noRoom } from '../matcherArrays';
import { makeTermSet, termSetCount } from '../termSet';

// What is given by many terms, by a field or by keys: a set of the segment.

export function decodeTerms(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  // Read only where their set isn't in the cache.
  node.termCount = u32Next();
  node.lower = termBytesNext(node.termCount);
}

export function decodePrefix(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  prefixNext(node);
}

export function decodeRange(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  rangeNext(node);
}

export function decodeKeys(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.termCount = u32Next();
  node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
}

export function decodeExists(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.matcher = MATCHER_FIELD;
}

export function decodeExpression(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.lower = programNext();
}

export function decodePoints(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  const bytes = columnPayload(node.kind, at, bytesLeft());
  if (!bytes) fail(ERR_PLAN);
  node.lower = bytesNext(bytes);
}

/** The set that a query is given by. What a query was expanded to stands nowhere in the plan, and isn't kept. */
export function compileSet(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  if ((!c.filterDepth && !c.constantDepth) || query.kind == NODE_KEYS || !query.end) {
    const made = makeTermSet(c.segment, query);
    return made ? setMatcher(made, termSetCount, 0) : noRoom();
  }
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c.segment, known);
  const keeps =
    (c.filterDepth != 0 && (kindOf(query.kind).traits & KEPT_AT_ONCE) != 0) || isRepeated(c.segment, query);
  const bits = makeTermSet(c.segment, query);
  if (!bits) return noRoom();
  const entry = keeps ? keepSet(c.segment, query, bits, termSetCount) : 0;
  return entry ? keptMatcher(c.segment, entry) : setMatcher(bits, termSetCount, 0);
}
