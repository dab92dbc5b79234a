import { ERR_LIMIT, ERR_MEMORY } from '../../abi/status';
import { heapAlloc, heapAllocZeroed, heapFree } from '../../memory/heap';
import { Source } from '../source';
import { Stage } from '../stage';
import { Analysis, Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { encodeUtf8 } from '../utf8';

/**
 * Lucene's PathHierarchyTokenizer, `a/b/c` → `a`, `a/b`, `a/b/c`, and ReversePathHierarchyTokenizer, `c.b.a` → `c.b.a`,
 * `b.a`, `a`; all at one position. Terms are slices of the text, or of a copy with the delimiters replaced. Arguments:
 *
 *     u8 flags: bit 0 reverse
 *     u32 code point of the delimiter | u32 of what replaces it | u32 how many parts to skip
 */
@unmanaged
class PathStage extends Stage {
  reverse: bool;
  /** Up to 4 bytes of UTF-8 each, and how many. */
  delimiter: u32;
  delimiterBytes: u32;
  replacement: u32;
  replacementBytes: u32;
  skip: u32;
  /** The next token: from `from` to `to`, in the text. */
  from: usize;
  to: usize;
  /** Delimiters before `from` and `to`. */
  fromDelimiters: u32;
  toDelimiters: u32;
  first: bool;
  done: bool;
  /** The text with its delimiters replaced, where they are. */
  copy: usize;
}

const ARGUMENTS: usize = 13;

export function makePathHierarchy(args: usize, end: usize): usize {
  if (end - args < ARGUMENTS) return 0;
  const at = heapAllocZeroed(offsetof<PathStage>());
  if (!at) return 0;
  const stage = changetype<PathStage>(at);
  stage.reverse = (load<u8>(args) & 1) != 0;
  const delimiter = at + offsetof<PathStage>('delimiter');
  stage.delimiterBytes = (encodeUtf8(delimiter, min(load<u32>(args, 1), 0x10ffff)) - delimiter) as u32;
  const replacement = at + offsetof<PathStage>('replacement');
  stage.replacementBytes = (encodeUtf8(replacement, min(load<u32>(args, 5), 0x10ffff)) - replacement) as u32;
  stage.skip = load<u32>(args, 9);
  stage.behave(pull, start, drop);
  return at;
}

function drop(at: usize): void {
  heapFree(changetype<PathStage>(at).copy);
}

/** Whether the delimiter is at `p`. */
function isDelimiter(stage: PathStage, p: usize, end: usize): bool {
  const bytes = stage.delimiterBytes;
  if (<u32>load<u8>(p) != (stage.delimiter & 0xff)) return false;
  if (bytes == 1) return true;
  return (
    end - p >= bytes &&
    memory.compare(p, changetype<usize>(stage) + offsetof<PathStage>('delimiter'), bytes) == 0
  );
}

/** The address of the first delimiter from `p` on, or `end`. */
function findDelimiter(stage: PathStage, p: usize, end: usize): usize {
  while (p < end && !isDelimiter(stage, p, end)) ++p;
  return p;
}

function start(at: usize): void {
  const stage = changetype<PathStage>(at);
  const end = Source.ptr + Source.length;
  stage.from = Source.ptr;
  stage.fromDelimiters = 0;
  stage.first = true;
  stage.done = Source.length == 0;
  heapFree(stage.copy);
  stage.copy = 0;
  if (stage.done) return;
  if (stage.delimiter != stage.replacement && !replaceDelimiters(stage)) {
    stage.done = true;
    return;
  }
  if (stage.reverse) startReverse(stage, end);
  else startForward(stage, end);
}

/** Skips parts: each ends before a delimiter, but one in front of the text is part of the first. */
function startForward(stage: PathStage, end: usize): void {
  let p = Source.ptr;
  for (let i: u32 = 0; i < stage.skip; i++) {
    if (isDelimiter(stage, p, end)) {
      p += stage.delimiterBytes;
      ++stage.fromDelimiters;
    } else {
      ++p;
    }
    p = findDelimiter(stage, p, end);
    if (p >= end) {
      stage.done = true;
      return;
    }
  }
  stage.from = p;
  stage.to = p;
  stage.toDelimiters = stage.fromDelimiters;
}

/** Skips parts from the end. */
function startReverse(stage: PathStage, end: usize): void {
  let p = end;
  for (let i: u32 = 0; i < stage.skip && p > Source.ptr; i++) {
    // A boundary is behind each delimiter and at both ends of the text.
    if (p >= Source.ptr + stage.delimiterBytes && isDelimiter(stage, p - stage.delimiterBytes, end)) {
      p -= stage.delimiterBytes;
    }
    while (
      p > Source.ptr &&
      !(p >= Source.ptr + stage.delimiterBytes && isDelimiter(stage, p - stage.delimiterBytes, end))
    ) {
      --p;
    }
  }
  stage.to = p;
  stage.toDelimiters = stage.copy ? countDelimiters(stage, Source.ptr, p) : 0;
  stage.done = p <= Source.ptr;
}

function countDelimiters(stage: PathStage, p: usize, end: usize): u32 {
  let count: u32 = 0;
  while (p < end) {
    p = findDelimiter(stage, p, end);
    if (p >= end) break;
    ++count;
    p += stage.delimiterBytes;
  }
  return count;
}

/** Makes the copy; false if it can't be. */
function replaceDelimiters(stage: PathStage): bool {
  let p = Source.ptr;
  const end = p + Source.length;
  const count = countDelimiters(stage, p, end);
  if (!count) return true;
  const bytes = <u64>Source.length + <u64>count * stage.replacementBytes;
  if (bytes > 1 << 30) {
    Analysis.status = ERR_LIMIT;
    return false;
  }
  stage.copy = heapAlloc((bytes as u32) + 4);
  if (!stage.copy) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  let out = stage.copy;
  while (p < end) {
    const next = findDelimiter(stage, p, end);
    memory.copy(out, p, next - p);
    out += next - p;
    if (next >= end) break;
    store<u32>(out, stage.replacement);
    out += stage.replacementBytes;
    p = next + stage.delimiterBytes;
  }
  return true;
}

/** Where a place in the text, behind `delimiters` of them, is in what terms are slices of. */
function placed(stage: PathStage, p: usize, delimiters: u32): usize {
  if (!stage.copy) return p;
  return stage.copy + (p - Source.ptr) + delimiters * (stage.replacementBytes - stage.delimiterBytes);
}

function pull(at: usize): bool {
  const stage = changetype<PathStage>(at);
  if (stage.done) return false;
  const end = Source.ptr + Source.length;
  if (!stage.reverse) {
    // Up to the next delimiter behind the one that the last token ended before.
    if (isDelimiter(stage, stage.to, end)) {
      stage.to += stage.delimiterBytes;
      ++stage.toDelimiters;
    } else if (stage.first) {
      ++stage.to;
    }
    stage.to = findDelimiter(stage, stage.to, end);
    stage.done = stage.to >= end;
  }
  const from = placed(stage, stage.from, stage.fromDelimiters);
  Token.setTerm(from, (placed(stage, stage.to, stage.toDelimiters) - from) as u32);
  Token.increment = u32(stage.first);
  Token.type = TYPE_WORD;
  Token.keyword = false;
  if (Analysis.offsets) {
    Token.start = Source.offset((stage.from - Source.ptr) as u32);
    Token.end = Source.offset((stage.to - Source.ptr) as u32);
  }
  stage.first = false;
  if (stage.reverse) {
    stage.from = findDelimiter(stage, stage.from, end) + stage.delimiterBytes;
    ++stage.fromDelimiters;
    stage.done = stage.from >= stage.to;
  }
  return true;
}
