import { COLUMN_GEO, COLUMN_ORDINAL } from '../abi/columns';
import { ERR_MEMORY, OK } from '../abi/status';
import { Bitset, count, sizeInBytes } from '../memory/bitset';
import { requestMark, requestRelease } from '../memory/arena';
import { SCRATCH } from '../memory/lifetimes';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { decodeDocs, enter, PostingsCursor } from '../postings/cursor';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import {
  COLUMN_ENTRY_BYTES,
  Double,
  ENTRY_DATA,
  ENTRY_DIVISOR,
  ENTRY_DOCS,
  ENTRY_KIND,
  ENTRY_LARGEST,
  ENTRY_LONGITUDES,
  ENTRY_PRESENT,
  ENTRY_SMALLEST,
  ENTRY_STARTS,
  ENTRY_VALUES,
  ENTRY_VECTORS,
  vectorStride,
} from './column';
import {
  BLOCK,
  blockLargest,
  blockSmallest,
  blocksOf,
  encodeBlock,
  packedBound,
  PADDING,
  TABLE_ENTRY,
} from './packed';

/**
 * Makes a column of a field's dictionary and postings, in slices: every term's value is put down for each of its documents,
 * then the values are packed. As terms ascend, so do the values of a document.
 */

const COUNT: u32 = 0;
const PLACE: u32 = 1;
const MEASURE: u32 = 2;
const PACK: u32 = 3;
const PACK_STARTS: u32 = 4;
const VECTORS: u32 = 5;
export const COLUMN_DONE: u32 = 6;

const RADIANS: f64 = Math.PI / 180;
/** Bits of a coordinate that is missing: NaN. */
const NO_DOUBLE: u64 = 0x7ff8000000000000;
const NO_FLOAT: u32 = 0x7fc00000;

/** Values of the block being packed. */
const scratch: usize = memory.data(1024, 16);

/** A column as a builder needs it: the field's terms and postings. */
@unmanaged
export class ColumnSource {
  kind: u32;
  /** Flags of the field: how postings are coded. */
  flags: u8;
  docCount: u32;
  /** Documents that have a term, and postings of all terms. */
  docs: u32;
  postingCount: u32;
  dict: Dictionary;
  postings: usize;
  /** The terms to take, a bitset by ordinal; 0: all. The postings counted are theirs. */
  kept: usize;

  /** Whether the column takes the several form: where documents may have several values, and points where few have one. */
  get isSeveral(): bool {
    // Which documents have a term that is kept is not known.
    if (this.kept || this.postingCount > this.docs) return true;
    return this.kind == COLUMN_GEO && (<u64>this.docs) << 1 < <u64>this.docCount;
  }

  /** Numbers that are stored. */
  get valueCount(): u32 {
    return this.isSeveral ? this.postingCount : this.docCount;
  }

  /** Most bytes that the column takes. */
  get bound(): u64 {
    const n = this.valueCount;
    let bytes: u64 = this.isSeveral
      ? packedBound(this.docCount + 1, 32 - clz(n))
      : <u64>sizeInBytes(this.docCount);
    if (this.kind == COLUMN_GEO) bytes += ((<u64>n) << 4) + <u64>vectorStride(n) * 12;
    else bytes += packedBound(n, this.kind == COLUMN_ORDINAL ? 32 - clz(this.dict.termCount) : 64);
    return bytes;
  }
}

@unmanaged
export class ColumnBuilder {
  private source: ColumnSource;
  private terms: TermCursor;
  /** Values by number: u32 ordinals, else i64; longitudes of points apart. */
  private values: usize;
  private longitudes: usize;
  private present: usize;
  /** Several form: number of each document's next value while they are placed, then of the next document's first. */
  private starts: usize;
  /** Where offsets count from, where the entry is and what is written next. */
  private base: usize;
  private entry: usize;
  /** Offset after the last byte written. */
  end: u32;
  private divisor: u64;
  private reference: i64;
  phase: u32;
  /** Next value or block. */
  private at: u32;
  private table: u32;
  private data: u32;
  /** Work done in the last step, in postings. */
  cost: u32;

  /** A builder of the column of `source`, which it doesn't own; null without memory. */
  static make(source: ColumnSource): ColumnBuilder | null {
    const at = heapAllocZeroed(offsetof<ColumnBuilder>());
    if (!at) return null;
    const builder = changetype<ColumnBuilder>(at);
    builder.source = source;
    const several = source.isSeveral;
    const n = source.valueCount;
    const width: u64 = source.kind == COLUMN_ORDINAL ? 4 : 8;
    const bytes = <u64>n * width;
    if (bytes > 0xf0000000 || !builder.reserve(<u32>bytes, several)) {
      builder.free();
      return null;
    }
    builder.phase = several ? COUNT : PLACE;
    return builder;
  }

  private reserve(bytes: u32, several: bool): bool {
    const source = this.source;
    const terms = heapAllocZeroed(offsetof<TermCursor>());
    const buffer = heapAlloc(TERM_BUFFER_BYTES);
    this.values = heapAllocZeroed(bytes);
    if (source.kind == COLUMN_GEO) this.longitudes = heapAllocZeroed(bytes);
    if (several) this.starts = heapAllocZeroed((source.docCount + 1) << 2);
    else this.present = heapAllocZeroed(sizeInBytes(source.docCount));
    this.terms = changetype<TermCursor>(terms);
    if (!terms || !buffer) {
      heapFree(buffer);
      return false;
    }
    TermCursor.init(this.terms, source.dict, buffer);
    return (
      this.values != 0 &&
      (source.kind != COLUMN_GEO || this.longitudes != 0) &&
      (several ? this.starts : this.present) != 0
    );
  }

  free(): void {
    if (changetype<usize>(this.terms)) heapFree(this.terms.termPtr);
    heapFree(changetype<usize>(this.terms));
    heapFree(this.values);
    heapFree(this.longitudes);
    heapFree(this.present);
    heapFree(this.starts);
    heapFree(changetype<usize>(this));
  }

  /** Writes to `base + from` on, where there is room for the source's bound; `entry` is filled in. */
  start(base: usize, from: u32, entry: usize): void {
    const source = this.source;
    this.base = base;
    this.end = from;
    this.entry = entry;
    memory.fill(entry + 2, 0, COLUMN_ENTRY_BYTES - 2);
    store<u8>(entry, <u8>source.kind, ENTRY_KIND);
    store<u32>(entry, source.valueCount, ENTRY_VALUES);
    store<i64>(entry, 1, ENTRY_DIVISOR);
  }

  /** Works on for about `budget` postings; OK or ERR_MEMORY. `phase` says when all is done. */
  step(budget: u32): i32 {
    this.cost = 1;
    switch (this.phase) {
      case COUNT:
      case PLACE:
        return this.walk(budget);
      case MEASURE:
        this.measure(budget);
        break;
      case PACK:
        this.pack(budget);
        break;
      case PACK_STARTS:
        this.packStarts(budget);
        break;
      case VECTORS:
        this.vectors(budget);
        break;
      default:
    }
    return OK;
  }

  /** Counts the values of the documents, or puts them down, term by term. */
  private walk(budget: u32): i32 {
    const mark = requestMark(SCRATCH);
    const made = PostingsCursor.make();
    if (made === null) return ERR_MEMORY;
    const cursor = made;
    const source = this.source;
    const terms = this.terms;
    while (this.cost < budget) {
      if (!terms.next()) {
        this.endWalk();
        break;
      }
      if (source.kept && !Bitset.get(source.kept, terms.ordinal - 1)) {
        this.cost++;
        continue;
      }
      cursor.start(source.postings + terms.postingsOffset, terms.df, source.flags, 0, 0, 0);
      for (let block: u32 = 0; block < cursor.blocks; block++) {
        if (block) enter(cursor, block);
        decodeDocs(cursor);
        if (this.phase == COUNT) this.count(cursor);
        else this.place(cursor);
      }
      this.cost += terms.df + 1;
    }
    requestRelease(mark);
    return OK;
  }

  private count(cursor: PostingsCursor): void {
    const starts = this.starts;
    const docs = cursor.docs;
    const docCount = this.source.docCount;
    for (let p = docs, end = docs + ((<usize>cursor.count) << 2); p < end; p += 4) {
      const doc = load<u32>(p);
      // Only damaged postings name other documents.
      if (doc >= docCount) continue;
      const at = starts + ((<usize>doc) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }

  private place(cursor: PostingsCursor): void {
    const kind = this.source.kind;
    const ptr = this.terms.termPtr;
    const ordinal = this.terms.ordinal - 1;
    const value = ordered(ptr);
    const second = ordered(ptr + 8);
    const docs = cursor.docs;
    const docCount = this.source.docCount;
    const valueCount = this.source.valueCount;
    for (let p = docs, end = docs + ((<usize>cursor.count) << 2); p < end; p += 4) {
      let i = load<u32>(p);
      if (i >= docCount) continue;
      if (this.starts) {
        const at = this.starts + ((<usize>i) << 2);
        i = load<u32>(at);
        if (i >= valueCount) continue;
        store<u32>(at, i + 1);
      } else {
        Bitset.set(this.present, i);
      }
      if (kind == COLUMN_ORDINAL) {
        store<u32>(this.values + ((<usize>i) << 2), ordinal);
      } else {
        store<i64>(this.values + ((<usize>i) << 3), value);
        if (kind == COLUMN_GEO) store<i64>(this.longitudes + ((<usize>i) << 3), second);
      }
    }
  }

  private endWalk(): void {
    const source = this.source;
    if (this.phase == COUNT) {
      let sum: u32 = 0;
      let docs: u32 = 0;
      for (let doc: u32 = 0; doc <= source.docCount; doc++) {
        const at = this.starts + ((<usize>doc) << 2);
        const n = load<u32>(at);
        store<u32>(at, sum);
        sum += n;
        if (n) ++docs;
      }
      if (source.kept) source.docs = docs;
      this.terms.rewind();
      this.phase = PLACE;
      return;
    }
    let docs = source.docs;
    if (this.present) {
      const bytes = sizeInBytes(source.docCount);
      docs = count(this.present, bytes);
      if (docs < source.docCount) {
        store<u32>(this.entry, this.end, ENTRY_PRESENT);
        memory.copy(this.base + this.end, this.present, bytes);
        this.end += bytes;
      }
    }
    store<u32>(this.entry, docs, ENTRY_DOCS);
    this.at = 0;
    this.divisor = 0;
    if (source.kind == COLUMN_GEO) {
      this.placePoints();
      this.phase = VECTORS;
    } else if (source.kind == COLUMN_ORDINAL) {
      this.startPack(1, ENTRY_DATA);
      this.phase = PACK;
    } else {
      this.phase = MEASURE;
    }
  }

  /** Whether value number i is one. */
  @inline private isPresent(i: u32): bool {
    return !this.present || Bitset.get(this.present, i);
  }

  /** Finds the greatest common divisor of the differences between values. */
  private measure(budget: u32): void {
    const n = this.source.valueCount;
    const end = this.at + min(n - this.at, budget);
    for (let i = this.at; i < end; i++) {
      if (!this.isPresent(i)) continue;
      const value = load<i64>(this.values + ((<usize>i) << 3));
      if (!this.divisor) {
        this.divisor = u64.MAX_VALUE;
        this.reference = value;
        continue;
      }
      const difference = <u64>(value > this.reference ? value - this.reference : this.reference - value);
      if (!difference) continue;
      // From the least to the largest: as a divisor it would stand for none.
      if (difference == u64.MAX_VALUE) {
        this.divisor = 1;
        break;
      }
      this.divisor = this.divisor == u64.MAX_VALUE ? difference : divisorOf(this.divisor, difference);
      if (this.divisor == 1) break;
    }
    this.cost = end - this.at + 1;
    this.at = this.divisor == 1 ? n : end;
    if (this.at < n) return;
    // A divisor must be a positive i64.
    const divisor = this.divisor - 1 < <u64>i64.MAX_VALUE ? this.divisor : 1;
    this.startPack(divisor, ENTRY_DATA);
    this.phase = PACK;
  }

  /** Begins a packed sequence of as many numbers as its kind has. */
  private startPack(divisor: u64, offset: usize): void {
    this.divisor = divisor;
    this.at = 0;
    this.table = this.end;
    const n = offset == ENTRY_STARTS ? this.source.docCount + 1 : this.source.valueCount;
    this.data = this.end + blocksOf(n) * TABLE_ENTRY;
    this.end = this.data;
    store<u32>(this.entry + offset, this.table);
    if (offset == ENTRY_DATA) {
      store<u64>(this.entry, divisor, ENTRY_DIVISOR);
      store<i64>(this.entry, i64.MAX_VALUE, ENTRY_SMALLEST);
      store<i64>(this.entry, i64.MIN_VALUE, ENTRY_LARGEST);
    }
  }

  private packBlock(n: u32, present0: u64, present1: u64): void {
    const entry = this.base + this.table + <usize>(this.at / BLOCK) * TABLE_ENTRY;
    const offset = this.end - this.data;
    this.end += encodeBlock(
      scratch,
      n,
      present0,
      present1,
      <i64>this.divisor,
      entry,
      offset,
      this.base + this.end,
    );
    this.at += n;
  }

  private pack(budget: u32): void {
    const n = this.source.valueCount;
    const narrow = this.source.kind == COLUMN_ORDINAL;
    while (this.at < n && this.cost < budget) {
      const from = this.at;
      const size = min(n - from, BLOCK);
      if (narrow) {
        for (let i: u32 = 0; i < size; i++)
          store<i64>(scratch + ((<usize>i) << 3), load<u32>(this.values + ((<usize>(from + i)) << 2)));
      } else {
        memory.copy(scratch, this.values + ((<usize>from) << 3), (<usize>size) << 3);
      }
      let present0: u64 = ~(<u64>0);
      let present1 = present0;
      if (this.present) {
        present0 = load<u64>(this.present + (from >> 3));
        present1 = load<u64>(this.present + (from >> 3), 8);
      }
      this.packBlock(size, present0, present1);
      if (blockSmallest <= blockLargest) {
        store<i64>(this.entry, min(load<i64>(this.entry, ENTRY_SMALLEST), blockSmallest), ENTRY_SMALLEST);
        store<i64>(this.entry, max(load<i64>(this.entry, ENTRY_LARGEST), blockLargest), ENTRY_LARGEST);
      }
      this.cost += size;
    }
    if (this.at < n) return;
    this.end += PADDING;
    this.afterValues();
  }

  private afterValues(): void {
    if (!this.starts) {
      this.phase = COLUMN_DONE;
      return;
    }
    this.startPack(1, ENTRY_STARTS);
    this.phase = PACK_STARTS;
  }

  /** Packs the numbers of first values; what was counted up to is where the next document begins. */
  private packStarts(budget: u32): void {
    const n = this.source.docCount + 1;
    while (this.at < n && this.cost < budget) {
      const from = this.at;
      const size = min(n - from, BLOCK);
      for (let i: u32 = 0; i < size; i++) {
        const doc = from + i;
        const start: i64 = doc ? load<u32>(this.starts + ((<usize>(doc - 1)) << 2)) : 0;
        store<i64>(scratch + ((<usize>i) << 3), start);
      }
      this.packBlock(size, ~(<u64>0), ~(<u64>0));
      this.cost += size;
    }
    if (this.at < n) return;
    this.end += PADDING;
    this.phase = COLUMN_DONE;
  }

  /** Makes room for the points' coordinates and vectors. */
  private placePoints(): void {
    const n = this.source.valueCount;
    store<u32>(this.entry, this.end, ENTRY_DATA);
    store<u32>(this.entry, this.end + (n << 3), ENTRY_LONGITUDES);
    store<u32>(this.entry, this.end + (n << 4), ENTRY_VECTORS);
    this.table = this.end;
    this.end += (n << 4) + vectorStride(n) * 12;
  }

  private vectors(budget: u32): void {
    const n = this.source.valueCount;
    const stride = vectorStride(n);
    const latitudes = this.base + this.table;
    const longitudes = latitudes + ((<usize>n) << 3);
    const x = longitudes + ((<usize>n) << 3);
    const y = x + ((<usize>stride) << 2);
    const z = y + ((<usize>stride) << 2);
    // Eight postings' worth of work each.
    const end = this.at + min(stride - this.at, max(budget >> 3, 4));
    for (let i = this.at; i < end; i++) {
      const at = (<usize>i) << 2;
      if (i >= n || !this.isPresent(i)) {
        // Written as numbers: what bits a computed NaN has differs between machines.
        if (i < n) {
          store<u64>(latitudes + (at << 1), NO_DOUBLE);
          store<u64>(longitudes + (at << 1), NO_DOUBLE);
        }
        store<u32>(x + at, NO_FLOAT);
        store<u32>(y + at, NO_FLOAT);
        store<u32>(z + at, NO_FLOAT);
        continue;
      }
      const latitude = Double.fromOrdered(load<i64>(this.values + (at << 1)));
      const longitude = Double.fromOrdered(load<i64>(this.longitudes + (at << 1)));
      store<f64>(latitudes + (at << 1), latitude);
      store<f64>(longitudes + (at << 1), longitude);
      const circle = Math.cos(latitude * RADIANS);
      store<f32>(x + at, <f32>(circle * Math.cos(longitude * RADIANS)));
      store<f32>(y + at, <f32>(circle * Math.sin(longitude * RADIANS)));
      store<f32>(z + at, <f32>Math.sin(latitude * RADIANS));
    }
    this.cost = (end - this.at) << 3;
    this.at = end;
    if (end == stride) this.afterValues();
  }
}

/** The number that a term of eight bytes stands for; a fraction's comes ordered. */
function ordered(ptr: usize): i64 {
  return <i64>(bswap(load<u64>(ptr)) ^ 0x8000000000000000);
}

/** The greatest common divisor of two numbers above 0. */
function divisorOf(a: u64, b: u64): u64 {
  while (b) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
