import { Xxh64State } from '../codec/xxh64';
import { COLUMN_DONE, ColumnBuilder, ColumnSource } from '../docvalues/builder';
import { COLUMN_ENTRY_BYTES } from '../docvalues/column';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { ChunkedBuffer } from '../memory/chunkedBuffer';
import { PostingsWriter } from '../postings/writer';
import { BLOCK_TERMS, Dictionary } from '../terms/dictionary';
import { DictionaryWriter } from '../terms/dictionaryWriter';
import {
  CHECKSUM_FROM,
  columnKind,
  FIELD_ENTRY_BYTES,
  FIELD_INVERTED,
  FIELD_NORMS,
  FIELD_POSITIONS,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
} from './segment';

/**
 * Writes a segment: field after field through `startField`, `startTerm`, `postings`, `endTerm`, `endField`; then `assemble`
 * makes the image, `putKey` fills in the keys and `finish` copies the rest, makes the columns of it and sums it up, in slices.
 *
 *     image    | header | norms of the fields | key excesses | postings | positions | dictionary blocks | their index |
 *              | columns | column table | field table |
 *
 * Until the image is made, an entry of the field table holds the address of the norms in place of their offset, and offsets
 * within the section in place of those from the image's start. Behind it comes what the columns need:
 *
 *     entry    | 48 bytes | u32 kind of the column, 0: none | u32 postings of all terms |
 *
 * How large the columns get is known when they are made; the image has room for the largest they can be, and gives back the
 * rest.
 */

const FIRST_ENTRIES: u32 = 16;
/** Bytes of an entry while it is written. */
const WRITER_ENTRY_BYTES: u32 = FIELD_ENTRY_BYTES + 8;
/** Bytes of the image whose handling costs as much as one posting of a column. */
const BYTES_PER_POSTING: u32 = 16;
/** Bytes after the packed excesses, so that 8 bytes can be read anywhere in them. */
const EXCESS_PADDING: u32 = 8;
/** Most bytes of a segment's image. */
const MAX_IMAGE: u64 = 0xf0000000;

/** What `finish` works on. */
const AT_NORMS: u32 = 0;
const AT_POSTINGS: u32 = 1;
const AT_POSITIONS: u32 = 2;
const AT_BLOCKS: u32 = 3;
const AT_INDEX: u32 = 4;
const AT_COLUMNS: u32 = 5;
const AT_TABLE: u32 = 6;
const AT_CHECKSUM: u32 = 7;
const DONE: u32 = 8;

@unmanaged
export class SegmentWriter {
  postings: PostingsWriter;
  private dictionary: DictionaryWriter;
  private entries: usize;
  fieldCount: u32;
  private entryRoom: u32;
  /** Postings of the current field. */
  private fieldPostings: u32;
  /** Documents of the segment. */
  docCount: u32;
  private firstKey: u64;
  /** Bits of a key excess. */
  excessBits: u32;

  /** The image, 0 until it is made and after it was taken. */
  image: usize;
  /** Bytes of the image. */
  length: u32;
  private excess: u32;
  private postingsAt: u32;
  private positionsAt: u32;
  private blocksAt: u32;
  private indexAt: u32;
  private columnsAt: u32;
  private columnTableAt: u32;
  private tableAt: u32;
  /** Entries of the columns made so far, the field of the next one, and what it is made with. */
  private columnEntries: usize;
  private columnCount: u32;
  private columnField: u32;
  private builder: ColumnBuilder | null;
  private source: ColumnSource;
  /** `finish` stopped for lack of memory; it can be tried again. */
  outOfMemory: bool;
  private phase: u32;
  /** Field whose norms are being copied, and how many of its bytes were. */
  private normsField: u32;
  private copied: u32;
  /** Where the next byte goes, or the next one to sum. */
  private cursor: u32;
  private hash: Xxh64State;

  /** A writer of a segment of docCount documents, or null without memory. */
  static make(docCount: u32): SegmentWriter | null {
    const at = heapAllocZeroed(offsetof<SegmentWriter>());
    if (!at) return null;
    const writer = changetype<SegmentWriter>(at);
    writer.docCount = docCount;
    const postings = PostingsWriter.make();
    writer.postings = changetype<PostingsWriter>(changetype<usize>(postings));
    const dictionary = DictionaryWriter.make();
    writer.dictionary = changetype<DictionaryWriter>(changetype<usize>(dictionary));
    writer.hash = changetype<Xxh64State>(heapAlloc(offsetof<Xxh64State>()));
    writer.entries = heapAlloc(FIRST_ENTRIES * WRITER_ENTRY_BYTES);
    writer.entryRoom = FIRST_ENTRIES;
    const source = heapAllocZeroed(offsetof<ColumnSource>());
    const dict = heapAllocZeroed(offsetof<Dictionary>());
    writer.source = changetype<ColumnSource>(source);
    if (source) writer.source.dict = changetype<Dictionary>(dict);
    else heapFree(dict);
    if (!postings || !dictionary || !changetype<usize>(writer.hash) || !writer.entries || !source || !dict) {
      writer.free();
      return null;
    }
    return writer;
  }

  free(): void {
    if (changetype<usize>(this.postings)) this.postings.free();
    if (changetype<usize>(this.dictionary)) this.dictionary.free();
    for (let i: u32 = 0; i < this.fieldCount; i++) heapFree(<usize>load<u32>(this.entry(i), 40));
    heapFree(this.entries);
    heapFree(this.columnEntries);
    const builder = this.builder;
    if (builder) builder.free();
    if (changetype<usize>(this.source)) heapFree(changetype<usize>(this.source.dict));
    heapFree(changetype<usize>(this.source));
    heapFree(changetype<usize>(this.hash));
    heapFree(this.image);
    heapFree(changetype<usize>(this));
  }

  /** Frees the writer before its image is made, but not the norms. */
  freeAllButNorms(): void {
    this.fieldCount = 0;
    this.free();
  }

  private entry(i: u32): usize {
    return this.entries + <usize>i * WRITER_ENTRY_BYTES;
  }

  /** Memory ran out; what was written is of no use. */
  get failed(): bool {
    return this.postings.failed || this.dictionary.failed;
  }

  /**
   * Begins a field, greater than the one before it. `norms` is a heap block of docCount bytes that belongs to the writer from
   * now on, or 0. False without memory; the norms then still are the caller's.
   */
  startField(field: u32, flags: u32, norms: usize): bool {
    if (this.fieldCount == this.entryRoom) {
      const room = this.entryRoom << 1;
      const moved = heapRealloc(this.entries, room * WRITER_ENTRY_BYTES);
      if (!moved) return false;
      this.entries = moved;
      this.entryRoom = room;
    }
    const entry = this.entry(this.fieldCount++);
    const inverted = flags & FIELD_INVERTED;
    memory.fill(entry, 0, WRITER_ENTRY_BYTES);
    store<u16>(entry, <u16>field);
    store<u16>(entry, <u16>inverted, 2);
    store<u32>(entry, <u32>norms, 40);
    store<u32>(entry, columnKind(flags), 48);
    this.fieldPostings = 0;
    this.postings.startField(inverted, norms);
    this.dictionary.startField();
    return true;
  }

  /** Ends the postings of a term; a term without documents leaves no trace. */
  endTerm(ptr: usize, length: u32): void {
    const postings = this.postings;
    const df = postings.df;
    const offset = postings.offset;
    postings.endTerm();
    this.fieldPostings += df;
    if (df) this.dictionary.add(ptr, length, df, offset);
  }

  /** Enters a term whose list is written next, in one piece. */
  addTerm(ptr: usize, length: u32, df: u32): void {
    this.fieldPostings += df;
    this.dictionary.add(ptr, length, df, this.postings.offset);
  }

  /** Ends the field, which `docs` documents have a term in; a field without terms leaves no trace. */
  endField(docs: u32): void {
    const entry = this.entry(this.fieldCount - 1);
    const dictionary = this.dictionary;
    const postings = this.postings;
    const terms = dictionary.termCount;
    if (!terms) {
      heapFree(<usize>load<u32>(entry, 40));
      --this.fieldCount;
      return;
    }
    store<u32>(entry, terms, 4);
    store<u32>(entry, dictionary.blocksStart, 8);
    store<u32>(entry, dictionary.blocks.length - dictionary.blocksStart, 12);
    store<u32>(entry, dictionary.indexStart, 16);
    store<u32>(entry, (terms + BLOCK_TERMS - 1) / BLOCK_TERMS, 20);
    store<u32>(entry, postings.postingsStart, 24);
    store<u32>(entry, postings.postings.length - postings.postingsStart, 28);
    store<u32>(entry, postings.positionsStart, 32);
    store<u32>(entry, postings.positions.length - postings.positionsStart, 36);
    store<u32>(entry, docs, 44);
    store<u32>(entry, this.fieldPostings, 52);
  }

  /** Lays the image out. False without memory, or if it were too large. */
  assemble(firstKey: u64, lastKey: u64): bool {
    this.firstKey = firstKey;
    const largest = lastKey - firstKey - (this.docCount - 1);
    this.excessBits = 64 - <u32>clz(largest);
    let at: u64 = HEADER_BYTES;
    for (let i: u32 = 0; i < this.fieldCount; i++) if (load<u32>(this.entry(i), 40)) at += this.docCount;
    this.excess = <u32>at;
    at += ((<u64>this.docCount * this.excessBits + 7) >> 3) + EXCESS_PADDING;
    this.postingsAt = <u32>at;
    at += this.postings.postings.length;
    this.positionsAt = <u32>at;
    at += this.postings.positions.length;
    this.blocksAt = <u32>at;
    at += this.dictionary.blocks.length;
    this.indexAt = <u32>at;
    at += this.dictionary.index.length;
    this.columnsAt = <u32>at;
    let columns: u32 = 0;
    for (let i: u32 = 0; i < this.fieldCount; i++) {
      if (!load<u32>(this.entry(i), 48)) continue;
      this.describe(i);
      at += this.source.bound;
      ++columns;
    }
    at += <u64>columns * COLUMN_ENTRY_BYTES + <u64>this.fieldCount * FIELD_ENTRY_BYTES;
    if (at > MAX_IMAGE) return false;
    if (columns) {
      this.columnEntries = heapAlloc(columns * COLUMN_ENTRY_BYTES);
      if (!this.columnEntries) return false;
    }
    const image = heapAlloc(<u32>at);
    if (!image) {
      heapFree(this.columnEntries);
      this.columnEntries = 0;
      return false;
    }
    this.image = image;
    this.length = <u32>at;
    this.columnTableAt = this.columnsAt;
    memory.fill(image + this.excess, 0, this.postingsAt - this.excess);
    this.cursor = HEADER_BYTES;
    this.phase = AT_NORMS;
    return true;
  }

  /** Fills in the key of a document; needed only where a key excess has bits. */
  putKey(doc: u32, key: u64): void {
    const bit = <u64>doc * this.excessBits;
    const at = this.image + this.excess + <usize>(bit >> 3);
    store<u64>(at, load<u64>(at) | ((key - this.firstKey - doc) << (bit & 7)));
  }

  /** Handles about `bytes` bytes more of the image; true when it is complete, false also where `outOfMemory` says why. */
  finish(bytes: u32): bool {
    this.outOfMemory = false;
    let left = bytes;
    while (left && this.phase != DONE && !this.outOfMemory) {
      let moved: u32 = 0;
      switch (this.phase) {
        case AT_NORMS:
          moved = this.copyNorms(left);
          break;
        case AT_POSTINGS:
          moved = this.drain(this.postings.postings, this.postingsAt, this.positionsAt, left);
          break;
        case AT_POSITIONS:
          moved = this.drain(this.postings.positions, this.positionsAt, this.blocksAt, left);
          break;
        case AT_BLOCKS:
          moved = this.drain(this.dictionary.blocks, this.blocksAt, this.indexAt, left);
          break;
        case AT_INDEX:
          moved = this.drain(this.dictionary.index, this.indexAt, this.columnsAt, left);
          break;
        case AT_COLUMNS:
          moved = this.makeColumns(left);
          break;
        case AT_TABLE:
          this.writeTable();
          this.writeHeader();
          this.hash.reset(0);
          this.cursor = CHECKSUM_FROM;
          this.phase = AT_CHECKSUM;
          break;
        default:
          moved = min(left, this.length - this.cursor);
          this.hash.update(this.image + this.cursor, moved);
          this.cursor += moved;
          if (this.cursor == this.length) {
            store<u64>(this.image, this.hash.digest(), 16);
            this.phase = DONE;
          }
      }
      left -= moved;
    }
    return this.phase == DONE;
  }

  /** Hands the complete image over to the caller. */
  takeImage(): usize {
    const image = this.image;
    this.image = 0;
    return image;
  }

  private copyNorms(bytes: u32): u32 {
    if (this.normsField == this.fieldCount) {
      this.phase = AT_POSTINGS;
      this.copied = 0;
      return 0;
    }
    const entry = this.entry(this.normsField);
    const norms = <usize>load<u32>(entry, 40);
    let part: u32 = 0;
    if (norms) {
      part = min(bytes, this.docCount - this.copied);
      memory.copy(this.image + this.cursor + this.copied, norms + this.copied, part);
      this.copied += part;
      if (this.copied < this.docCount) return part;
      heapFree(norms);
      // From now on the entry has no block to free: the offset is entered with the table.
      store<u32>(entry, 0, 40);
      this.cursor += this.docCount;
      this.copied = 0;
    }
    ++this.normsField;
    return part;
  }

  private drain(chunks: ChunkedBuffer, from: u32, to: u32, bytes: u32): u32 {
    const part = chunks.drainTo(this.image + from + this.copied, min(bytes, to - from - this.copied));
    this.copied += part;
    if (from + this.copied == to) {
      ++this.phase;
      this.copied = 0;
    }
    return part;
  }

  /** Makes `source` that of the column of field number i. */
  private describe(i: u32): void {
    const source = this.source;
    const entry = this.entry(i);
    source.kind = load<u32>(entry, 48);
    source.flags = <u8>load<u16>(entry, 2);
    source.docCount = this.docCount;
    source.docs = load<u32>(entry, 44);
    source.postingCount = load<u32>(entry, 52);
    source.postings = this.image + this.postingsAt + load<u32>(entry, 24);
    const dict = source.dict;
    dict.blocks = this.image + this.blocksAt + load<u32>(entry, 8);
    dict.end = dict.blocks + load<u32>(entry, 12);
    dict.index = this.image + this.indexAt + load<u32>(entry, 16);
    dict.blockCount = load<u32>(entry, 20);
    dict.termCount = load<u32>(entry, 4);
    dict.docCount = this.docCount;
    dict.postingsBytes = load<u32>(entry, 28);
  }

  /** Works on the columns; returns what that cost in bytes. */
  private makeColumns(bytes: u32): u32 {
    let builder = this.builder;
    if (!builder) {
      while (this.columnField < this.fieldCount && !load<u32>(this.entry(this.columnField), 48))
        ++this.columnField;
      if (this.columnField == this.fieldCount) {
        ++this.phase;
        return 0;
      }
      this.describe(this.columnField);
      builder = ColumnBuilder.make(this.source);
      if (!builder) {
        this.outOfMemory = true;
        return 0;
      }
      const entry = this.columnEntries + <usize>this.columnCount * COLUMN_ENTRY_BYTES;
      store<u16>(entry, load<u16>(this.entry(this.columnField)));
      builder.start(this.image, this.columnTableAt, entry);
      this.builder = builder;
    }
    if (builder.step(max(bytes / BYTES_PER_POSTING, 1)) < 0) this.outOfMemory = true;
    const cost = builder.cost;
    if (builder.phase == COLUMN_DONE) {
      this.columnTableAt = builder.end;
      ++this.columnCount;
      ++this.columnField;
      builder.free();
      this.builder = null;
    }
    return <u32>min<u64>(bytes, <u64>cost * BYTES_PER_POSTING);
  }

  /** Writes the tables and gives back what is left behind them. */
  private writeTable(): void {
    let norms = HEADER_BYTES;
    const columns = this.columnCount * COLUMN_ENTRY_BYTES;
    memory.copy(this.image + this.columnTableAt, this.columnEntries, columns);
    this.tableAt = this.columnTableAt + columns;
    this.length = this.tableAt + this.fieldCount * FIELD_ENTRY_BYTES;
    this.image = heapRealloc(this.image, this.length);
    const table = this.image + this.tableAt;
    for (let i: u32 = 0; i < this.fieldCount; i++) {
      const entry = table + <usize>i * FIELD_ENTRY_BYTES;
      memory.copy(entry, this.entry(i), FIELD_ENTRY_BYTES);
      const flags = <u32>load<u16>(entry, 2);
      store<u32>(entry, this.blocksAt + load<u32>(entry, 8), 8);
      store<u32>(entry, this.indexAt + load<u32>(entry, 16), 16);
      store<u32>(entry, this.postingsAt + load<u32>(entry, 24), 24);
      store<u32>(entry, flags & FIELD_POSITIONS ? this.positionsAt + load<u32>(entry, 32) : 0, 32);
      store<u32>(entry, flags & FIELD_NORMS ? norms : 0, 40);
      if (flags & FIELD_NORMS) norms += this.docCount;
    }
  }

  private writeHeader(): void {
    const image = this.image;
    memory.fill(image, 0, HEADER_BYTES);
    store<u32>(image, MAGIC);
    store<u32>(image, FORMAT_VERSION, 4);
    store<u64>(image, this.length, 8);
    store<u32>(image, this.docCount, 24);
    store<u32>(image, this.fieldCount, 28);
    store<u64>(image, this.firstKey, 32);
    store<u32>(image, this.excess, 40);
    store<u32>(image, this.excessBits, 44);
    store<u32>(image, this.tableAt, 48);
    if (!this.columnCount) return;
    store<u32>(image, this.columnTableAt, 52);
    store<u32>(image, this.columnCount, 56);
  }
}
