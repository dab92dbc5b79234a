import { ERR_LIMIT, ERR_PHRASE_POSITIONS, ERR_PLAN, OK } from '../../abi/status';
import { MATCH_PHRASE, Matcher } from '../../docset/matcher';
import { Phrase } from '../../docset/phrase';
import { PhraseSlot } from '../../docset/phraseSlot';
import { Positional } from '../../docset/positional';
import { makeSloppyPhrase } from '../../docset/sloppyPhrase';
import { requestAlloc } from '../../memory/arena';
import { setPointer } from '../../memory/pointers';
import {
  at,
  bytesNext,
  f32Next,
  pointers,
  readAgain,
  termNext,
  u16Next,
  u32Next,
} from '../../plan/planReader';
import { Query } from '../../plan/query';
import { PositionRows } from '../../postings/positionRows';
import { PositionsCursor } from '../../postings/positions';
import { fail, requestStatus } from '../../requestStatus';
import { FieldEntry, findField } from '../../segment/segment';
import { Compiling } from '../compiling';
import { Decoding } from '../decoding';
import { noRoom, pointerArray } from '../matcherArrays';
import { openTerm, similarityMatcher } from '../termLists';
import { hasPositions } from '../unpositioned';

// Words at certain places.

/** Most terms of one phrase. */
const MAX_TERMS: u32 = 16384;

export function decodePhrase(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.boost = f32Next();
  node.slop = u32Next();
  positionsNext(node);
}

/** The positions of a phrase. */
export function positionsNext(node: Query): void {
  const positions = <u32>u16Next();
  // A first pass counts the terms, so that they lie in one array.
  const start = at;
  let total: u32 = 0;
  for (let i: u32 = 0; i < positions && requestStatus == OK; i++) {
    u32Next();
    const alternatives = <u32>u16Next();
    if (alternatives == 0) fail(ERR_PLAN);
    total += alternatives;
    for (let j: u32 = 0; j < alternatives && requestStatus == OK; j++) bytesNext(<usize>u16Next());
  }
  if (positions == 0) fail(ERR_PLAN);
  if (total > MAX_TERMS) fail(ERR_LIMIT);
  if (requestStatus != OK) return;
  readAgain(start);
  node.terms = pointers(total, 2);
  node.termCount = total;
  let n: usize = 0;
  for (let i: u32 = 0; i < positions && requestStatus == OK; i++) {
    const position = u32Next();
    const alternatives = <u32>u16Next();
    if (alternatives > 1) node.stacked++;
    // Of a phrase prefix: where the prefixes begin.
    node.size = <u32>n;
    for (let j: u32 = 0; j < alternatives && requestStatus == OK; j++) {
      const term = termNext(position);
      if (requestStatus != OK) return;
      store<usize>(node.terms + n * sizeof<usize>(), changetype<usize>(term));
      n++;
    }
  }
}

export function compilePhrase(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  if (scoring && query.lengths)
    return similarityMatcher(c, query, phraseMatcher(c, query, false), query.field);
  return phraseMatcher(c, query, scoring);
}

/** Terms of one phrase position, of which `first` is the index of the first; null if none occurs here. */
function compileSlot(
  c: Compiling,
  query: Query,
  entry: usize,
  first: u32,
  n: u32,
  scoring: bool,
): PhraseSlot | null {
  const made = requestAlloc(offsetof<PhraseSlot>());
  const members = pointerArray(n);
  const rows = PositionRows.make();
  if (!made || !members || rows === null) {
    noRoom();
    return null;
  }
  memory.fill(made, 0, offsetof<PhraseSlot>());
  const slot = changetype<PhraseSlot>(made);
  slot.members = members;
  slot.rows = rows;
  slot.offset = query.term(first).position;
  for (let i = first; i < first + n; i++) {
    const term = query.term(i);
    if (!term.dfIn(c.ordinal)) continue;
    if (!hasPositions(entry, query.field, term, ERR_PHRASE_POSITIONS)) return null;
    const cursor = openTerm(c, term, entry, 0, scoring);
    if (cursor === null) return null;
    const positions = PositionsCursor.make(cursor);
    if (positions === null) {
      noRoom();
      return null;
    }
    setPointer(members, slot.memberCount, changetype<usize>(positions));
    slot.memberCount++;
    slot.cost += term.dfIn(c.ordinal);
  }
  return slot.memberCount ? slot : null;
}

/** A phrase, near or exact; null where a position has no term in the segment. */
function phraseMatcher(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const entry = findField(c.segment, query.field);
  if (!entry) return null;
  const made = requestAlloc(offsetof<Phrase>());
  const slots = pointerArray(query.termCount);
  const byCost = pointerArray(query.termCount);
  const m = Matcher.make(MATCH_PHRASE);
  if (!made || !slots || !byCost || m === null) return noRoom();
  memory.fill(made, 0, offsetof<Phrase>());
  const phrase = changetype<Phrase>(made);
  phrase.slots = slots;
  phrase.byCost = byCost;
  phrase.slop = query.slop;
  for (let i: u32 = 0; i < query.termCount; ) {
    // A position's alternatives are neighbours; without any, equal positions are slots of their own.
    let n: u32 = 1;
    if (query.stacked) {
      while (i + n < query.termCount && query.term(i + n).position == query.term(i).position) n++;
    }
    const slot = compileSlot(c, query, entry, i, n, scoring);
    if (slot === null) return null;
    setPointer(slots, phrase.slotCount, changetype<usize>(slot));
    if (slot.memberCount > 1) phrase.stacked = true;
    let k = phrase.slotCount;
    while (k > 0 && phrase.cheap(k - 1).cost > slot.cost) {
      setPointer(byCost, k, changetype<usize>(phrase.cheap(k - 1)));
      k--;
    }
    setPointer(byCost, k, changetype<usize>(slot));
    phrase.slotCount++;
    i += n;
  }
  if (query.slop && phrase.slotCount > 1) {
    const sloppy = makeSloppyPhrase(slots, phrase.slotCount, query.slop);
    if (sloppy === null) return noRoom();
    phrase.sloppy = sloppy;
  }
  const norms = scoring ? FieldEntry.norms(c.segment, entry) : 0;
  const positional = Positional.ofPhrase(phrase, query.value, norms);
  if (positional === null) return noRoom();
  m.phrase = phrase;
  m.positional = positional;
  m.value = query.value;
  m.cost = phrase.cheap(0).cost;
  return m;
}
