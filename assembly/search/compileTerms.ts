import { ERR_PHRASE_POSITIONS } from '../abi/status';
import { MATCH_PHRASE, MATCH_TERM, Matcher } from '../docset/matcher';
import { Phrase } from '../docset/phrase';
import { PhraseSlot } from '../docset/phraseSlot';
import { makeSloppyPhrase } from '../docset/sloppyPhrase';
import { Positional } from '../docset/positional';
import { requestAlloc } from '../memory/arena';
import { PostingsCursor } from '../postings/cursor';
import { PositionRows } from '../postings/positionRows';
import { PositionsCursor } from '../postings/positions';
import { FieldEntry, findField } from '../segment/segment';
import { Query, QueryTerm } from '../plan/query';
import { setPointer } from '../memory/pointers';
import { Compiling, noRoom, pointers } from './compiling';
import { hasPositions } from './unpositioned';

// Compiles terms and phrases for one segment: their postings and positions, opened.

/** The postings of a term in a field of the segment; null without room. */
export function openTerm(
  c: Compiling,
  term: QueryTerm,
  entry: usize,
  value: f32,
  scoring: bool,
): PostingsCursor | null {
  const cursor = PostingsCursor.make();
  if (cursor === null) {
    noRoom();
    return null;
  }
  cursor.start(
    FieldEntry.postings(c.segment, entry) + term.postingsIn(c.ordinal),
    term.dfIn(c.ordinal),
    <u8>FieldEntry.flags(entry),
    scoring ? FieldEntry.norms(c.segment, entry) : 0,
    FieldEntry.positions(c.segment, entry),
    value,
  );
  return cursor;
}

/** A term of the segment; null where it has none. */
export function compileTerm(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const entry = findField(c.segment, query.field);
  const term = query.term(0);
  if (!entry || !term.dfIn(c.ordinal)) return null;
  return termMatcher(openTerm(c, term, entry, query.value, scoring));
}

/** The documents of a list at an offset of a field's postings, which score nothing. */
export function compileList(c: Compiling, field: u32, postings: u32, df: u32): Matcher | null {
  const entry = findField(c.segment, field);
  const cursor = PostingsCursor.make();
  if (cursor === null) return noRoom();
  cursor.start(FieldEntry.postings(c.segment, entry) + postings, df, <u8>FieldEntry.flags(entry), 0, 0, 0);
  return termMatcher(cursor);
}

function termMatcher(cursor: PostingsCursor | null): Matcher | null {
  const m = Matcher.make(MATCH_TERM);
  if (m === null || cursor === null) return noRoom();
  m.cursor = cursor;
  m.cost = cursor.df;
  return m;
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
  const at = requestAlloc(offsetof<PhraseSlot>());
  const members = pointers(n);
  const rows = PositionRows.make();
  if (!at || !members || rows === null) {
    noRoom();
    return null;
  }
  memory.fill(at, 0, offsetof<PhraseSlot>());
  const slot = changetype<PhraseSlot>(at);
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
export function compilePhrase(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const entry = findField(c.segment, query.field);
  if (!entry) return null;
  const at = requestAlloc(offsetof<Phrase>());
  const slots = pointers(query.termCount);
  const byCost = pointers(query.termCount);
  const m = Matcher.make(MATCH_PHRASE);
  if (!at || !slots || !byCost || m === null) return noRoom();
  memory.fill(at, 0, offsetof<Phrase>());
  const phrase = changetype<Phrase>(at);
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
