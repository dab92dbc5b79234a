import { ERR_IMAGE, ERR_MEMORY, OK } from '../abi/status';
import { Bitset, count as countBits, sizeInBytes } from '../memory/bitset';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { copyWords } from '../postings/gapWriter';
import { PostingsWriter } from '../postings/writer';
import { compareBytes } from '../terms/bytes';
import { MergeSource } from './mergeSource';
import { SCRATCH_BYTES } from './postingsSource';
import { FIELD_POSITIONS, FieldEntry, openDictionary } from './segment';
import { SegmentWriter } from './writer';

/** Merges the terms of one field after the other, in the order of all sources' dictionaries, in slices. */

/** Most segments of a merge: they are kept as bits of a word. */
export const MAX_SOURCES: u32 = 64;
/** Lists below this many documents are short. */
const SHORT_LIST: u32 = 128;
/** What the entry of a term in one dictionary costs, in postings. */
const TERM_COST: i32 = 8;

@unmanaged
export class TermMerger {
  /** Pointers to the sources, in document order. */
  sources: usize;
  sourceCount: u32;
  /** Work done in the last step, in postings. */
  cost: u32;
  private writer: SegmentWriter;
  /** Flags of the field that all sources have. */
  private flags: u32;
  /** All sources have these flags and no others, so that lists can be copied as they are. */
  private sameFlags: bool;
  /** Documents that have a term in the field: a number, or with deletions a set. */
  private fieldDocs: u32;
  private fieldSet: usize;
  /** The sources' next terms by their first 8 bytes (u64 each, all ones after the last), and a bit for each that has one. */
  private prefixes: usize;
  private active: u64;
  /** Bits of the sources whose next term is the current one, and of those among them not yet read. */
  private matches: u64;
  private unread: u64;
  /** Blocks of the source at hand. */
  private scratch: usize;

  /** A merger of at most `room` sources, none so far; null without memory. */
  static make(room: u32): TermMerger | null {
    const at = heapAllocZeroed(offsetof<TermMerger>());
    if (!at) return null;
    const merger = changetype<TermMerger>(at);
    merger.sources = heapAlloc(room << 2);
    merger.prefixes = heapAlloc(room << 3);
    merger.scratch = heapAlloc(SCRATCH_BYTES);
    if (!merger.sources || !merger.prefixes || !merger.scratch) {
      merger.free();
      return null;
    }
    return merger;
  }

  free(): void {
    this.freeSources();
    heapFree(this.sources);
    heapFree(this.prefixes);
    heapFree(this.scratch);
    heapFree(this.fieldSet);
    heapFree(changetype<usize>(this));
  }

  freeSources(): void {
    for (let i: u32 = 0; i < this.sourceCount; i++) this.source(i).free();
    this.sourceCount = 0;
  }

  add(source: MergeSource): void {
    store<usize>(this.sources + ((<usize>this.sourceCount) << 2), changetype<usize>(source));
    ++this.sourceCount;
  }

  @inline source(i: u32): MergeSource {
    return changetype<MergeSource>(load<usize>(this.sources + ((<usize>i) << 2)));
  }

  /** Begins the field of the sources' entries, in a result of docCount documents; false without memory. */
  startField(writer: SegmentWriter, flags: u32): bool {
    let allFlags: u32 = 0;
    let someDead = false;
    this.writer = writer;
    this.flags = flags;
    this.fieldDocs = 0;
    this.active = 0;
    this.unread = 0;
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      store<u64>(this.prefixes + ((<usize>i) << 3), u64.MAX_VALUE);
      if (!source.entry) continue;
      allFlags |= FieldEntry.flags(source.entry);
      this.fieldDocs += FieldEntry.docs(source.entry);
      if (source.live) someDead = true;
      openDictionary(source.seg, source.entry, source.dict);
      source.cursor.rewind();
      source.postings.openField(source.seg, source.entry, this.scratch);
      this.advance(i);
    }
    this.sameFlags = flags == allFlags;
    if (!someDead) return true;
    this.fieldSet = heapAllocZeroed(sizeInBytes(writer.docCount));
    return this.fieldSet != 0;
  }

  /**
   * Merges about `budget` postings: 1, or 0 when the field is done, or an error. A source whose image is damaged is an error.
   */
  step(budget: u32): i32 {
    const writer = this.writer;
    const limit = <i32>min(budget, i32.MAX_VALUE);
    let left = limit;
    let more = true;
    while (left > 0) {
      if (!this.unread) {
        more = this.findTerm();
        if (!more) break;
        if (this.sameFlags && popcnt(this.matches) == 1 && this.copyList(<u32>ctz(this.matches))) {
          left -= TERM_COST;
          continue;
        }
        writer.postings.startTerm();
        this.unread = this.matches;
        this.openMatch();
      }
      while (this.unread && left > 0) left -= this.copyBlock();
      if (this.unread) break;
      const cursor = this.source(<u32>ctz(this.matches)).cursor;
      writer.endTerm(cursor.termPtr, cursor.termLength);
      for (; this.matches; this.matches &= this.matches - 1) {
        this.advance(<u32>ctz(this.matches));
        left -= TERM_COST;
      }
    }
    this.cost = limit - left;
    if (writer.postings.corrupt) return ERR_IMAGE;
    for (let i: u32 = 0; i < this.sourceCount; i++) if (this.source(i).postings.corrupt) return ERR_IMAGE;
    if (writer.failed) return ERR_MEMORY;
    if (!more) this.endField();
    return more ? 1 : OK;
  }

  /** Moves a source to its next term. */
  private advance(i: u32): void {
    const source = this.source(i);
    const slot = this.prefixes + ((<usize>i) << 3);
    if (source.cursor.next()) {
      store<u64>(slot, source.prefix);
      this.active |= (<u64>1) << (<u64>i);
    } else {
      store<u64>(slot, u64.MAX_VALUE);
      this.active &= ~((<u64>1) << (<u64>i));
    }
  }

  /** Finds the smallest term and the sources that have it; false if all are through. */
  private findTerm(): bool {
    const prefixes = this.prefixes;
    const n = (<usize>this.sourceCount) << 3;
    let least = u64.MAX_VALUE;
    for (let at: usize = 0; at < n; at += 8) {
      const prefix = load<u64>(prefixes + at);
      least = select(prefix, least, prefix < least);
    }
    let same: u64 = 0;
    for (let at: usize = 0; at < n; at += 8)
      same |= u64(load<u64>(prefixes + at) == least) << (<u64>(at >> 3));
    same &= this.active;
    this.matches = same;
    if (!(same & (same - 1))) return same != 0;
    // More than one begins like this: the rest of the bytes decides.
    let best = this.source(<u32>ctz(same)).cursor;
    let matches: u64 = same & -same;
    for (let rest = same & (same - 1); rest; rest &= rest - 1) {
      const cursor = this.source(<u32>ctz(rest)).cursor;
      const order = compareBytes(cursor.termPtr, cursor.termLength, best.termPtr, best.termLength);
      if (order > 0) continue;
      if (order < 0) {
        best = cursor;
        matches = 0;
      }
      matches |= rest & -rest;
    }
    this.matches = matches;
    return true;
  }

  /** Copies a short list that only one source has; false if it isn't one that can be copied. */
  private copyList(i: u32): bool {
    const source = this.source(i);
    const cursor = source.cursor;
    if (source.live || this.fieldSet || cursor.df >= SHORT_LIST) return false;
    const postings = source.postings;
    const offset = cursor.postingsOffset;
    const df = cursor.df;
    const from = postings.listAt(offset);
    const room = postings.bytesFrom(offset);
    this.writer.addTerm(cursor.termPtr, cursor.termLength, df);
    this.advance(i);
    // A list ends where the next one begins, and a field's postings with its last list.
    const bytes = cursor.df && cursor.postingsOffset > offset ? cursor.postingsOffset - offset : room;
    this.writer.postings.addList(from, bytes, source.base);
    return true;
  }

  /** Opens the postings of the source whose turn it is. */
  private openMatch(): void {
    const source = this.source(<u32>ctz(this.unread));
    source.postings.openTerm(source.cursor.df, source.cursor.postingsOffset);
  }

  /** Copies a block of the current source, or goes to the next source; returns what it cost. */
  private copyBlock(): i32 {
    const source = this.source(<u32>ctz(this.unread));
    if (!source.postings.nextBlock()) {
      this.unread &= this.unread - 1;
      if (this.unread) this.openMatch();
      return 1;
    }
    const out = this.writer.postings;
    return source.live ? this.copyLive(source, out) : this.copyAll(source, out);
  }

  /** Copies a block of a source without deletions. */
  private copyAll(source: MergeSource, out: PostingsWriter): i32 {
    const postings = source.postings;
    const positional = (this.flags & FIELD_POSITIONS) != 0;
    const n = postings.count;
    let cost = <i32>n;
    let from: u32 = 0;
    while (from < n) {
      const part = min(out.room(), n - from);
      const staged = out.count;
      const offset = (<usize>from) << 2;
      addTo(out.docs + ((<usize>staged) << 2), postings.docs + offset, part, source.base);
      copyWords(out.freqs + ((<usize>staged) << 2), postings.freqs + offset, part);
      if (positional) {
        const gaps = sum(postings.freqs + offset, part);
        cost += <i32>min(gaps >> 1, 1 << 20);
        if (gaps > u32.MAX_VALUE || !postings.takeGaps(<u32>gaps, out)) return cost;
      }
      out.count = staged + part;
      from += part;
    }
    if (this.fieldSet) {
      for (let i: u32 = 0; i < n; i++)
        Bitset.set(this.fieldSet, source.base + load<u32>(postings.docs + ((<usize>i) << 2)));
    }
    return cost;
  }

  /** Copies the live documents of a block. */
  private copyLive(source: MergeSource, out: PostingsWriter): i32 {
    const postings = source.postings;
    const positional = (this.flags & FIELD_POSITIONS) != 0;
    const n = postings.count;
    for (let i: u32 = 0; i < n; i++) {
      const doc = load<u32>(postings.docs + ((<usize>i) << 2));
      const freq = load<u32>(postings.freqs + ((<usize>i) << 2));
      const isLive = source.isLive(doc);
      if (isLive) {
        out.room();
        const to = (<usize>out.count) << 2;
        const mapped = source.map(doc);
        store<u32>(out.docs + to, mapped);
        store<u32>(out.freqs + to, freq);
        Bitset.set(this.fieldSet, mapped);
      }
      if (positional && !postings.takeGaps(freq, isLive ? out : null)) break;
      if (isLive) ++out.count;
    }
    return (<i32>n) << 1;
  }

  private endField(): void {
    let docs = this.fieldDocs;
    if (this.fieldSet) {
      docs = countBits(this.fieldSet, sizeInBytes(this.writer.docCount));
      heapFree(this.fieldSet);
      this.fieldSet = 0;
    }
    this.writer.endField(docs);
  }
}

/** to[i] = from[i] + base, n times. */
function addTo(to: usize, from: usize, n: u32, base: u32): void {
  const end = to + ((<usize>n) << 2);
  const bases = i32x4.splat(base);
  for (; to + 16 <= end; to += 16, from += 16) v128.store(to, i32x4.add(v128.load(from), bases));
  for (; to < end; to += 4, from += 4) store<u32>(to, load<u32>(from) + base);
}

/** Sum of n values. */
function sum(from: usize, n: u32): u64 {
  let total: u64 = 0;
  for (const end = from + ((<usize>n) << 2); from < end; from += 4) total += load<u32>(from);
  return total;
}
