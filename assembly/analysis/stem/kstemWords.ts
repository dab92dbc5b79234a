/**
 * The dictionary of the KStem stemmer: words that are stems, some with another stem. The host hands it over once, when an
 * analyzer first needs it; without it no word is known.
 *
 * As handed over, in ASCII, sorted; white space means nothing:
 *
 *     word    letter 'A' + units shared with the word before | the others | '!' exception, or '=' stem, or nothing
 *
 * Held as a hash table of addresses with linear probing, and behind it the words:
 *
 *     entry    u8 length | u8 length of the stem, 0 the word itself | u8 exception | word | stem
 */
import { ERR_ARGUMENT, ERR_MEMORY, OK } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { unitAt } from './word';

const ENTRY_HEADER: u32 = 3;
/** The longest word, and a limit on stems. */
const WORD_MAX: u32 = 49;

/** A hash table of 2^bits slots; 0 before there is one. */
let slots: usize = 0;
let mask: u32 = 0;

/** Whether there is a dictionary. */
export function kstemDefined(): bool {
  return slots != 0;
}

/** The word that is being read, and its stem. */
const current: usize = memory.data(64);
let currentLength: u32 = 0;
let stem: usize = 0;
let stemLength: u32 = 0;
let exception = false;

function isLower(byte: u32): bool {
  return byte - 0x61 < 26;
}

/** Reads the word at `p` on top of the one before: the address behind it, 0 if there is none. */
function readWord(p: usize, end: usize): usize {
  const shared = (load<u8>(p) as u32) - 0x41;
  if (shared > currentLength) return 0;
  currentLength = shared;
  for (++p; p < end; p++) {
    const byte = load<u8>(p) as u32;
    if (byte <= 0x20) continue;
    if (!isLower(byte)) break;
    if (currentLength == WORD_MAX) return 0;
    store<u8>(current + currentLength++, byte);
  }
  stem = p;
  stemLength = 0;
  exception = p < end && load<u8>(p) == 0x21;
  if (exception) ++p;
  if (p < end && load<u8>(p) == 0x3d) {
    stem = ++p;
    while (p < end && isLower(load<u8>(p))) ++p;
    stemLength = (p - stem) as u32;
    if (stemLength > WORD_MAX) return 0;
  }
  while (p < end && load<u8>(p) <= 0x20) ++p;
  return p;
}

class Hash {
  /** Adds a letter to the hash of those before; 0 is that of none. */
  @inline static add(hash: u32, letter: u32): u32 {
    return (hash ^ letter) * 0x01000193;
  }

  @inline static slot(hash: u32): u32 {
    return hash ^ (hash >>> 15);
  }
}

/** Puts what `readWord` has read at `entry`: the address behind it. */
function insert(entry: usize): usize {
  store<u8>(entry, currentLength as u8);
  store<u8>(entry, stemLength as u8, 1);
  store<u8>(entry, exception ? 1 : 0, 2);
  memory.copy(entry + ENTRY_HEADER, current, currentLength);
  memory.copy(entry + ENTRY_HEADER + currentLength, stem, stemLength);
  let hash: u32 = 0;
  for (let i: u32 = 0; i < currentLength; i++) hash = Hash.add(hash, load<u8>(current + i));
  let slot = Hash.slot(hash) & mask;
  while (load<u32>(slots + (slot << 2)) != 0) slot = (slot + 1) & mask;
  store<u32>(slots + (slot << 2), entry as u32);
  return entry + ENTRY_HEADER + currentLength + stemLength;
}

/** Makes the dictionary of the `length` bytes at `ptr`; later ones are ignored. A status. */
export function kstemDefine(ptr: usize, length: u32): i32 {
  if (slots) return OK;
  const end = ptr + length;
  let words: u32 = 0;
  let bytes: u32 = 0;
  currentLength = 0;
  let p = ptr;
  while (p < end && load<u8>(p) <= 0x20) ++p;
  const first = p;
  while (p < end) {
    p = readWord(p, end);
    if (p == 0) return ERR_ARGUMENT;
    ++words;
    bytes += ENTRY_HEADER + currentLength + stemLength;
  }
  let size: u32 = 16;
  while (size < words << 1) size <<= 1;
  const block = heapAllocZeroed((size << 2) + bytes);
  if (!block) return ERR_MEMORY;
  slots = block;
  mask = size - 1;
  currentLength = 0;
  let entry = block + ((size as usize) << 2);
  p = first;
  while (p < end) {
    p = readWord(p, end);
    entry = insert(entry);
  }
  return OK;
}

/** The entry of a word of lower-case letters a–z, 0 if it is not in the dictionary. */
export function kstemFind(s: usize, length: i32): usize {
  if (!slots) return 0;
  let hash: u32 = 0;
  for (let i = 0; i < length; i++) hash = Hash.add(hash, unitAt(s, i));
  let slot = Hash.slot(hash) & mask;
  let entry = load<u32>(slots + (slot << 2)) as usize;
  while (entry != 0 && !holds(entry, s, length)) {
    slot = (slot + 1) & mask;
    entry = load<u32>(slots + (slot << 2)) as usize;
  }
  return entry;
}

function holds(entry: usize, s: usize, length: i32): bool {
  if ((load<u8>(entry) as i32) != length) return false;
  const word = entry + ENTRY_HEADER;
  for (let i = 0; i < length; i++) if ((load<u8>(word + i) as u32) != unitAt(s, i)) return false;
  return true;
}

/** Whether an entry counts only if the word came without an e that was added. */
export function isException(entry: usize): bool {
  return load<u8>(entry, 2) != 0;
}

/** Writes the stem of an entry if it is not the word itself: the length of the word or the stem. */
export function writeStem(entry: usize, s: usize, length: i32): i32 {
  const size = load<u8>(entry, 1) as i32;
  if (size == 0) return length;
  const from = entry + ENTRY_HEADER + load<u8>(entry);
  for (let i = 0; i < size; i++) store<u16>(s + ((i as usize) << 1), load<u8>(from + i));
  return size;
}
