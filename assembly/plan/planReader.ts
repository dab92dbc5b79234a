import { ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { fail, requestStatus } from '../requestStatus';
import { fieldPair, isUntied } from '../segment/parentOrdinals';
import { Query, QueryTerm } from './query';

// The bytes of a plan, read one after the other. Every length is checked against the end of the plan before it is used; after
// a failure everything reads as zero. Terms are referred to in place. The reader is a
// global: a request has one plan, and every number of it is read through here.

export let at: usize = 0;
let end: usize = 0;

/** The fields that parents and children are tied together by, as `fieldPair` writes them; 0: none were read. */
let joinedFields: u32 = 0;

export function startReading(ptr: usize, length: u32): void {
  at = ptr;
  end = ptr + length;
  joinedFields = 0;
}

/** Takes note of the fields that a part of the plan joins by, which are the same in all of it. */
export function noteJoin(own: u32, parent: u32): void {
  if (isUntied(own, parent)) return;
  const fields = fieldPair(own, parent);
  if (joinedFields && joinedFields != fields) fail(ERR_PLAN);
  joinedFields = fields;
}

/** Whether all has been read. */
export function readAll(): bool {
  return at == end;
}

function has(bytes: usize): bool {
  if (requestStatus == OK && end - at >= bytes) return true;
  fail(ERR_PLAN);
  return false;
}

export function u8Next(): u8 {
  if (!has(1)) return 0;
  const v = load<u8>(at);
  at += 1;
  return v;
}

export function u16Next(): u16 {
  if (!has(2)) return 0;
  const v = load<u16>(at);
  at += 2;
  return v;
}

export function u32Next(): u32 {
  if (!has(4)) return 0;
  const v = load<u32>(at);
  at += 4;
  return v;
}

/** A boost or a tie breaker: any finite number. */
export function f32Next(): f32 {
  const v = reinterpret<f32>(u32Next());
  if (!isFinite<f32>(v)) fail(ERR_PLAN);
  return v;
}

/** A number that is one. */
export function f64Next(): f64 {
  if (!has(8)) return 0;
  const v = load<f64>(at);
  at += 8;
  if (!(v >= -Infinity)) fail(ERR_PLAN);
  return v;
}

/** Bytes that have not been read. */
export function bytesLeft(): usize {
  return end - at;
}

/** Address of the next `bytes` bytes, which are passed over. */
export function bytesNext(bytes: usize): usize {
  const here = at;
  if (has(bytes)) at += bytes;
  return here;
}

/** Goes back to where the reader stood. */
export function readAgain(from: usize): void {
  if (requestStatus == OK) at = from;
}

/** Room for `n` pointers of things that take at least `least` bytes each in what is left of the plan. */
export function pointers(n: u32, least: usize): usize {
  if (requestStatus != OK) return 0;
  if (<u64>n * <u64>least > <u64>(end - at)) {
    fail(ERR_PLAN);
    return 0;
  }
  const ptr = requestAlloc(n * <u32>sizeof<usize>());
  if (!ptr) fail(ERR_MEMORY);
  return ptr;
}

/** Cleared room for a struct; 0 with a failure. */
export function structNext(bytes: u32): usize {
  const ptr = requestAllocZeroed(bytes);
  if (!ptr) fail(ERR_MEMORY);
  return ptr;
}

/** A term: u16 length, bytes. */
export function termNext(position: u32): QueryTerm | null {
  const length = <u32>u16Next();
  const bytes = bytesNext(length);
  if (requestStatus != OK) return null;
  const made = structNext(offsetof<QueryTerm>());
  if (!made) return null;
  const term = changetype<QueryTerm>(made);
  term.ptr = bytes;
  term.length = length;
  term.position = position;
  return term;
}

/** `n` terms of a node. */
export function termsNext(node: Query, n: u32): void {
  node.terms = pointers(n, 2);
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const term = termNext(0);
    if (requestStatus == OK) store<usize>(node.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
  }
  node.termCount = n;
}

/** Address of `n` terms, which are passed over. */
export function termBytesNext(n: u32): usize {
  const here = at;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) bytesNext(<usize>u16Next());
  return here;
}
