import { heapAllocZeroed } from '../../memory/heap';
import { addCorrections, Corrections } from '../corrections';
import { LowerCased } from '../lowerCased';
import { OutputBuffer } from '../outputBuffer';
import { countUnits, Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis } from '../token';
import { encodeUtf8 } from '../utf8';
import { WordSet } from '../wordSet';
import { listed, matches, nameEnd, spaceEnd } from './htmlCharacters';
import { Reference, loadReferences } from './htmlReference';
import { BR, INLINE_ELEMENTS, SCRIPT, STYLE } from './htmlWords';
import { attributesEnd, beginTags } from './openTag';

/**
 * Lucene's HTMLStripCharFilter: takes tags, comments, scripts and styles out of a text, puts a line break in place of
 * what is no inline element, and resolves character references. What doesn't end as it should stays as it is.
 *
 * The text is read from left to right; `done` follows up to where it has been dealt with:
 *
 *     | in the output | kept, not yet copied | being read
 *                     done                   p
 *
 * Arguments:
 *
 *     u8 flags: bit 0 keep br, 1 script, 2 style
 *     word set: names of tags to keep, in lower case
 */
@unmanaged
class HtmlStripStage extends Stage {
  keepBr: bool;
  keepScript: bool;
  keepStyle: bool;
  kept: WordSet;
  output: OutputBuffer;
  corrections: Corrections;
  done: usize;
  end: usize;
  /** UTF-16 units of the output so far, and how many more the input has. */
  units: u32;
  surplus: i32;
}

/** Behind the stage, in its block. */
const OUTPUT: usize = (offsetof<HtmlStripStage>() + 3) & ~3;
const CORRECTIONS: usize = OUTPUT + ((offsetof<OutputBuffer>() + 3) & ~3);
const SIZE: usize = CORRECTIONS + offsetof<Corrections>();

const AMPERSAND: u32 = 0x26;
const LESS: u32 = 0x3c;
const GREATER: u32 = 0x3e;
const SLASH: u32 = 0x2f;
const QUESTION: u32 = 0x3f;
const EXCLAMATION: u32 = 0x21;
const EQUALS: u32 = 0x3d;
const HYPHEN: u32 = 0x2d;
const HASH: u32 = 0x23;
const QUOTE: u32 = 0x22;
const APOSTROPHE: u32 = 0x27;
const BACKSLASH: u32 = 0x5c;

const CDATA: usize = memory.data<u8>([0x5b, 0x43, 0x44, 0x41, 0x54, 0x41, 0x5b]);
const CDATA_BYTES: u32 = 7;

/** What takes the place of something. */
const NOTHING: i32 = -1;
const LINE_BREAK: i32 = 10;

export function makeHtmlStrip(args: usize, end: usize): usize {
  if (args >= end || !loadReferences()) return 0;
  const kept = WordSet.make(args + 1, end);
  if (!kept) return 0;
  const at = heapAllocZeroed(SIZE as u32);
  if (!at) {
    kept.free();
    return 0;
  }
  const stage = changetype<HtmlStripStage>(at);
  const flags = load<u8>(args) as u32;
  stage.keepBr = (flags & 1) != 0;
  stage.keepScript = (flags & 2) != 0;
  stage.keepStyle = (flags & 4) != 0;
  stage.kept = kept;
  stage.output = changetype<OutputBuffer>(at + OUTPUT);
  stage.corrections = changetype<Corrections>(at + CORRECTIONS);
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  const stage = changetype<HtmlStripStage>(at);
  stage.kept.free();
  stage.output.release();
  stage.corrections.release();
}

/** Copies what is kept up to `p`. */
function keepTo(stage: HtmlStripStage, p: usize): bool {
  if (Analysis.offsets) stage.units += countUnits(stage.done, p);
  const copied = stage.output.append(stage.done, (p - stage.done) as u32);
  stage.done = p;
  return copied;
}

/** Puts a code point, or nothing, in place of the text from `from` to `to`. */
function replace(stage: HtmlStripStage, from: usize, to: usize, codePoint: i32): bool {
  if (!keepTo(stage, from)) return false;
  stage.done = to;
  let units: u32 = 0;
  if (codePoint != NOTHING) {
    const at = stage.output.reserve(4);
    if (!at) return false;
    stage.output.length += (encodeUtf8(at, codePoint) - at) as u32;
    units = codePoint > 0xffff ? 2 : 1;
  }
  if (!Analysis.offsets) return true;
  stage.surplus += (countUnits(from, to) - units) as i32;
  stage.units += units;
  return stage.corrections.add(stage.units, stage.surplus);
}

function pull(at: usize): bool {
  const stage = changetype<HtmlStripStage>(at);
  const end = Source.ptr + Source.length;
  stage.output.clear();
  stage.corrections.clear();
  stage.units = 0;
  stage.surplus = 0;
  stage.done = Source.ptr;
  stage.end = end;
  beginTags(Source.length);
  forgetSearch();
  let p = Source.ptr;
  while (p < end) {
    const c = load<u8>(p) as u32;
    if (c == AMPERSAND) {
      Reference.read(p, end);
      const codePoint = Reference.codePoint;
      if (codePoint >= 0 && !replace(stage, p, Reference.end, codePoint)) return false;
      p = Reference.end;
    } else if (c == LESS) {
      p = readTag(stage, p);
      if (!p) return false;
    } else {
      ++p;
    }
  }
  addCorrections(stage.corrections);
  if (stage.output.length == 0 && stage.done == Source.ptr) return true;
  if (!keepTo(stage, end)) return false;
  Source.set(stage.output.ptr, stage.output.length);
  return true;
}

/** Drops the text from `from` to `to`; the address to go on from, 0 if that failed. */
function without(stage: HtmlStripStage, from: usize, to: usize, codePoint: i32): usize {
  return replace(stage, from, to, codePoint) ? to : 0;
}

/** Deals with what begins with a `<`; the address to go on from, 0 if that failed. */
function readTag(stage: HtmlStripStage, less: usize): usize {
  const end = stage.end;
  const p = less + 1;
  if (p >= end) return end;
  const c = load<u8>(p) as u32;
  if (c == EXCLAMATION) return readBang(stage, less);
  if (c == SLASH) return readEndTag(stage, less);
  if (c == QUESTION) return readInstruction(stage, less);
  const name = spaceEnd(p, end);
  const after = nameEnd(name, end);
  const special = readSpecial(stage, less, name);
  if (special != less) return special;
  if (after == name) return name;
  const keep = isKept(stage, name, after);
  if (after == end) return keep ? end : without(stage, less, end, NOTHING);
  const tagEnd = tailEnd(after, end, true, true);
  if (!tagEnd) return after;
  if (keep) return tagEnd;
  const inline = listed(INLINE_ELEMENTS, name, (after - name) as u32);
  return without(stage, less, tagEnd, inline ? NOTHING : LINE_BREAK);
}

/** Whether the settings want tags of this name to stay. */
function isKept(stage: HtmlStripStage, name: usize, after: usize): bool {
  if (stage.kept.count == 0) return false;
  return LowerCased.of(name, (after - name) as u32) && stage.kept.has(LowerCased.ptr, LowerCased.length);
}

/** The end of an opening tag whose name ends at `p`; 0 if it doesn't end. */
function tailEnd(p: usize, end: usize, equals: bool, slash: bool): usize {
  if (p >= end) return 0;
  const c = load<u8>(p) as u32;
  if (c == GREATER) return p + 1;
  if (slash && c == SLASH) return p + 1 < end && load<u8>(p, 1) == GREATER ? p + 2 : 0;
  if (equals && c == EQUALS) return attributesEnd(p + 1, end);
  return spaceEnd(p, end) > p ? attributesEnd(p, end) : 0;
}

/** Opening br, script and style tags; `less` if it is none. */
function readSpecial(stage: HtmlStripStage, less: usize, name: usize): usize {
  const end = stage.end;
  if (matches(name, end, BR, 2)) {
    const tagEnd = tailEnd(name + 2, end, true, true);
    if (!tagEnd) return less;
    return stage.keepBr ? tagEnd : without(stage, less, tagEnd, LINE_BREAK);
  }
  const script = matches(name, end, SCRIPT, 6);
  if (!script && !matches(name, end, STYLE, 5)) return less;
  const tagEnd = tailEnd(name + (script ? 6 : 5), end, false, false);
  if (!tagEnd) return less;
  const keep = script ? stage.keepScript : stage.keepStyle;
  return readRaw(stage, keep ? tagEnd : less, tagEnd, script, keep);
}

/** Drops what is from `from` on, up to and with the end tag of a script or style whose content begins at `p`; a kept one's end tag stays. */
function readRaw(stage: HtmlStripStage, from: usize, p: usize, script: bool, keep: bool): usize {
  const end = stage.end;
  const word = script ? SCRIPT : STYLE;
  const length: u32 = script ? 6 : 5;
  while (p < end) {
    if (load<u8>(p) != LESS) {
      ++p;
      continue;
    }
    if (isCommentStart(p, end)) {
      p = commentEnd(p + 4, end, true);
      continue;
    }
    if (p + 1 < end && load<u8>(p, 1) == SLASH) {
      const name = spaceEnd(p + 2, end);
      if (matches(name, end, word, length)) {
        const tail = spaceEnd(name + length, end);
        if (tail < end && load<u8>(tail) == GREATER) {
          if (!keep) return without(stage, from, tail + 1, LINE_BREAK);
          return replace(stage, from, p, NOTHING) ? tail + 1 : 0;
        }
      }
    }
    ++p;
  }
  return without(stage, from, end, NOTHING);
}

function isCommentStart(p: usize, end: usize): bool {
  return end - p >= 4 && load<u32>(p) == 0x2d2d213c;
}

function isCommentEnd(p: usize, end: usize): bool {
  return end - p >= 3 && load<u8>(p) == HYPHEN && load<u8>(p, 1) == HYPHEN && load<u8>(p, 2) == GREATER;
}

/**
 * The end of a comment whose content begins at `p`, or of the text. In one inside of a script or style, quotes hide its
 * end; everywhere they do so in a server side include, `<!--#…-->`.
 */
function commentEnd(p: usize, end: usize, quotes: bool): usize {
  let include = false;
  while (p < end) {
    const c = load<u8>(p) as u32;
    if (c == HYPHEN && isCommentEnd(p, end)) {
      p += 3;
      if (!include) return p;
      include = false;
    } else if ((c == QUOTE || c == APOSTROPHE) && (quotes || include)) {
      p = quotedEnd(p + 1, end, c);
    } else if (c == LESS && !include && end - p >= 5 && isCommentStart(p, end) && load<u8>(p, 4) == HASH) {
      include = true;
      p += 5;
    } else {
      ++p;
    }
  }
  return end;
}

/** The end of what is quoted from `p` on. */
function quotedEnd(p: usize, end: usize, quote: u32): usize {
  while (p < end) {
    const c = load<u8>(p) as u32;
    ++p;
    if (c == quote) return p;
    if (c == BACKSLASH && p < end) ++p;
  }
  return end;
}

/** `<?…?>` and `<?…/>`. */
function readInstruction(stage: HtmlStripStage, less: usize): usize {
  const greater = nextGreater(less, stage.end);
  const last = greater - 1;
  if (greater == stage.end || last < less + 2) return less + 1;
  const c = load<u8>(last) as u32;
  return c == QUESTION || c == SLASH ? without(stage, less, greater + 1, NOTHING) : less + 1;
}

/** Where the last search for a `>` began and ended, so that a text without any is read once. */
let searchedFrom: usize = 0;
let searchedTo: usize = 0;

function forgetSearch(): void {
  searchedFrom = 0;
  searchedTo = 0;
}

/** The address of the next `>` from `p` on, or `end`. */
function nextGreater(p: usize, end: usize): usize {
  if (p < searchedFrom || p > searchedTo || searchedTo > end) {
    searchedFrom = p;
    searchedTo = p;
    while (searchedTo < end && load<u8>(searchedTo) != GREATER) ++searchedTo;
  }
  return searchedTo;
}

/** Comments, CDATA sections and declarations, which end at the next `>`; one that doesn't end is the rest of the text. */
function readBang(stage: HtmlStripStage, less: usize): usize {
  const end = stage.end;
  const p = less + 2;
  if (isCommentStart(less, end)) {
    return without(stage, less, commentEnd(p + 2, end, false), NOTHING);
  }
  if (end - p >= CDATA_BYTES && memory.compare(p, CDATA, CDATA_BYTES) == 0) {
    return readCdata(stage, less, p + CDATA_BYTES);
  }
  const greater = nextGreater(p, end);
  return greater < end ? without(stage, less, greater + 1, NOTHING) : end;
}

/** Keeps what is in a CDATA section, as it is. */
function readCdata(stage: HtmlStripStage, less: usize, p: usize): usize {
  const end = stage.end;
  if (!replace(stage, less, p, NOTHING)) return 0;
  for (; p < end; p++) {
    if (load<u8>(p) == 0x5d && end - p >= 3 && load<u8>(p, 1) == 0x5d && load<u8>(p, 2) == GREATER) {
      return without(stage, p, p + 3, NOTHING);
    }
  }
  return end;
}

function readEndTag(stage: HtmlStripStage, less: usize): usize {
  const end = stage.end;
  const name = spaceEnd(less + 2, end);
  if (matches(name, end, BR, 2)) {
    const tail = spaceEnd(name + 2, end);
    if (tail < end && load<u8>(tail) == GREATER) {
      return stage.keepBr ? tail + 1 : without(stage, less, tail + 1, LINE_BREAK);
    }
  }
  const after = nameEnd(name, end);
  if (after == name) return name;
  const keep = isKept(stage, name, after);
  if (after == end) return keep ? end : without(stage, less, end, NOTHING);
  const tail = spaceEnd(after, end);
  if (tail == end || load<u8>(tail) != GREATER) return after;
  if (keep) return tail + 1;
  const inline = listed(INLINE_ELEMENTS, name, (after - name) as u32);
  return without(stage, less, tail + 1, inline ? NOTHING : LINE_BREAK);
}
