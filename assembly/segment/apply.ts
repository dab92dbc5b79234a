import { COLUMN_DOUBLE, COLUMN_GEO, COLUMN_LONG } from '../abi/columns';
import { ERR_BATCH, ERR_MEMORY, OK } from '../abi/status';
import {
  tokenHash,
  tokenLength,
  tokenNext,
  tokenPositionIncrement,
  tokenPtr,
  tokenStart,
} from '../analysis/standard';
import { ANALYZER_NONE, ANALYZER_STANDARD, chainOf, givenChain } from '../analysis/analyzers';
import { Chain } from '../analysis/chain';
import { Analysis, Token } from '../analysis/token';
import { hashBytes } from '../analysis/hash';
import { floatToByte315 } from '../codec/norm';
import { MAX_TERM_BYTES } from '../terms/dictionary';
import { Buffer } from './buffer';
import { columnKind, FIELD_NORMS, FIELD_OVERLAPS, FIELD_POSITIONS } from './segment';
import { FieldDefinition, Shard } from './shards';
import { MAX_POSITION } from './tokenLog';

/** Batches of operations (drawn in assembly/README.md) into a shard's open buffer. */

const INDEX: u32 = 1;
const DELETE: u32 = 2;
/** Keys lie below 2^56, so that their excesses fit. */
const KEY_END: u64 = 1 << 56;
const DELETE_BYTES: u32 = 9;
const INDEX_HEADER: u32 = 13;
const VALUE_HEADER: u32 = 6;
/** Flag of a value's length: an f32 follows its bytes, a boost in place of its field's. */
const BOOSTED: u32 = 0x80000000;
const BOOST_BYTES: u32 = 4;
/** Flag of a value's length: its bytes are tokens, which the field's analyzer has no part in. */
const GIVEN: u32 = 0x40000000;
const LENGTH: u32 = ~(BOOSTED | GIVEN);

/** Bytes of a value and of what follows them, from its length as it stands in the batch. */
function valueBytes(length: u32): u32 {
  return (length & LENGTH) + (length & BOOSTED ? BOOST_BYTES : 0);
}

/** A term without analysis, with zeros behind it. */
const rawTerm: usize = memory.data(32776, 16);

/** Whether a value, whose length stands so in the batch, can be one of the field's column. */
function fitsColumn(definition: FieldDefinition, length: u32): bool {
  const kind = columnKind(<u32>definition.flags);
  if (kind == COLUMN_LONG || kind == COLUMN_DOUBLE) return (length & ~BOOSTED) == 8;
  return kind != COLUMN_GEO || (length & ~BOOSTED) == 16;
}

/** Whether the bytes are a batch that the shard can take. */
function isValid(shard: Shard, ptr: usize, length: u32): bool {
  const end = ptr + length;
  if (end < ptr) return false;
  let nextKey = shard.nextKey;
  while (ptr < end) {
    const room = <u32>(end - ptr);
    const kind = <u32>load<u8>(ptr);
    if (kind == DELETE) {
      if (room < DELETE_BYTES) return false;
      ptr += DELETE_BYTES;
      continue;
    }
    if (kind != INDEX || room < INDEX_HEADER) return false;
    const key = load<u64>(ptr, 1);
    if (key < nextKey || key >= KEY_END) return false;
    nextKey = key + 1;
    const bytes = load<u32>(ptr, 9);
    if (bytes > room - INDEX_HEADER) return false;
    ptr += INDEX_HEADER;
    const docEnd = ptr + bytes;
    while (ptr < docEnd) {
      const left = <u32>(docEnd - ptr);
      if (left < VALUE_HEADER) return false;
      const length = load<u32>(ptr, 2);
      if (valueBytes(length) > left - VALUE_HEADER) return false;
      const slot = shard.slotOf(<u32>load<u16>(ptr));
      if (slot < 0 || !fitsColumn(shard.slot(slot), length)) return false;
      ptr += VALUE_HEADER + valueBytes(length);
    }
  }
  return true;
}

/** Adds an analyzed value; false without memory. */
function addText(
  buffer: Buffer,
  slot: u32,
  definition: FieldDefinition,
  ptr: usize,
  length: u32,
  boost: f32,
): bool {
  const state = buffer.state(slot);
  const positional = (definition.flags & FIELD_POSITIONS) != 0;
  let position = state.position;
  if (state.boost != 1 || boost != 1) state.boost *= boost;
  let tokens: u32 = 0;
  let counted: u32 = 0;
  tokenStart(ptr, length);
  while (tokenNext()) {
    const increment = tokenPositionIncrement;
    position = <i32>min(<u32>(position + <i32>increment), MAX_POSITION);
    ++tokens;
    counted += u32(increment != 0);
    if (!buffer.add(slot, tokenPtr, tokenLength, tokenHash, position, positional)) return false;
  }
  state.tokens += tokens;
  state.length += counted;
  state.position = <i32>min(<i64>position + <i64>definition.positionGap, <i64>MAX_POSITION);
  return true;
}

/** Adds a value that a chain analyzes; false without memory. Terms longer than a term may be are left out, their positions stay. */
function addChained(
  buffer: Buffer,
  slot: u32,
  definition: FieldDefinition,
  chain: Chain | null,
  ptr: usize,
  length: u32,
  boost: f32,
): bool {
  if (chain === null) return false;
  const state = buffer.state(slot);
  const positional = (definition.flags & FIELD_POSITIONS) != 0;
  let position = state.position;
  if (state.boost != 1 || boost != 1) state.boost *= boost;
  let tokens: u32 = 0;
  let counted: u32 = 0;
  if (!chain.start(ptr, length, false)) return false;
  while (chain.next()) {
    const increment = Token.increment;
    position = <i32>min(<i64>position + <i64>increment, <i64>MAX_POSITION);
    if (Token.length > MAX_TERM_BYTES) continue;
    ++tokens;
    counted += u32(increment != 0);
    const hash = Token.hashOf(Token.ptr, Token.length);
    memory.copy(rawTerm, Token.ptr, Token.length);
    v128.store(rawTerm + Token.length, i64x2.splat(0));
    if (!buffer.add(slot, rawTerm, Token.length, hash, max(position, 0), positional)) return false;
  }
  position = <i32>min(<i64>position + <i64>Token.rest, <i64>MAX_POSITION);
  chain.end();
  if (Analysis.status != OK) return false;
  state.tokens += tokens;
  state.length += definition.flags & FIELD_OVERLAPS ? tokens : counted;
  state.position = <i32>min(<i64>position + <i64>definition.positionGap, <i64>MAX_POSITION);
  return true;
}

/** Adds a value that is one term, unless it is longer than a term may be; false without memory. */
function addTerm(
  buffer: Buffer,
  slot: u32,
  definition: FieldDefinition,
  ptr: usize,
  length: u32,
  boost: f32,
): bool {
  if (length > MAX_TERM_BYTES) return true;
  const state = buffer.state(slot);
  state.boost *= boost;
  state.position = <i32>min(<u32>(state.position + 1), MAX_POSITION);
  ++state.tokens;
  ++state.length;
  const hash = hashBytes(ptr, length);
  memory.copy(rawTerm, ptr, length);
  store<u64>(rawTerm + length, 0);
  const positional = (definition.flags & FIELD_POSITIONS) != 0;
  return buffer.add(slot, rawTerm, length, hash, state.position, positional);
}

/** Writes down the norms of the document's fields; false without memory. */
function endDoc(shard: Shard, buffer: Buffer): bool {
  const touched = buffer.touched;
  for (let i: u32 = 0, n = buffer.touchedCount; i < n; i++) {
    const slot = load<u32>(touched + ((<usize>i) << 2));
    const state = buffer.state(slot);
    if (!state.tokens) continue;
    let norm: u8 = 0;
    if (shard.slot(slot).flags & FIELD_NORMS) {
      norm = floatToByte315(state.boost * <f32>(1.0 / Math.sqrt(<f64>state.length)));
    }
    if (!buffer.log.endField(slot, norm)) return false;
  }
  return true;
}

/** Adds a document's values; false without memory. */
function addDoc(shard: Shard, buffer: Buffer, key: u64, ptr: usize, end: usize): bool {
  if (!buffer.startDoc(key)) return false;
  while (ptr < end) {
    const slot = <u32>shard.slotOf(<u32>load<u16>(ptr));
    const length = load<u32>(ptr, 2);
    const bytes = length & LENGTH;
    ptr += VALUE_HEADER;
    const definition = shard.slot(slot);
    const boost = length & BOOSTED ? load<f32>(ptr + bytes) : definition.boost;
    const analyzer = definition.analyzer;
    let added: bool;
    if (length & GIVEN) added = addChained(buffer, slot, definition, givenChain(), ptr, bytes, boost);
    else if (analyzer == ANALYZER_NONE) added = addTerm(buffer, slot, definition, ptr, bytes, boost);
    else if (analyzer == ANALYZER_STANDARD) added = addText(buffer, slot, definition, ptr, bytes, boost);
    else added = addChained(buffer, slot, definition, chainOf(analyzer), ptr, bytes, boost);
    if (!added) return false;
    ptr += valueBytes(length);
  }
  return endDoc(shard, buffer);
}

/** Applies the operations of a valid batch; false without memory, then some may have been applied. */
function run(shard: Shard, ptr: usize, end: usize): bool {
  while (ptr < end) {
    const key = load<u64>(ptr, 1);
    if (load<u8>(ptr) == DELETE) {
      ptr += DELETE_BYTES;
      // A key that is yet to come is unknown now.
      if (key < shard.nextKey && !shard.addDelete(key)) return false;
      continue;
    }
    let buffer = shard.buffer;
    if (!buffer) {
      buffer = Buffer.make();
      if (!buffer) return false;
      shard.buffer = buffer;
    }
    if (!buffer.reserveSlots(shard.fieldCount)) return false;
    const docEnd = ptr + INDEX_HEADER + load<u32>(ptr, 9);
    if (!addDoc(shard, buffer, key, ptr + INDEX_HEADER, docEnd)) return false;
    shard.nextKey = key + 1;
    ptr = docEnd;
  }
  return true;
}

/** Applies a batch to the open buffer, as a whole or not at all. */
export function applyToBuffer(shard: Shard, ptr: usize, length: u32): i32 {
  if (!isValid(shard, ptr, length)) return ERR_BATCH;
  const before = shard.buffer;
  const docs: u32 = before ? before.docCount : 0;
  const mark: u64 = before ? before.log.mark() : 0;
  const deletes = shard.deleteCount;
  const nextKey = shard.nextKey;
  if (run(shard, ptr, ptr + length)) return OK;
  const after = shard.buffer;
  if (before) {
    before.rollback(docs, mark);
  } else if (after) {
    after.free();
    shard.buffer = null;
  }
  shard.dropNewDeletes(deletes);
  shard.nextKey = nextKey;
  return ERR_MEMORY;
}
