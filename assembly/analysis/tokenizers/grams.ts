import { KIND_EDGE_NGRAM_TOKENIZER } from '../../abi/stages';
import { heapAllocZeroed } from '../../memory/heap';
import { Categories, loadCategories } from '../categories';
import { correctOffset } from '../corrections';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { Utf8 } from '../utf8';

/**
 * Lucene's NGramTokenizer and EdgeNGramTokenizer: all runs of `min` to `max` code points of a set, ordered by start and
 * then length, each at a position of its own; of the edge grams only those that begin where such characters begin.
 *
 *     … | at … minEnd … gramEnd | …     the gram last given, and the shortest one that begins there
 *
 * Arguments:
 *
 *     u32 min, from 1 | u32 max, from min | u32 set of categories, 0: all characters
 */
@unmanaged
class GramStage extends Stage {
  min: u32;
  max: u32;
  set: u32;
  edgesOnly: bool;
  /** Where grams begin, and the UTF-16 units before. */
  at: usize;
  units: u32;
  /** The end of `characters` characters of the set that begin at `at`, and their units. */
  minEnd: usize;
  minUnits: u32;
  characters: u32;
  /** Characters of the gram last given, its end and its units. */
  size: u32;
  gramEnd: usize;
  gramUnits: u32;
}

const ARGUMENTS: usize = 12;

export function makeGrams(kind: u32, args: usize, end: usize): usize {
  if (end - args < ARGUMENTS || !loadCategories()) return 0;
  const at = heapAllocZeroed(offsetof<GramStage>());
  if (!at) return 0;
  const stage = changetype<GramStage>(at);
  stage.min = max(load<u32>(args), 1);
  stage.max = load<u32>(args, 4);
  stage.set = load<u32>(args, 8);
  stage.edgesOnly = kind == KIND_EDGE_NGRAM_TOKENIZER;
  stage.behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  const stage = changetype<GramStage>(at);
  stage.units = 0;
  stage.minUnits = 0;
  beginAt(stage, Source.ptr);
}

/** Grams begin at `p`, `units` and `minUnits` units behind what `at` was. */
function beginAt(stage: GramStage, p: usize): void {
  stage.at = p;
  stage.minEnd = p;
  stage.units += stage.minUnits;
  stage.minUnits = 0;
  stage.characters = 0;
  stage.size = 0;
}

/** Finds the shortest gram that begins at `at` or later; false if there is none. */
function shortest(stage: GramStage, end: usize): bool {
  while (stage.characters < stage.min) {
    if (stage.minEnd >= end) return false;
    const decoded = Utf8.decode(stage.minEnd, end);
    const c = Utf8.codePoint(decoded);
    stage.minEnd += Utf8.bytes(decoded);
    stage.minUnits += Utf8.units(c);
    if (stage.set && !Categories.has(stage.set, c)) beginAt(stage, stage.minEnd);
    else ++stage.characters;
  }
  stage.size = stage.min;
  stage.gramEnd = stage.minEnd;
  stage.gramUnits = stage.minUnits;
  return true;
}

/** Makes the gram longer by a character; false if that can't be. */
function longer(stage: GramStage, end: usize): bool {
  if (stage.size >= stage.max || stage.gramEnd >= end) return false;
  const decoded = Utf8.decode(stage.gramEnd, end);
  const c = Utf8.codePoint(decoded);
  if (stage.set && !Categories.has(stage.set, c)) return false;
  stage.gramEnd += Utf8.bytes(decoded);
  stage.gramUnits += Utf8.units(c);
  ++stage.size;
  return true;
}

/** Lets the next grams begin where characters of the set begin again. */
function nextEdge(stage: GramStage, end: usize): void {
  let p = stage.gramEnd;
  let units = stage.gramUnits;
  let edge = false;
  while (p < end && !edge && stage.set) {
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    p += Utf8.bytes(decoded);
    units += Utf8.units(c);
    edge = !Categories.has(stage.set, c);
  }
  stage.minUnits = units;
  beginAt(stage, edge ? p : end);
}

function nextStart(stage: GramStage, end: usize): void {
  if (stage.edgesOnly) {
    nextEdge(stage, end);
    return;
  }
  const decoded = Utf8.decode(stage.at, end);
  const units = Utf8.units(Utf8.codePoint(decoded));
  stage.at += Utf8.bytes(decoded);
  stage.units += units;
  stage.minUnits -= units;
  --stage.characters;
}

function pull(at: usize): bool {
  const stage = changetype<GramStage>(at);
  const end = Source.ptr + Source.length;
  if (stage.size == 0) {
    if (!shortest(stage, end)) return false;
  } else if (!longer(stage, end)) {
    nextStart(stage, end);
    if (!shortest(stage, end)) {
      stage.size = 0;
      return false;
    }
  }
  Token.setTerm(stage.at, (stage.gramEnd - stage.at) as u32);
  Token.increment = 1;
  Token.type = TYPE_WORD;
  Token.keyword = false;
  if (Analysis.offsets) {
    Token.start = correctOffset(stage.units);
    Token.end = correctOffset(stage.units + stage.gramUnits);
  }
  return true;
}
