import { Bitset, count as countBits, sizeInBytes } from '../memory/bitset';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { ERR_IMAGE, ERR_MEMORY, OK } from '../status';
import { compareBytes } from '../terms/bytes';
import { copyWords, PostingsWriter } from '../postings/writer';
import { sliceBytes } from './flush';
import { MergeSource } from './mergeSource';
import { SCRATCH_BYTES } from './postingsSource';
import {
  copyLive,
  FIELD_ENTRY_BYTES,
  FIELD_FREQS,
  FIELD_NORMS,
  FIELD_POSITIONS,
  FieldEntry,
  keyOf,
  openDictionary,
  openSegment,
  Segment,
} from './segment';
import { Shard } from './shards';
import { SegmentWriter } from './writer';

/**
 * Merges adjacent segments into one, in slices: field by field, the norms and then term by term in the order of all their
 * dictionaries. Documents that are dead when the merge begins are left out; those that die while it runs are dead in the
 * result. The old segments stay in use until the new one takes their place.
 */

const FIELD: u32 = 0;
const NORMS: u32 = 1;
const TERMS: u32 = 2;
const POSTINGS: u32 = 3;
const ASSEMBLE: u32 = 4;
const KEYS: u32 = 5;
const FINISH: u32 = 6;
const SWAP: u32 = 7;
export const MERGE_DONE: u32 = 8;

/** Lists below this many documents are short. */
const SHORT_LIST: u32 = 128;
/** What the entry of a term in one dictionary costs, in postings. */
const TERM_COST: u32 = 8;
/** What two norms or one key cost. */
const NORMS_SHIFT: u32 = 3;
const BYTES_PER_POSTING_SHIFT: u32 = 4;
/** Most segments of a merge: they are kept as bits of a word. */
export const MAX_SOURCES: u32 = 64;
/** Field after all fields. */
const NO_FIELD: u32 = 0x10000;

@unmanaged
export class MergeJob {
  shard: Shard;
  private sources: usize;
  private sourceCount: u32;
  private docCount: u32;
  phase: u32;
  /** Work done in the last step, in postings. */
  cost: u32;
  private writer: SegmentWriter | null;
  private scratch: usize;

  /** The current field, its flags, and the norms being gathered. */
  private field: u32;
  private flags: u32;
  private norms: usize;
  /** Documents with a term in the field; with deletions they are found as a set. */
  private fieldDocs: u32;
  private fieldSet: usize;

  /** The sources' next terms by their first 8 bytes (u64 each, all ones after the last), and a bit for each that has one. */
  private prefixes: usize;
  private active: u64;
  /** Bits of the sources whose next term is the current one, and of those among them not yet read. */
  private matches: u64;
  private unread: u64;
  /** All sources of the field have its flags, so that lists can be copied as they are. */
  private sameFlags: bool;
  /** Source and document, when norms or keys are copied. */
  private at: u32;
  private doc: u32;
  private firstKey: u64;
  private nextDoc: u32;

  /** A merge of `count` segments from the `first` on; null without memory. */
  static start(shard: Shard, first: u32, count: u32): MergeJob | null {
    const at = heapAllocZeroed(offsetof<MergeJob>());
    if (!at) return null;
    const job = changetype<MergeJob>(at);
    job.shard = shard;
    job.sources = heapAlloc(count << 2);
    job.prefixes = heapAlloc(count << 3);
    job.scratch = heapAlloc(SCRATCH_BYTES);
    let base: u32 = 0;
    let ok = job.sources && job.prefixes && job.scratch;
    for (let i: u32 = 0; ok && i < count; i++) {
      const source = MergeSource.make(shard.segment(first + i), base);
      if (source) {
        base += source.liveCount;
        store<usize>(job.sources + (<usize>i << 2), changetype<usize>(source));
        ++job.sourceCount;
      } else {
        ok = 0;
      }
    }
    job.docCount = base;
    if (ok && base) {
      job.writer = SegmentWriter.make(base);
      if (!job.writer) ok = 0;
    }
    if (!ok) {
      job.free();
      return null;
    }
    job.field = u32.MAX_VALUE;
    if (!base) job.phase = SWAP;
    return job;
  }

  free(): void {
    for (let i: u32 = 0; i < this.sourceCount; i++) this.source(i).free();
    const writer = this.writer;
    if (writer) writer.free();
    heapFree(this.sources);
    heapFree(this.prefixes);
    heapFree(this.scratch);
    heapFree(this.norms);
    heapFree(this.fieldSet);
    heapFree(changetype<usize>(this));
  }

  @inline private source(i: u32): MergeSource {
    return changetype<MergeSource>(load<usize>(this.sources + (<usize>i << 2)));
  }

  /** Works on for about `budget` postings, of which `cost` were used; OK, or an error after which the job is of no use. */
  step(budget: u32): i32 {
    this.cost = TERM_COST;
    switch (this.phase) {
      case FIELD:
        return this.startField() ? OK : ERR_MEMORY;
      case NORMS:
        return this.copyNorms(budget) ? OK : ERR_MEMORY;
      case TERMS:
      case POSTINGS:
        return this.mergeTerms(budget);
      case ASSEMBLE:
        return this.assemble() ? OK : ERR_MEMORY;
      case KEYS:
        this.putKeys(budget);
        return OK;
      case FINISH: {
        const bytes = sliceBytes(budget);
        this.cost = min(bytes, this.writer!.length) >> BYTES_PER_POSTING_SHIFT;
        if (this.writer!.finish(bytes)) this.phase = SWAP;
        return OK;
      }
      case SWAP:
        return this.swap() ? OK : ERR_MEMORY;
      default:
        return OK;
    }
  }

  /** Goes to the next field that a source has; flags that not all of them have are dropped. */
  private startField(): bool {
    let field = NO_FIELD;
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      if (source.nextEntry < source.seg.fieldCount) {
        field = min(field, FieldEntry.field(source.seg.fieldTable + <usize>source.nextEntry * FIELD_ENTRY_BYTES));
      }
    }
    if (field == NO_FIELD) {
      this.phase = ASSEMBLE;
      return true;
    }
    let flags = FIELD_FREQS | FIELD_POSITIONS | FIELD_NORMS;
    let allFlags: u32 = 0;
    let someDead = false;
    this.fieldDocs = 0;
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      source.entry = 0;
      if (source.nextEntry == source.seg.fieldCount) continue;
      const entry = source.seg.fieldTable + <usize>source.nextEntry * FIELD_ENTRY_BYTES;
      if (FieldEntry.field(entry) != field) continue;
      source.entry = entry;
      flags &= FieldEntry.flags(entry);
      allFlags |= FieldEntry.flags(entry);
      this.fieldDocs += FieldEntry.docs(entry);
      if (source.live) someDead = true;
    }
    if (flags & FIELD_NORMS && !this.norms) {
      this.norms = heapAllocZeroed(this.docCount);
      if (!this.norms) return false;
    }
    if (someDead) {
      this.fieldSet = heapAllocZeroed(sizeInBytes(this.docCount));
      if (!this.fieldSet) return false;
    }
    this.field = field;
    this.flags = flags;
    this.sameFlags = flags == allFlags;
    this.at = 0;
    this.doc = 0;
    this.phase = NORMS;
    return true;
  }

  /** Copies norms, and when all are there opens the dictionaries. */
  private copyNorms(budget: u32): bool {
    const limit = max(min(budget, 1 << 20), 1) << NORMS_SHIFT;
    let left = limit;
    while (this.norms && this.at < this.sourceCount && left) {
      const source = this.source(this.at);
      const end = source.entry ? this.doc + min(source.seg.docCount - this.doc, left) : this.doc;
      if (source.entry) {
        const norms = FieldEntry.norms(source.seg, source.entry);
        if (source.live) {
          for (let doc = this.doc; doc < end; doc++) {
            if (source.isLive(doc)) store<u8>(this.norms + source.map(doc), load<u8>(norms + doc));
          }
        } else {
          memory.copy(this.norms + source.base + this.doc, norms + this.doc, end - this.doc);
        }
      }
      left -= end - this.doc;
      this.doc = end;
      if (source.entry && end < source.seg.docCount) break;
      this.doc = 0;
      ++this.at;
    }
    this.cost = max((limit - left) >> NORMS_SHIFT, 1);
    if (this.norms && this.at < this.sourceCount) return true;
    if (!this.writer!.startField(this.field, this.flags, this.norms)) return false;
    this.norms = 0;
    this.active = 0;
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      store<u64>(this.prefixes + (<usize>i << 3), u64.MAX_VALUE);
      if (!source.entry) continue;
      ++source.nextEntry;
      openDictionary(source.seg, source.entry, source.dict);
      source.cursor.rewind();
      source.postings.openField(source.seg, source.entry, this.scratch);
      this.advance(i);
    }
    this.phase = TERMS;
    return true;
  }

  private mergeTerms(budget: u32): i32 {
    const writer = this.writer!;
    let left = <i32>min(budget, i32.MAX_VALUE);
    while (left > 0) {
      if (this.phase == TERMS) {
        if (!this.findTerm()) {
          this.endField();
          break;
        }
        if (this.sameFlags && popcnt(this.matches) == 1 && this.copyList(<u32>ctz(this.matches))) {
          left -= <i32>TERM_COST;
          continue;
        }
        writer.postings.startTerm();
        this.unread = this.matches;
        this.openMatch();
        this.phase = POSTINGS;
      }
      while (this.unread && left > 0) left -= <i32>this.copyBlock();
      if (this.unread) break;
      const cursor = this.source(<u32>ctz(this.matches)).cursor;
      writer.endTerm(cursor.termPtr, cursor.termLength);
      for (; this.matches; this.matches &= this.matches - 1) {
        this.advance(<u32>ctz(this.matches));
        left -= <i32>TERM_COST;
      }
      this.phase = TERMS;
      if (writer.postings.corrupt) return ERR_IMAGE;
    }
    this.cost = budget - <u32>max(left, 0);
    for (let i: u32 = 0; i < this.sourceCount; i++) if (this.source(i).postings.corrupt) return ERR_IMAGE;
    return writer.failed ? ERR_MEMORY : OK;
  }

  /** Moves a source to its next term. */
  private advance(i: u32): void {
    const source = this.source(i);
    const slot = this.prefixes + (<usize>i << 3);
    if (source.cursor.next()) {
      store<u64>(slot, source.prefix);
      this.active |= (<u64>1) << <u64>i;
    } else {
      store<u64>(slot, u64.MAX_VALUE);
      this.active &= ~((<u64>1) << <u64>i);
    }
  }

  /** Finds the smallest term and the sources that have it; false if all are through. */
  private findTerm(): bool {
    const prefixes = this.prefixes;
    const n = <usize>this.sourceCount << 3;
    let least = u64.MAX_VALUE;
    for (let at: usize = 0; at < n; at += 8) {
      const prefix = load<u64>(prefixes + at);
      least = select(prefix, least, prefix < least);
    }
    let same: u64 = 0;
    for (let at: usize = 0; at < n; at += 8) same |= u64(load<u64>(prefixes + at) == least) << <u64>(at >> 3);
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
    this.writer!.addTerm(cursor.termPtr, cursor.termLength, df);
    this.advance(i);
    // A list ends where the next one begins, and a field's postings with its last list.
    const bytes = cursor.df && cursor.postingsOffset > offset ? cursor.postingsOffset - offset : room;
    this.writer!.postings.addList(from, bytes, source.base);
    return true;
  }

  /** Opens the postings of the source whose turn it is. */
  private openMatch(): void {
    const source = this.source(<u32>ctz(this.unread));
    source.postings.openTerm(source.cursor.df, source.cursor.postingsOffset);
  }

  /** Copies a block of the current source, or goes to the next source; returns what it cost. */
  private copyBlock(): u32 {
    const source = this.source(<u32>ctz(this.unread));
    if (!source.postings.nextBlock()) {
      this.unread &= this.unread - 1;
      if (this.unread) this.openMatch();
      return 1;
    }
    const out = this.writer!.postings;
    return source.live ? this.copyLive(source, out) : this.copyAll(source, out);
  }

  /** Copies a block of a source without deletions. */
  private copyAll(source: MergeSource, out: PostingsWriter): u32 {
    const postings = source.postings;
    const positional = (this.flags & FIELD_POSITIONS) != 0;
    const n = postings.count;
    let cost = n;
    let from: u32 = 0;
    while (from < n) {
      const part = min(out.room(), n - from);
      const staged = out.count;
      const offset = <usize>from << 2;
      addTo(out.docs + (<usize>staged << 2), postings.docs + offset, part, source.base);
      copyWords(out.freqs + (<usize>staged << 2), postings.freqs + offset, part);
      if (positional) {
        const gaps = sum(postings.freqs + offset, part);
        cost += <u32>min(gaps >> 1, 1 << 20);
        if (gaps > u32.MAX_VALUE || !postings.takeGaps(<u32>gaps, out)) return cost;
      }
      out.count = staged + part;
      from += part;
    }
    if (this.fieldSet) {
      for (let i: u32 = 0; i < n; i++) Bitset.set(this.fieldSet, source.base + load<u32>(postings.docs + (<usize>i << 2)));
    }
    return cost;
  }

  /** Copies the live documents of a block. */
  private copyLive(source: MergeSource, out: PostingsWriter): u32 {
    const postings = source.postings;
    const positional = (this.flags & FIELD_POSITIONS) != 0;
    const n = postings.count;
    for (let i: u32 = 0; i < n; i++) {
      const doc = load<u32>(postings.docs + (<usize>i << 2));
      const freq = load<u32>(postings.freqs + (<usize>i << 2));
      const isLive = source.isLive(doc);
      if (isLive) {
        out.room();
        const to = <usize>out.count << 2;
        const mapped = source.map(doc);
        store<u32>(out.docs + to, mapped);
        store<u32>(out.freqs + to, freq);
        Bitset.set(this.fieldSet, mapped);
      }
      if (positional && !postings.takeGaps(freq, isLive ? out : null)) break;
      if (isLive) ++out.count;
    }
    return n << 1;
  }

  private endField(): void {
    let docs = this.fieldDocs;
    if (this.fieldSet) {
      docs = countBits(this.fieldSet, sizeInBytes(this.docCount));
      heapFree(this.fieldSet);
      this.fieldSet = 0;
    }
    this.writer!.endField(docs);
    this.phase = FIELD;
  }

  private assemble(): bool {
    const writer = this.writer!;
    let first: u64 = 0;
    let last: u64 = 0;
    let some = false;
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      if (!source.liveCount) continue;
      let doc: u32 = 0;
      if (!some) {
        while (!source.isLive(doc)) ++doc;
        first = keyOf(source.seg, doc);
        some = true;
      }
      doc = source.seg.docCount - 1;
      while (!source.isLive(doc)) --doc;
      last = keyOf(source.seg, doc);
    }
    if (!writer.assemble(first, last)) return false;
    this.at = 0;
    this.doc = 0;
    this.nextDoc = 0;
    this.phase = writer.excessBits ? KEYS : FINISH;
    return true;
  }

  private putKeys(budget: u32): void {
    const writer = this.writer!;
    let left = budget;
    while (this.at < this.sourceCount && left) {
      const source = this.source(this.at);
      const seg = source.seg;
      const end = this.doc + min(seg.docCount - this.doc, left);
      left -= end - this.doc;
      for (let doc = this.doc; doc < end; doc++) {
        if (source.isLive(doc)) writer.putKey(this.nextDoc++, keyOf(seg, doc));
      }
      this.doc = end;
      if (end < seg.docCount) break;
      this.doc = 0;
      ++this.at;
    }
    this.cost = budget - left;
    if (this.at == this.sourceCount) this.phase = FINISH;
  }

  /** Puts the result in the place of the sources. */
  private swap(): bool {
    const shard = this.shard;
    let merged: Segment | null = null;
    const writer = this.writer;
    if (writer) {
      if (!shard.reserveSegment()) return false;
      merged = openSegment(writer.image, writer.length, shard.newId());
      if (!merged) return false;
      if (!this.transferDeaths(merged)) {
        heapFree(merged.live);
        heapFree(changetype<usize>(merged));
        return false;
      }
      writer.takeImage();
    }
    const count = this.sourceCount;
    let first: u32 = 0;
    const firstSource = changetype<usize>(this.source(0).seg);
    while (changetype<usize>(shard.segment(first)) != firstSource) ++first;
    const visible = first < shard.segmentCount;
    for (let i: u32 = 0; i < count; i++) this.source(i).free();
    this.sourceCount = 0;
    shard.removeSegments(first, count);
    if (merged) {
      shard.insertSegment(first, merged);
      // At the border of what is visible the list can't tell.
      if (visible && first == shard.segmentCount) ++shard.segmentCount;
      shard.dropEmptySegments();
    }
    this.phase = MERGE_DONE;
    return true;
  }

  /** Documents of the sources that died since the merge began die in the result. */
  private transferDeaths(merged: Segment): bool {
    for (let i: u32 = 0; i < this.sourceCount; i++) {
      const source = this.source(i);
      const seg = source.seg;
      if (!seg.live) continue;
      for (let at: usize = 0, bytes = <usize>sizeInBytes(seg.docCount); at < bytes; at += 8) {
        const now = load<u64>(seg.live + at);
        let died = source.live ? load<u64>(source.live + at) & ~now : ~now;
        for (; died; died &= died - 1) {
          const doc = (<u32>at << 3) + <u32>ctz(died);
          if (doc >= seg.docCount) break;
          if (!merged.live) {
            merged.live = copyLive(merged);
            if (!merged.live) return false;
          }
          Bitset.clear(merged.live, source.map(doc));
          --merged.liveCount;
        }
      }
    }
    return true;
  }
}

/** to[i] = from[i] + base, n times. */
function addTo(to: usize, from: usize, n: u32, base: u32): void {
  const end = to + (<usize>n << 2);
  const bases = i32x4.splat(base);
  for (; to + 16 <= end; to += 16, from += 16) v128.store(to, i32x4.add(v128.load(from), bases));
  for (; to < end; to += 4, from += 4) store<u32>(to, load<u32>(from) + base);
}

/** Sum of n values. */
function sum(from: usize, n: u32): u64 {
  let total: u64 = 0;
  for (const end = from + (<usize>n << 2); from < end; from += 4) total += load<u32>(from);
  return total;
}
