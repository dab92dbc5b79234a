import { heapAllocZeroed, heapFree } from '../../memory/heap';
import { addCorrections, Corrections } from '../corrections';
import { OutputBuffer } from '../outputBuffer';
import { countUnits, Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis } from '../token';

/**
 * Lucene's MappingCharFilter: the longest rule that matches replaces what it matches. Arguments:
 *
 *     u32 n rules | n + 1 × u32 where the entries begin, from the end of this list | entries
 *     entry   u32 bytes of what is matched, from 1 | u32 units of it | u32 units of what replaces it | the bytes of both
 *
 * Units are UTF-16. The entries are sorted by what they match, byte by byte, and all different. A search narrows the
 * range of entries that begin with the bytes read; the first of a range is the one that ends there, if there is one.
 */
@unmanaged
class MappingStage extends Stage {
  count: u32;
  /** Address of the list of offsets, and of the first entry. */
  offsets: usize;
  entries: usize;
  output: OutputBuffer;
  corrections: Corrections;
}

/** Behind the stage, in its block: the first entry of each `byteAt`, 258 × u32, then the two structs. */
const FIRST: usize = (offsetof<MappingStage>() + 3) & ~3;
const OUTPUT: usize = FIRST + 258 * 4;
const CORRECTIONS: usize = OUTPUT + ((offsetof<OutputBuffer>() + 3) & ~3);
const SIZE: usize = CORRECTIONS + offsetof<Corrections>();

const ENTRY_HEADER: u32 = 12;

export function makeMapping(args: usize, end: usize): usize {
  if (end - args < 8) return 0;
  const count = load<u32>(args);
  if (<usize>count > (end - args - 8) >>> 2) return 0;
  const at = heapAllocZeroed(SIZE as u32);
  if (!at) return 0;
  const stage = changetype<MappingStage>(at);
  stage.count = count;
  stage.offsets = args + 4;
  stage.entries = stage.offsets + ((<usize>count + 1) << 2);
  stage.output = changetype<OutputBuffer>(at + OUTPUT);
  stage.corrections = changetype<Corrections>(at + CORRECTIONS);
  stage.behave(pull, nothing, drop);
  let before: u32 = 0;
  for (let i: u32 = 0; i <= count; i++) {
    const offset = load<u32>(stage.offsets + ((<usize>i) << 2));
    if (offset < before || <usize>offset > end - stage.entries) return abandon(at);
    before = offset;
  }
  let i: u32 = 0;
  for (; i < count; i++) {
    const entry = entryOf(stage, i);
    const room = (entryOf(stage, i + 1) - entry) as u32;
    if (room < ENTRY_HEADER || load<u32>(entry) == 0 || load<u32>(entry) > room - ENTRY_HEADER) {
      return abandon(at);
    }
  }
  i = 0;
  for (let value: u32 = 0; value < 258; value++) {
    while (i < count && byteAt(stage, i, 0) < value) ++i;
    store<u32>(at + FIRST + ((<usize>value) << 2), i);
  }
  return at;
}

function abandon(at: usize): usize {
  drop(at);
  heapFree(at);
  return 0;
}

function drop(at: usize): void {
  changetype<MappingStage>(at).output.release();
  changetype<MappingStage>(at).corrections.release();
}

function entryOf(stage: MappingStage, i: u32): usize {
  return stage.entries + load<u32>(stage.offsets + ((<usize>i) << 2));
}

/** The byte of what entry `i` matches at `depth`, plus 1; 0 if it ends before. */
function byteAt(stage: MappingStage, i: u32, depth: u32): u32 {
  const entry = entryOf(stage, i);
  return depth < load<u32>(entry) ? <u32>load<u8>(entry + ENTRY_HEADER + depth) + 1 : 0;
}

/** The first entry of `low…high`, which agree on `depth` bytes, whose next byte (as of `byteAt`) is at least `wanted`. */
function lowerBound(stage: MappingStage, low: u32, high: u32, depth: u32, wanted: u32): u32 {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byteAt(stage, middle, depth) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The longest match at `p` among the entries of `low…high`, which begin with the byte there; `stage.count` if there is none. */
function longestMatch(stage: MappingStage, p: usize, end: usize, low: u32, high: u32): u32 {
  let found = stage.count;
  let depth: u32 = 1;
  while (low < high) {
    if (byteAt(stage, low, depth) == 0) {
      found = low;
      ++low;
    }
    if (p + depth >= end) break;
    const wanted = <u32>load<u8>(p + depth) + 1;
    low = lowerBound(stage, low, high, depth, wanted);
    high = lowerBound(stage, low, high, depth, wanted + 1);
    ++depth;
  }
  return found;
}

/** Notes that `matched` units of the input, which end at `inputEnd`, became `replaced`. */
function correct(corrections: Corrections, inputEnd: u32, matched: u32, replaced: u32): bool {
  const difference = matched - replaced;
  const before = corrections.last() as u32;
  if (difference == 0) return true;
  if (matched > replaced) {
    return corrections.add(inputEnd - difference - before, (before + difference) as i32);
  }
  // What is more than was matched leads back to its end.
  for (let i: u32 = 0; i < replaced - matched; i++) {
    if (!corrections.add(inputEnd - before + i, (before - i - 1) as i32)) return false;
  }
  return true;
}

function pull(at: usize): bool {
  const stage = changetype<MappingStage>(at);
  const end = Source.ptr + Source.length;
  const output = stage.output;
  output.clear();
  stage.corrections.clear();
  let p = Source.ptr;
  /** Up to where the input is in the output, and the units up to there. */
  let done = p;
  let units: u32 = 0;
  while (p < end) {
    // Entries that begin with the byte b lie between the bounds of b + 1 and b + 2.
    const bounds = at + FIRST + ((<usize>load<u8>(p)) << 2);
    const low = load<u32>(bounds, 4);
    const high = load<u32>(bounds, 8);
    const match = low < high ? longestMatch(stage, p, end, low, high) : stage.count;
    if (match == stage.count) {
      ++p;
      continue;
    }
    const entry = entryOf(stage, match);
    const matched = load<u32>(entry);
    const replacement = entry + ENTRY_HEADER + matched;
    if (
      !output.append(done, (p - done) as u32) ||
      !output.append(replacement, (entryOf(stage, match + 1) - replacement) as u32)
    ) {
      return false;
    }
    if (Analysis.offsets) {
      units += countUnits(done, p) + load<u32>(entry, 4);
      if (!correct(stage.corrections, units, load<u32>(entry, 4), load<u32>(entry, 8))) return false;
    }
    p += matched;
    done = p;
  }
  addCorrections(stage.corrections);
  if (done == Source.ptr) return true;
  if (!output.append(done, (end - done) as u32)) return false;
  Source.set(output.ptr, output.length);
  return true;
}
