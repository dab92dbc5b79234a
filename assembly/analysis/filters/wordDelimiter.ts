import { ERR_MEMORY } from '../../abi/status';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../../memory/heap';
import { loadCategories } from '../categories';
import { TermStage } from '../termStage';
import { Analysis, Token } from '../token';
import { UnitBuffer } from '../unitBuffer';
import { encodeUnits, termUnits, unitCount } from '../units';
import { ALPHA, DIGIT, DONE, kindOfLatin, kindOfUnit, WordBreaks } from '../wordBreaks';
import { WordList } from '../wordList';

const WORD_PARTS: u32 = 1;
const NUMBER_PARTS: u32 = 2;
const CATENATE_WORDS: u32 = 4;
const CATENATE_NUMBERS: u32 = 8;
const CATENATE_ALL: u32 = 16;
const PRESERVE_ORIGINAL: u32 = 32;
const OWN_KINDS: u32 = 512;

const LATIN: u32 = 256;

/**
 * A token to be given after its word, before they are sorted by start offset and then by falling increment:
 *
 *     | u32 place in the units | u32 units | u32 start offset | u32 end offset | u32 increment |
 */
const PART_BYTES: u32 = 20;

/** Parts of a word put together. */
@unmanaged
class Catenation extends UnitBuffer {
  startOffset: u32;
  endOffset: u32;
  kind: u32;
  parts: u32;

  reset(): void {
    this.clear();
    this.kind = 0;
    this.parts = 0;
  }
}

/**
 * Lucene's WordDelimiterFilter: splits terms at delimiters and changes of kind and puts parts together again. Arguments:
 *
 *     u16 flags: 1 words and 2 numbers are given, 4 words, 8 numbers and 16 all parts are put together, 32 the term itself is
 *         given, 64 splits where the case changes, 128 between letters and numbers, 256 's goes, 512 own kinds
 *     u32 n, n × (u16 unit, u8 kind): own kinds, by ascending unit
 *     word list: terms to leave alone
 */
@unmanaged
class WordDelimiterStage extends TermStage {
  flags: u32;
  breaks: WordBreaks;
  protectedWords: WordList;
  /** The word's units, and behind them those of its catenations. */
  units: UnitBuffer;
  run: Catenation;
  all: Catenation;
  parts: usize;
  partsRoom: u32;
  partCount: u32;
  partsGiven: u32;
  /** The word that is being split. */
  inWord: bool;
  startOffset: u32;
  endOffset: u32;
  type: u8;
  /** The offsets don't fit the term, which then has no places for its parts. */
  unplaced: bool;
  /** Increments of words that are still to be given away. */
  increment: u32;
  /** Parts in the run given last. */
  runParts: u32;
  /** A part of the run, or of what follows the term itself, was given. */
  gavePart: bool;
  gaveAfterOriginal: bool;
  /** Nothing was given yet. */
  isFirst: bool;
}

export function makeWordDelimiter(args: usize, end: usize): usize {
  if (end - args < 6 || !loadCategories()) return 0;
  const kindCount = load<u32>(args, 2);
  const kinds = args + 6;
  if (<usize>kindCount > (end - kinds) / 3) return 0;
  const words = WordList.make(kinds + kindCount * 3, end);
  const at = heapAllocZeroed(offsetof<WordDelimiterStage>());
  const breaks = heapAllocZeroed(offsetof<WordBreaks>());
  const units = UnitBuffer.make();
  const run = heapAllocZeroed(offsetof<Catenation>());
  const all = heapAllocZeroed(offsetof<Catenation>());
  if (!words || !at || !breaks || !units || !run || !all) return 0;
  const stage = changetype<WordDelimiterStage>(at);
  stage.flags = load<u16>(args);
  stage.protectedWords = words;
  stage.breaks = changetype<WordBreaks>(breaks);
  stage.units = units;
  stage.run = changetype<Catenation>(run);
  stage.all = changetype<Catenation>(all);
  // Offsets decide on the order of the parts.
  stage.needsOffsets = true;
  stage.breaks.flags = stage.flags;
  if (!makeKinds(stage.breaks, (stage.flags & OWN_KINDS) != 0, kinds, kindCount)) return 0;
  stage.behave(pull, start, drop);
  return at;
}

function makeKinds(breaks: WordBreaks, own: bool, kinds: usize, count: u32): bool {
  const limit: u32 = count == 0 ? LATIN : max(LATIN, (load<u16>(kinds + (count - 1) * 3) as u32) + 1);
  const table = heapAlloc(limit);
  if (!table) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  for (let unit: u32 = 0; unit < limit; unit++)
    store<u8>(table + unit, own ? kindOfUnit(unit) : kindOfLatin(unit));
  for (let i: u32 = 0; i < count; i++) {
    const unit = load<u16>(kinds + i * 3) as u32;
    if (unit < limit) store<u8>(table + unit, load<u8>(kinds + i * 3, 2));
  }
  breaks.kinds = table;
  breaks.kindsLimit = limit;
  return true;
}

function start(at: usize): void {
  const stage = changetype<WordDelimiterStage>(at);
  stage.inWord = false;
  stage.increment = 0;
  stage.partCount = 0;
  stage.partsGiven = 0;
  stage.isFirst = true;
  stage.run.reset();
  stage.all.reset();
  stage.run.shrink();
  stage.all.shrink();
  stage.units.shrink();
  stage.shrink();
  if (stage.partsRoom <= 4096) return;
  heapFree(stage.parts);
  stage.parts = 0;
  stage.partsRoom = 0;
}

function drop(at: usize): void {
  const stage = changetype<WordDelimiterStage>(at);
  stage.protectedWords.free();
  heapFree(stage.breaks.kinds);
  heapFree(changetype<usize>(stage.breaks));
  stage.units.free();
  stage.run.free();
  stage.all.free();
  heapFree(stage.parts);
  stage.release();
}

function has(stage: WordDelimiterStage, flag: u32): bool {
  return (stage.flags & flag) != 0;
}

function pull(at: usize): bool {
  const stage = changetype<WordDelimiterStage>(at);
  const breaks = stage.breaks;
  while (true) {
    if (!stage.inWord) {
      const found = nextWord(stage);
      if (found != SPLIT) return found == WHOLE;
    }
    if (breaks.end == DONE) {
      if (!flushAll(stage)) return false;
      if (stage.partsGiven < stage.partCount) return givePart(stage);
      stage.partCount = 0;
      stage.partsGiven = 0;
      stage.inWord = false;
      continue;
    }
    if (breaks.isSingleWord()) {
      const from = breaks.current;
      const to = breaks.end;
      const increment = takeIncrement(stage, false);
      let startOffset = stage.startOffset + from;
      let endOffset = stage.startOffset + to;
      if (stage.unplaced) {
        if (startOffset > stage.endOffset) startOffset = stage.startOffset;
        endOffset = stage.endOffset;
      }
      breaks.next();
      stage.isFirst = false;
      return give(stage, from, to - from, startOffset, endOffset, increment);
    }
    if (!takePart(stage)) return false;
    breaks.next();
  }
}

/** What comes of a word: nothing more, itself, or parts. */
const ENDED: u32 = 0;
const WHOLE: u32 = 1;
const SPLIT: u32 = 2;

/** Reads up to a word that is given as it is, or has to be split. */
function nextWord(stage: WordDelimiterStage): u32 {
  const breaks = stage.breaks;
  while (stage.pullInput()) {
    const units = termUnits();
    if (!units) return ENDED;
    const count = unitCount;
    stage.increment += Token.increment;
    breaks.setText(units, count);
    breaks.next();
    if (
      (breaks.current == 0 && breaks.end == (count as i32)) ||
      stage.protectedWords.has(Token.ptr, Token.length)
    ) {
      Token.increment = stage.increment;
      stage.increment = 0;
      stage.isFirst = false;
      return WHOLE;
    }
    if (breaks.end == DONE && !has(stage, PRESERVE_ORIGINAL)) {
      // Nothing but delimiters: its position is lost if it is the usual one.
      if (Token.increment == 1 && !stage.isFirst) --stage.increment;
      continue;
    }
    stage.units.clear();
    if (!stage.units.append(units, count)) return ENDED;
    breaks.text = stage.units.ptr;
    stage.startOffset = Token.start;
    stage.endOffset = Token.end;
    stage.unplaced = Token.end - Token.start != count;
    stage.type = Token.type;
    stage.inWord = true;
    stage.gavePart = false;
    stage.gaveAfterOriginal = !has(stage, PRESERVE_ORIGINAL);
    stage.runParts = 0;
    if (stage.gaveAfterOriginal) return SPLIT;
    Token.increment = stage.increment;
    stage.increment = 0;
    stage.isFirst = false;
    return WHOLE;
  }
  return ENDED;
}

/** Adds a part to what it belongs to; false without memory. */
function takePart(stage: WordDelimiterStage): bool {
  const breaks = stage.breaks;
  const kind = breaks.kind();
  const run = stage.run;
  if (run.length > 0 && (run.kind & kind) == 0) {
    if (!flushRun(stage)) return false;
    stage.gavePart = false;
  }
  const isWord = (kind & ALPHA) != 0;
  const isNumber = (kind & DIGIT) != 0;
  if ((has(stage, CATENATE_WORDS) && isWord) || (has(stage, CATENATE_NUMBERS) && isNumber)) {
    if (run.length == 0) run.kind = kind;
    if (!catenate(stage, run)) return false;
  }
  if (has(stage, CATENATE_ALL) && !catenate(stage, stage.all)) return false;
  if (!givesParts(stage, kind)) return true;
  const from = breaks.current as u32;
  const to = breaks.end as u32;
  return addPart(
    stage,
    from,
    to - from,
    stage.startOffset + from,
    stage.startOffset + to,
    takeIncrement(stage, false),
  );
}

function givesParts(stage: WordDelimiterStage, kind: u32): bool {
  return (has(stage, WORD_PARTS) && (kind & ALPHA) != 0) || (has(stage, NUMBER_PARTS) && (kind & DIGIT) != 0);
}

function catenate(stage: WordDelimiterStage, to: Catenation): bool {
  const breaks = stage.breaks;
  if (to.length == 0) to.startOffset = stage.startOffset + breaks.current;
  to.endOffset = stage.startOffset + breaks.end;
  ++to.parts;
  // The block may have moved since the word was read.
  return to.append(stage.units.ptr + ((breaks.current as usize) << 1), breaks.end - breaks.current);
}

/** Gives the run of words or numbers, unless its only part was given; false without memory. */
function flushRun(stage: WordDelimiterStage): bool {
  const run = stage.run;
  stage.runParts = run.parts;
  const added = (run.parts == 1 && givesParts(stage, run.kind)) || addCatenation(stage, run);
  run.reset();
  return added;
}

/** At the end of a word: the last run, and all parts, unless the run was all of them. */
function flushAll(stage: WordDelimiterStage): bool {
  if (stage.run.length > 0 && !flushRun(stage)) return false;
  const all = stage.all;
  if (all.length == 0) return true;
  const added = all.parts <= stage.runParts || addCatenation(stage, all);
  all.reset();
  return added;
}

function addCatenation(stage: WordDelimiterStage, from: Catenation): bool {
  const units = stage.units;
  const place = units.length;
  if (!units.append(from.ptr, from.length)) return false;
  stage.breaks.text = units.ptr;
  const increment = takeIncrement(stage, true);
  stage.increment = 0;
  return addPart(stage, place, from.length, from.startOffset, from.endOffset, increment);
}

/** The increment of the next part, or of a catenation that joins others. */
function takeIncrement(stage: WordDelimiterStage, joins: bool): u32 {
  const increment = stage.increment;
  if (stage.gavePart) {
    stage.increment = 0;
    return joins ? 0 : max<u32>(1, increment);
  }
  stage.gavePart = true;
  if (!stage.gaveAfterOriginal) {
    stage.gaveAfterOriginal = true;
    return 0;
  }
  stage.increment = 0;
  return max<u32>(1, increment);
}

function addPart(
  stage: WordDelimiterStage,
  place: u32,
  count: u32,
  startOffset: u32,
  endOffset: u32,
  increment: u32,
): bool {
  if (stage.partCount == stage.partsRoom) {
    const room = max<u32>(stage.partsRoom << 1, 16);
    const moved: usize = room > 1 << 26 ? 0 : heapRealloc(stage.parts, room * PART_BYTES);
    if (!moved) {
      Analysis.status = ERR_MEMORY;
      return false;
    }
    stage.parts = moved;
    stage.partsRoom = room;
  }
  const part = stage.parts + stage.partCount * PART_BYTES;
  store<u32>(part, place);
  store<u32>(part, count, 4);
  store<u32>(part, stage.unplaced ? stage.startOffset : startOffset, 8);
  store<u32>(part, stage.unplaced ? stage.endOffset : endOffset, 12);
  store<u32>(part, increment, 16);
  ++stage.partCount;
  return true;
}

/** Gives the next of the parts, which are sorted before the first one. */
function givePart(stage: WordDelimiterStage): bool {
  if (stage.partsGiven == 0 && !sortParts(stage)) return false;
  const part = stage.parts + stage.partsGiven * PART_BYTES;
  ++stage.partsGiven;
  let increment = load<u32>(part, 16);
  if (stage.isFirst && increment == 0) increment = 1;
  stage.isFirst = false;
  return give(stage, load<u32>(part), load<u32>(part, 4), load<u32>(part, 8), load<u32>(part, 12), increment);
}

function give(
  stage: WordDelimiterStage,
  place: u32,
  count: u32,
  startOffset: u32,
  endOffset: u32,
  increment: u32,
): bool {
  const term = stage.room(count * 3);
  if (!term) return false;
  const end = encodeUnits(term, stage.units.ptr + ((place as usize) << 1), count);
  Token.setTerm(term, (end - term) as u32);
  Token.start = startOffset;
  Token.end = endOffset;
  Token.increment = increment;
  Token.type = stage.type;
  Token.keyword = false;
  return true;
}

/** Whether part `a` may stand before `b`. */
function inOrder(a: usize, b: usize): bool {
  const startA = load<u32>(a, 8);
  const startB = load<u32>(b, 8);
  return startA < startB || (startA == startB && load<u32>(a, 16) >= load<u32>(b, 16));
}

/** Merges ever longer runs, which keeps the order of equals; false without memory. */
function sortParts(stage: WordDelimiterStage): bool {
  const count = stage.partCount;
  let sorted = true;
  for (let i: u32 = 1; i < count && sorted; i++) {
    const part = stage.parts + i * PART_BYTES;
    sorted = inOrder(part - PART_BYTES, part);
  }
  if (sorted) return true;
  let from = stage.parts;
  const spare = heapAlloc(stage.partsRoom * PART_BYTES);
  if (!spare) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  let to = spare;
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let low: u32 = 0; low < count; low += width << 1) {
      mergeParts(from, to, low, min(low + width, count), min(low + (width << 1), count));
    }
    const merged = to;
    to = from;
    from = merged;
  }
  stage.parts = from;
  heapFree(to);
  return true;
}

function mergeParts(from: usize, to: usize, low: u32, middle: u32, high: u32): void {
  let a = from + low * PART_BYTES;
  const aEnd = from + middle * PART_BYTES;
  let b = aEnd;
  const bEnd = from + high * PART_BYTES;
  let out = to + low * PART_BYTES;
  while (a < aEnd && b < bEnd) {
    if (inOrder(a, b)) {
      memory.copy(out, a, PART_BYTES);
      a += PART_BYTES;
    } else {
      memory.copy(out, b, PART_BYTES);
      b += PART_BYTES;
    }
    out += PART_BYTES;
  }
  memory.copy(out, a, aEnd - a);
  memory.copy(out + (aEnd - a), b, bEnd - b);
}
