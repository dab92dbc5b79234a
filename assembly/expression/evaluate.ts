import { COLUMN_DOUBLE } from '../abi/columns';
import { Double } from '../docvalues/column';
import { ARC, distance } from '../docvalues/geodesy';
import { haversin } from '../docvalues/sloppyMath';
import {
  Program,
  Step,
  STEP_ABS,
  STEP_ADD,
  STEP_ATAN2,
  STEP_CONDITIONAL,
  STEP_COUNT,
  STEP_FIELD,
  STEP_HAVERSIN,
  STEP_LATITUDE,
  STEP_NEGATE,
  STEP_NUMBER,
  STEP_SCORE,
  STEP_VALUE,
  VECTOR_BYTES,
} from './program';

// Runs programs (README.md). A vector is `n` f64; operands are replaced by what becomes of them.

/** Whether a number counts as true. */
function isTrue(value: f64): bool {
  return <i32>value != 0;
}

/** Puts the smallest values of a field in. */
function readField(step: Step, docs: usize, n: u32, out: usize): void {
  if (!step.column) {
    memory.fill(out, 0, (<usize>n) << 3);
    return;
  }
  const column = step.opened;
  const double = column.kind == COLUMN_DOUBLE;
  for (let i: usize = 0; i < <usize>n; i++) {
    const doc = load<u32>(docs + (i << 2));
    let value: f64 = 0;
    if (column.has(doc)) {
      const stored = column.value(column.first(doc));
      value = double ? Double.fromOrdered(stored) : <f64>stored;
    }
    store<f64>(out + (i << 3), value);
  }
}

/** Puts the coordinates of points in, of a document's first; no number where it has none. */
function readPoint(step: Step, docs: usize, n: u32, out: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    const doc = load<u32>(docs + (i << 2));
    let value: f64 = NaN;
    if (step.column && step.opened.has(doc)) {
      const column = step.opened;
      const first = column.first(doc);
      value = step.code == STEP_LATITUDE ? column.latitude(first) : column.longitude(first);
    }
    store<f64>(out + (i << 3), value);
  }
}

/** Puts the numbers of values in that documents have. */
function readCount(step: Step, docs: usize, n: u32, out: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    let count: u32 = 0;
    if (step.column) {
      const column = step.opened;
      const doc = load<u32>(docs + (i << 2));
      count = column.end(doc) - column.first(doc);
    }
    store<f64>(out + (i << 3), <f64>count);
  }
}

function unary(code: u8, a: f64): f64 {
  switch (code) {
    case 16:
      return -a;
    case 17:
      return isTrue(a) ? 0 : 1;
    default:
      return <f64>~(<i64>a);
  }
}

function binary(code: u8, a: f64, b: f64): f64 {
  switch (code) {
    case 32:
      return a + b;
    case 33:
      return a - b;
    case 34:
      return a * b;
    case 35:
      return a / b;
    case 36:
      return a % b;
    case 37:
      return <f64>(a < b);
    case 38:
      return <f64>(a <= b);
    case 39:
      return <f64>(a > b);
    case 40:
      return <f64>(a >= b);
    case 41:
      return <f64>(a == b);
    case 42:
      return <f64>(a != b);
    case 43:
      return <f64>(isTrue(a) && isTrue(b));
    case 44:
      return <f64>(isTrue(a) || isTrue(b));
    case 45:
      return <f64>(<i64>a & <i64>b);
    case 46:
      return <f64>(<i64>a | <i64>b);
    case 47:
      return <f64>(<i64>a ^ <i64>b);
    case 48:
      return <f64>((<i64>a) << (<i64>(<i32>b & 63)));
    case 49:
      return <f64>(<i64>a >> <i64>(<i32>b & 63));
    default:
      return <f64>(<i64>(<u64>(<i64>a) >> <u64>(<i32>b & 63)));
  }
}

/** Signed as the number is, as Java's MathUtil has it: of the sign bit. */
function signed(a: f64, value: f64): f64 {
  return reinterpret<i64>(a) < 0 ? -value : value;
}

function called(code: u8, a: f64): f64 {
  switch (code) {
    case 80:
      return Math.abs(a);
    case 81:
      return Math.acos(a);
    case 82:
      return Math.log(Math.sqrt(a * a - 1) + a);
    case 83:
      return Math.asin(a);
    case 84:
      return signed(a, Math.log(Math.sqrt(a * a + 1) + Math.abs(a)));
    case 85:
      return Math.atan(a);
    case 86:
      return signed(a, 0.5 * Math.log((1 + Math.abs(a)) / (1 - Math.abs(a))));
    case 87:
      return Math.ceil(a);
    case 88:
      return Math.cos(a);
    case 89:
      return Math.cosh(a);
    case 90:
      return Math.exp(a);
    case 91:
      return Math.floor(a);
    case 92:
      return Math.log(a);
    case 93:
      return Math.log10(a);
    case 94:
      return Math.sin(a);
    case 95:
      return Math.sinh(a);
    case 96:
      return Math.sqrt(a);
    case 97:
      return Math.tan(a);
    default:
      return Math.tanh(a);
  }
}

function calledWithTwo(code: u8, a: f64, b: f64): f64 {
  switch (code) {
    case 112:
      return Math.atan2(a, b);
    case 113:
      return Math.log(b) / Math.log(a);
    case 114:
      return Math.max(a, b);
    case 115:
      return Math.min(a, b);
    default:
      return a ** b;
  }
}

/** Applies a step to vectors of which the last of its operands begins at `top`; the result takes the place of the first. */
function apply(step: Step, top: usize, n: u32): void {
  const code = step.code;
  const bytes = (<usize>n) << 3;
  if (code >= STEP_HAVERSIN) {
    const first = top - 3 * VECTOR_BYTES;
    for (let i: usize = 0; i < bytes; i += 8) {
      const lat1 = load<f64>(first + i);
      const lon1 = load<f64>(first + VECTOR_BYTES + i);
      const lat2 = load<f64>(first + 2 * VECTOR_BYTES + i);
      const lon2 = load<f64>(top + i);
      const far =
        code == STEP_HAVERSIN ? haversin(lat1, lon1, lat2, lon2) : distance(ARC, lat1, lon1, lat2, lon2);
      store<f64>(first + i, far);
    }
  } else if (code >= STEP_ATAN2) {
    const first = top - VECTOR_BYTES;
    for (let i: usize = 0; i < bytes; i += 8)
      store<f64>(first + i, calledWithTwo(code, load<f64>(first + i), load<f64>(top + i)));
  } else if (code >= STEP_ABS) {
    for (let i: usize = 0; i < bytes; i += 8) store<f64>(top + i, called(code, load<f64>(top + i)));
  } else if (code == STEP_CONDITIONAL) {
    const first = top - 2 * VECTOR_BYTES;
    for (let i: usize = 0; i < bytes; i += 8) {
      const chosen = isTrue(load<f64>(first + i)) ? top - VECTOR_BYTES : top;
      store<f64>(first + i, load<f64>(chosen + i));
    }
  } else if (code >= STEP_ADD) {
    const first = top - VECTOR_BYTES;
    for (let i: usize = 0; i < bytes; i += 8)
      store<f64>(first + i, binary(code, load<f64>(first + i), load<f64>(top + i)));
  } else {
    for (let i: usize = 0; i < bytes; i += 8) store<f64>(top + i, unary(code, load<f64>(top + i)));
  }
}

/** How far an operation moves the top of the stack down. */
function taken(code: u8): u32 {
  if (code >= STEP_HAVERSIN) return 3 * VECTOR_BYTES;
  if (code == STEP_CONDITIONAL) return 2 * VECTOR_BYTES;
  return code >= STEP_ATAN2 || (code >= STEP_ADD && code < STEP_ABS) ? VECTOR_BYTES : 0;
}

/**
 * Runs an opened program for `n` documents, at most VECTOR, ascending. `scores` are their scores (f32), `values` what was read of
 * them (f64); 0: nobody knows. Returns the address of the results, f64 each, valid until the next run.
 */
export function evaluateProgram(program: Program, docs: usize, n: u32, scores: usize, values: usize): usize {
  const bytes = (<usize>n) << 3;
  let next = program.stack;
  for (let s: u32 = 0; s < program.count; s++) {
    const step = program.step(s);
    if (step.code >= STEP_NEGATE) {
      apply(step, next - VECTOR_BYTES, n);
      next -= taken(step.code);
      continue;
    }
    if (step.code == STEP_FIELD) readField(step, docs, n, next);
    else if (step.code == STEP_NUMBER) {
      for (let i: usize = 0; i < bytes; i += 8) store<f64>(next + i, step.number);
    } else if (step.code == STEP_SCORE) {
      for (let i: usize = 0; i < bytes; i += 8)
        store<f64>(next + i, scores ? <f64>load<f32>(scores + (i >> 1)) : 0);
    } else if (step.code == STEP_COUNT) readCount(step, docs, n, next);
    else if (step.code != STEP_VALUE) readPoint(step, docs, n, next);
    else if (values) memory.copy(next, values, bytes);
    else memory.fill(next, 0, bytes);
    next += VECTOR_BYTES;
  }
  return program.stack;
}

const oneDoc: usize = memory.data(4, 16);
const oneScore: usize = memory.data(4, 16);

/** The value for one document. */
export function evaluateOne(program: Program, doc: u32, score: f32): f64 {
  store<u32>(oneDoc, doc);
  store<f32>(oneScore, score);
  return load<f64>(evaluateProgram(program, oneDoc, 1, oneScore, 0));
}
