import { MATCHER_FIELD, NODE_KEYS } from '../../abi/plan';
import { Matcher } from '../../docset/matcher';
import { Bitset } from '../../memory/bitset';
import { bytesNext, termBytesNext, u16Next, u32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { docOfKey, FieldEntry } from '../../segment/segment';
import { spend } from '../../workLimit';
import { Compiling } from '../compiling';
import { prefixNext } from '../decodeMatcher';
import { Decoding } from '../decoding';
import { isRepeated, keepSet, keptOf } from '../filterCache';
import { keptMatcher, setMatcher } from '../kept';
import { KEPT_AT_ONCE, kindOf } from '../kind';
import { noRoom } from '../matcherArrays';
import { TermSet } from '../termSet';

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

export function decodeKeys(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.termCount = u32Next();
  node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
}

export function decodeExists(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.matcher = MATCHER_FIELD;
}

/** Adds the documents of the terms that the plan lists: u16 length, bytes. */
export function fillTerms(set: TermSet, query: Query): bool {
  if (!set.openField(query.field)) return false;
  let at = query.lower;
  for (let i: u32 = 0; set.entry && i < query.termCount && spend(16); i++) {
    const length = <u32>load<u16>(at);
    set.addTerm(at + 2, length);
    at += 2 + <usize>length;
  }
  return true;
}

export function fillKeys(set: TermSet, query: Query): bool {
  for (let i: u32 = 0; i < query.termCount; i++) {
    const doc = docOfKey(set.segment, load<u64>(query.lower + ((<usize>i) << 3)));
    if (doc >= 0) Bitset.set(set.bits, <u32>doc);
  }
  return true;
}

export function fillExisting(set: TermSet, query: Query): bool {
  return set.openField(query.field) && (!set.entry || addByNorms(set) || set.addMatching(query));
}

/** Adds the documents whose norm is not 0, if these are all that have the field; false if not. */
function addByNorms(set: TermSet): bool {
  const norms = FieldEntry.norms(set.segment, set.entry);
  if (!norms) return false;
  const n = set.segment.docCount;
  let found: u32 = 0;
  for (let doc: u32 = 0; doc < n; doc++) {
    if (!load<u8>(norms + doc)) continue;
    found++;
    Bitset.set(set.bits, doc);
  }
  return found == FieldEntry.docs(set.entry);
}

/** The set that a query is given by. What a query was expanded to stands nowhere in the plan, and isn't kept. */
export function compileSet(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  if ((!c.filterDepth && !c.constantDepth) || query.kind == NODE_KEYS || !query.end) {
    const made = TermSet.make(c.segment, query);
    return made === null ? noRoom() : setMatcher(made.bits, made.count, 0);
  }
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c.segment, known);
  const keeps =
    (c.filterDepth != 0 && (kindOf(query.kind).traits & KEPT_AT_ONCE) != 0) || isRepeated(c.segment, query);
  const set = TermSet.make(c.segment, query);
  if (set === null) return noRoom();
  const entry = keeps ? keepSet(c.segment, query, set.bits, set.count) : 0;
  return entry ? keptMatcher(c.segment, entry) : setMatcher(set.bits, set.count, 0);
}
