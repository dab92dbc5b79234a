import { COLUMN_DOUBLE, COLUMN_ORDINAL } from '../abi/columns';
import { Double } from '../docvalues/column';
import { BLOCK_TERMS, TermCursor } from '../terms/dictionary';
import { Aggregation } from './aggregation';
import { mix } from './buckets';
import { wholeValue } from './rounding';

// How many different values there are: HyperLogLog++ as Elasticsearch 1.7 has it. A state takes 2^precision bytes: first a hash
// table of hashes shortened to 32 bits (0: empty), later a register a byte. Beside it stands how many hashes there are, or REGISTERS.

const REGISTERS: u32 = 0xffffffff;
/** Bits of a hash that short hashes keep. */
const SHORT_BITS: u32 = 25;

/** First half of the 128 bits of MurmurHash3 (x64, seed 0). */
function murmur(ptr: usize, length: u32): u64 {
  const c1: u64 = 0x87c37b91114253d5;
  const c2: u64 = 0x4cf5ad432745937f;
  let h1: u64 = 0;
  let h2: u64 = 0;
  let at = ptr;
  const blocks = length >> 4;
  for (let i: u32 = 0; i < blocks; i++, at += 16) {
    h1 ^= rotl<u64>(load<u64>(at) * c1, 31) * c2;
    h1 = (rotl<u64>(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= rotl<u64>(load<u64>(at, 8) * c2, 33) * c1;
    h2 = (rotl<u64>(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  const rest = length & 15;
  let k1: u64 = 0;
  let k2: u64 = 0;
  for (let i: u32 = 0; i < rest; i++) {
    const byte = <u64>load<u8>(at + i);
    if (i < 8) k1 |= byte << (<u64>(i << 3));
    else k2 |= byte << (<u64>((i - 8) << 3));
  }
  if (rest > 8) h2 ^= rotl<u64>(k2 * c2, 33) * c1;
  if (rest) h1 ^= rotl<u64>(k1 * c1, 31) * c2;
  h1 ^= <u64>length;
  h2 ^= <u64>length;
  h1 += h2;
  h2 += h1;
  h1 = mix(h1);
  h2 = mix(h2);
  return h1 + h2;
}

/** The hash of an ordinal's term, kept per ordinal of the segment; they are looked up in `agg.segmentTerms` as u64, 0: not yet. */
function hashOfOrdinal(agg: Aggregation, ordinal: u32): u64 {
  const at = agg.segmentTerms.at + ((<usize>ordinal) << 3);
  let hash = load<u64>(at);
  if (hash) return hash;
  const terms = changetype<TermCursor>(agg.terms);
  const block = ordinal & ~(BLOCK_TERMS - 1);
  if (terms.ordinal > ordinal || terms.ordinal <= block) {
    terms.rewind();
    terms.ordinal = block;
  }
  while (terms.ordinal <= ordinal && terms.next()) {}
  hash = murmur(terms.termPtr, terms.termLength);
  store<u64>(at, hash);
  return hash;
}

/** A hash in 32 bits: its first 25, and where those don't tell the run of zeros behind the register's bits, that run. */
function shorten(hash: u64, precision: u32): u32 {
  const first = <u32>(hash >> (64 - SHORT_BITS));
  if (first & ((1 << (SHORT_BITS - precision)) - 1)) return first << 1;
  const run = 1 + min(<u32>clz<u64>(hash << SHORT_BITS), 64 - SHORT_BITS);
  return (first << 7) | (run << 1) | 1;
}

function addToRegister(registers: usize, register: u32, run: u32): void {
  const at = registers + register;
  if (<u32>load<u8>(at) < run) store<u8>(at, <u8>run);
}

/** Adds a short hash to registers. */
function addShort(registers: usize, short: u32, precision: u32): void {
  if (short & 1) {
    addToRegister(
      registers,
      (short >> 7) >> (SHORT_BITS - precision),
      ((short >> 1) & 63) + SHORT_BITS - precision,
    );
  } else {
    const first = short >> 1;
    addToRegister(registers, first >> (SHORT_BITS - precision), 1 + clz<u32>(first << (7 + precision)));
  }
}

/** Adds a short hash to a table of so many places, a power of two; whether it is new. */
function addToTable(table: usize, places: u32, short: u32): bool {
  let at = <u32>mix(<u64>short) & (places - 1);
  for (;;) {
    const found = load<u32>(table + ((<usize>at) << 2));
    if (found == short) return false;
    if (!found) break;
    at = (at + 1) & (places - 1);
  }
  store<u32>(table + ((<usize>at) << 2), short);
  return true;
}

const spare: usize = memory.data(1 << 18, 16);

function addHash(agg: Aggregation, owner: u32, hash: u64): void {
  const precision = <u32>agg.precision;
  const bytes: u32 = 1 << precision;
  const state = agg.state.at + <usize>owner * bytes;
  const sizeAt = agg.counts.at + ((<usize>owner) << 2);
  const size = load<u32>(sizeAt);
  if (size == REGISTERS) {
    const rest = hash << (<u64>precision);
    const run = 1 + min(<u32>clz<u64>(rest), 64 - precision);
    addToRegister(state, <u32>(hash >> <u64>(64 - precision)), run);
    return;
  }
  const places = bytes >> 2;
  if (!addToTable(state, places, shorten(hash, precision))) return;
  store<u32>(sizeAt, size + 1);
  if (size + 1 <= places - (places >> 2)) return;
  memory.copy(spare, state, bytes);
  memory.fill(state, 0, bytes);
  for (let at: u32 = 0; at < bytes; at += 4) {
    const short = load<u32>(spare + at);
    if (short) addShort(state, short, precision);
  }
  store<u32>(sizeAt, REGISTERS);
}

/** Adds a batch of values. */
export function collectCardinality(agg: Aggregation, owners: usize, m: u32): void {
  for (let i: u32 = 0; i < m; i++) {
    const value = load<i64>(agg.values + ((<usize>i) << 3));
    const owner = load<u32>(owners + ((<usize>load<u32>(agg.places + ((<usize>i) << 2))) << 2));
    let hash: u64;
    if (agg.isHashed) hash = <u64>wholeValue(agg, value);
    else if (agg.type == COLUMN_ORDINAL) hash = hashOfOrdinal(agg, <u32>value);
    else if (agg.type == COLUMN_DOUBLE) hash = mix(reinterpret<u64>(Double.fromOrdered(value)));
    else hash = mix(<u64>value);
    addHash(agg, owner, hash);
  }
}

/** Room for the states of `n` owners; false without memory. */
export function startCardinality(agg: Aggregation, n: u32): bool {
  agg.stateCount = max(agg.stateCount, n);
  return agg.state.reserve((<u64>n) << (<u64>agg.precision)) && agg.counts.reserve((<u64>n) << 2);
}

/** Whether an owner's state is registers. */
export function hasRegisters(agg: Aggregation, owner: u32): bool {
  return agg.counts.u32At(owner) == REGISTERS;
}
