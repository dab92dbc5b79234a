import { COLUMN_DOUBLE, COLUMN_GEO, COLUMN_LONG } from '../abi/columns';
import { ERR_LIMIT, ERR_PLAN, OK } from '../abi/status';
import { Column } from '../docvalues/column';
import { fail, requestStatus } from '../requestStatus';
import { bytesNext, structNext, u8Next, u16Next } from '../plan/planReader';
import { openColumnOf } from '../segment/fielddata';
import { Segment } from '../segment/segment';

// Programs of expressions (README.md): read from a plan once, opened for each segment.

export const STEP_NUMBER: u8 = 0;
export const STEP_FIELD: u8 = 1;
export const STEP_SCORE: u8 = 2;
export const STEP_VALUE: u8 = 3;
export const STEP_LATITUDE: u8 = 4;
export const STEP_LONGITUDE: u8 = 5;
export const STEP_COUNT: u8 = 6;
const LAST_READ: u8 = 6;
export const STEP_NEGATE: u8 = 16;
const LAST_UNARY: u8 = 18;
export const STEP_ADD: u8 = 32;
const LAST_BINARY: u8 = 50;
export const STEP_CONDITIONAL: u8 = 64;
export const STEP_ABS: u8 = 80;
const LAST_FUNCTION: u8 = 98;
export const STEP_ATAN2: u8 = 112;
const LAST_PAIR: u8 = 116;
export const STEP_HAVERSIN: u8 = 128;
export const STEP_ARC: u8 = 129;

const MAX_STEPS: u32 = 1024;
const MAX_STACK: u32 = 64;

/** Documents that are worked on at once. */
export const VECTOR: u32 = 1024;
export const VECTOR_BYTES: u32 = VECTOR * 8;

@unmanaged
export class Step {
  code: u8;
  /** The type of a field's values. */
  type: u8;
  field: u16;
  number: f64;
  /** The opened column of a field, 0 where no document has a value. */
  column: usize;

  @inline get opened(): Column {
    return changetype<Column>(this.column);
  }
}

@unmanaged
export class Program {
  steps: usize;
  count: u32;
  /** Most operands that wait. */
  depth: u32;
  usesScore: bool;
  /** Vectors of the operands. */
  stack: usize;

  @inline step(i: u32): Step {
    return changetype<Step>(this.steps + <usize>i * offsetof<Step>());
  }
}

/** How many operands a step takes; 0xff: there is no such step. */
function operandsOf(code: u8): u32 {
  if (code <= LAST_READ) return 0;
  if (code >= STEP_NEGATE && code <= LAST_UNARY) return 1;
  if (code >= STEP_ADD && code <= LAST_BINARY) return 2;
  if (code == STEP_CONDITIONAL) return 3;
  if (code >= STEP_ABS && code <= LAST_FUNCTION) return 1;
  if (code >= STEP_ATAN2 && code <= LAST_PAIR) return 2;
  return code == STEP_HAVERSIN || code == STEP_ARC ? 4 : 0xff;
}

/** Whether a step reads a column. */
function readsField(code: u8): bool {
  return code == STEP_FIELD || (code >= STEP_LATITUDE && code <= LAST_READ);
}

/** Whether a step can read what the values of its field are. */
function hasType(step: Step): bool {
  const code = step.code;
  const type = step.type;
  if (code == STEP_FIELD) return type == <u8>COLUMN_LONG || type == <u8>COLUMN_DOUBLE;
  return code == STEP_COUNT ? type >= <u8>COLUMN_LONG && type <= <u8>COLUMN_GEO : type == <u8>COLUMN_GEO;
}

/** Reads a program where the plan's reader stands; its address, 0 with a failure. */
export function programNext(): usize {
  const made = structNext(offsetof<Program>());
  const n = <u32>u16Next();
  if (!made || requestStatus != OK) return 0;
  if (!n || n > MAX_STEPS) {
    fail(n ? ERR_LIMIT : ERR_PLAN);
    return 0;
  }
  const program = changetype<Program>(made);
  program.count = n;
  program.steps = structNext(n * offsetof<Step>());
  let waiting: u32 = 0;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const step = program.step(i);
    step.code = u8Next();
    const operands = operandsOf(step.code);
    if (operands > waiting) {
      fail(ERR_PLAN);
      return 0;
    }
    waiting += 1 - operands;
    program.depth = max(program.depth, waiting);
    if (step.code == STEP_NUMBER) {
      // Any number, even none.
      const at = bytesNext(8);
      if (requestStatus == OK) step.number = load<f64>(at);
    } else if (readsField(step.code)) {
      step.field = u16Next();
      step.type = u8Next();
      if (!hasType(step)) fail(ERR_PLAN);
    } else if (step.code == STEP_SCORE) program.usesScore = true;
  }
  if (waiting != 1) fail(ERR_PLAN);
  if (program.depth > MAX_STACK) fail(ERR_LIMIT);
  if (requestStatus == OK) program.stack = structNext(program.depth * VECTOR_BYTES);
  return requestStatus == OK ? made : 0;
}

/** Opens the fields of a program in a segment; false without memory. */
export function openProgram(program: Program, seg: Segment): bool {
  for (let i: u32 = 0; i < program.count; i++) {
    const step = program.step(i);
    if (!readsField(step.code)) continue;
    const column = openColumnOf(seg, step.field, step.type);
    if (requestStatus != OK) return false;
    step.column = column !== null && column.kind == <u32>step.type ? changetype<usize>(column) : 0;
  }
  return true;
}
