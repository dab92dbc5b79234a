import {
  FUNCTION_DECAY,
  FUNCTION_FIELD_VALUE,
  FUNCTION_FREQUENCY,
  FUNCTION_GEO_DECAY,
  FUNCTION_RANDOM,
  FUNCTION_SCRIPT,
} from '../abi/functions';
import {
  MATCHER_AUTOMATON,
  MATCHER_ENDING,
  MATCHER_FUZZY,
  MATCHER_PREFIX,
  MATCHER_RANGE,
  MUST_NOT,
} from '../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { programNext } from '../expression/program';
import { ScoreFunction } from '../docset/functions';
import { automatonMalformed, openAutomaton } from '../terms/automaton';
import {
  at,
  bytesNext,
  f32Next,
  f64Next,
  pointers,
  readAgain,
  structNext,
  termNext,
  termsNext,
  u8Next,
  u16Next,
  u32Next,
} from '../plan/planReader';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';

// The parts of plan nodes that hold no other nodes.

/** Most terms of one phrase, more like this or blend. */
const MAX_TERMS: u32 = 16384;
/** Most modifiers and shapes. */
const MODIFIERS: u8 = 10;
const SHAPES: u8 = 3;
const MODES: u8 = 4;

/** u16 length, bytes. */
export function prefixNext(node: Query): void {
  node.matcher = MATCHER_PREFIX;
  node.lowerLength = <u32>u16Next();
  node.lower = bytesNext(node.lowerLength);
}

/** u8 flags, lower bound, upper bound. */
export function rangeNext(node: Query): void {
  node.matcher = MATCHER_RANGE;
  node.flags = u8Next();
  node.lowerLength = <u32>u16Next();
  node.lower = bytesNext(node.lowerLength);
  node.upperLength = <u32>u16Next();
  node.upper = bytesNext(node.upperLength);
}

/** The matcher of a multi-term query. */
export function matcherNext(node: Query): void {
  const kind = u8Next();
  if (kind == MATCHER_PREFIX) prefixNext(node);
  else if (kind == MATCHER_RANGE) rangeNext(node);
  else if (kind == MATCHER_AUTOMATON || kind == MATCHER_FUZZY || kind == MATCHER_ENDING) {
    node.matcher = kind;
    if (kind == MATCHER_ENDING) {
      node.upperLength = <u32>u16Next();
      node.upper = bytesNext(node.upperLength);
      if (!node.upperLength) fail(ERR_PLAN);
    }
    if (kind == MATCHER_FUZZY) node.codePoints = u32Next();
    const length = u32Next();
    const bytes = bytesNext(length);
    if (requestStatus != OK) return;
    const automaton = openAutomaton(bytes, length);
    if (automaton === null) fail(automatonMalformed ? ERR_PLAN : ERR_MEMORY);
    else node.automaton = changetype<usize>(automaton);
  } else fail(ERR_PLAN);
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

/** (n + 1) × u16. */
function minimumsNext(n: u32): usize {
  return bytesNext((<usize>n + 1) << 1);
}

export function commonNext(node: Query): void {
  node.cutoff = f32Next();
  node.lowOccur = u8Next();
  node.highOccur = u8Next();
  if (node.lowOccur >= MUST_NOT || node.highOccur >= MUST_NOT) fail(ERR_PLAN);
  node.flags = u8Next();
  termsNext(node, <u32>u16Next());
  node.minimums = minimumsNext(node.termCount);
  minimumsNext(node.termCount);
}

export function blendedNext(node: Query): void {
  node.flags = u8Next();
  node.tieBreaker = f32Next();
  node.cutoff = f32Next();
  const n = <u32>u16Next();
  node.terms = pointers(n, 8);
  node.termCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const field = u16Next();
    const boost = f32Next();
    const term = termNext(0);
    if (requestStatus != OK) return;
    term!.field = field;
    term!.boost = boost;
    store<usize>(node.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
  }
}

/** Terms of a text and the fields they may be in. */
@unmanaged
export class LikeGroup {
  /** Address of `fieldCount` × u16. */
  fields: usize;
  fieldCount: u32;
  /** Array of QueryTerm pointers, whose `position` is the frequency in the text. */
  terms: usize;
  termCount: u32;
}

export function likeNext(node: Query): void {
  node.leastDf = u32Next();
  node.mostDf = u32Next();
  node.size = <u32>u16Next();
  // The boost of terms.
  node.cutoff = f32Next();
  const groups = <u32>u16Next();
  node.parts = pointers(groups, 4);
  node.partCount = groups;
  let total: u32 = 0;
  for (let g: u32 = 0; g < groups && requestStatus == OK; g++) {
    const made = structNext(offsetof<LikeGroup>());
    if (!made) return;
    const group = changetype<LikeGroup>(made);
    store<usize>(node.parts + <usize>g * sizeof<usize>(), made);
    group.fieldCount = <u32>u16Next();
    if (!group.fieldCount) fail(ERR_PLAN);
    group.fields = bytesNext((<usize>group.fieldCount) << 1);
    group.termCount = <u32>u16Next();
    group.terms = pointers(group.termCount, 6);
    total += group.termCount;
    if (total > MAX_TERMS) fail(ERR_LIMIT);
    for (let i: u32 = 0; i < group.termCount && requestStatus == OK; i++) {
      const frequency = u32Next();
      const term = termNext(frequency);
      if (requestStatus == OK)
        store<usize>(group.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
    }
  }
  node.termCount = 0;
  node.minimums = minimumsNext(total);
  // The most terms that the minimums speak of.
  node.codePoints = total;
}

/** A function of a function score but for its filter. */
export function functionNext(d: Decoding, f: ScoreFunction): void {
  f.kind = u8Next();
  if (f.kind == FUNCTION_RANDOM) {
    f.seed = u32Next();
    d.plan.needsUids = true;
  } else if (f.kind == FUNCTION_FIELD_VALUE) {
    f.field = <u32>u16Next();
    f.factor = f32Next();
    f.modifier = u8Next();
    f.hasMissing = u8Next() != 0;
    f.missing = f64Next();
    if (f.modifier >= MODIFIERS) fail(ERR_PLAN);
  } else if (f.kind == FUNCTION_DECAY || f.kind == FUNCTION_GEO_DECAY) {
    f.field = <u32>u16Next();
    f.shape = u8Next();
    f.mode = u8Next();
    f.origin = f64Next();
    if (f.kind == FUNCTION_GEO_DECAY) f.longitude = f64Next();
    f.scale = f64Next();
    f.offset = f64Next();
    if (f.shape >= SHAPES || f.mode >= MODES) fail(ERR_PLAN);
  } else if (f.kind == FUNCTION_SCRIPT) {
    f.program = programNext();
  } else if (f.kind && f.kind != FUNCTION_FREQUENCY) fail(ERR_PLAN);
}
