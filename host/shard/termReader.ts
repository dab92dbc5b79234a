/** Reads the dictionaries of a shard (assembly/search/README.md, *Reads of terms*). */
import { writeMatcher, type TermMatcher } from '../plan/termMatcher.js';
import { PlanBytes } from '../core/planBytes.js';
import type { WorkLimit } from '../workLimit.js';
import type { ShardSearches } from './shardSearches.js';

/** Bytes of a term that is asked for: more than any term has. */
const LONGEST_ASKED = 0x8000;

/** What a shard knows of a field; deleted documents count until they are merged away. */
export interface FieldStatistics {
  /** Segments that have terms of it. */
  segments: number;
  /** Documents that have a term in it. */
  documents: number;
  /** Its terms, those of several segments counted several times. */
  terms: number;
  /** The sum of the document frequencies of its terms. */
  postings: number;
  /** The sum of all frequencies; -1 where the field has none. */
  occurrences: number;
  smallest: Uint8Array;
  largest: Uint8Array;
}

/** What a shard knows of fields. */
export interface Statistics {
  /** Documents, deleted ones included, and live ones. */
  documents: number;
  live: number;
  fields: FieldStatistics[];
}

/** A term of a field. */
export interface FieldTerm {
  field: number;
  term: Uint8Array;
}

/** How often a term occurs. */
export interface Frequency {
  /** Documents that have it. */
  documents: number;
  /** How often it stands in them; once each where the field has no frequencies. */
  occurrences: number;
}

/** A term that a matcher has found. */
export interface FoundTerm {
  term: Uint8Array;
  /** Documents that have it. */
  documents: number;
  /** Its boost. */
  worth: number;
}

/** A term that is an entry of completions, in a segment. */
export interface FoundEntry {
  term: Uint8Array;
  segment: number;
  /** The first document of the segment that has it. */
  document: number;
  weight: number;
}

/** The heaviest entries, segment by segment, the best of each first. */
export interface HeaviestEntries {
  /** How many segments the shard has. */
  segments: number;
  entries: FoundEntry[];
}

/** So many terms are asked for at once. */
const PIECE = 20_000;

/** Reads one shard. */
export class TermReader {
  readonly #shard: Pick<ShardSearches, 'terms'>;
  readonly #limit: WorkLimit;

  /** @param limit ends each read; then it throws `WorkOver` */
  constructor(shard: Pick<ShardSearches, 'terms'>, limit: WorkLimit) {
    this.#shard = shard;
    this.#limit = limit;
  }

  /** Reads of one request are many and short: between them others get their turn, and it ends when its time is over. */
  async #read(request: PlanBytes): Promise<Uint8Array> {
    const bytes = request.bytes();
    if (this.#limit.due) await this.#limit.yield();
    return this.#shard.terms(bytes, this.#limit);
  }

  async statistics(fields: readonly number[]): Promise<Statistics> {
    const out = new PlanBytes();
    out.u8(1);
    out.u16(fields.length);
    for (const field of fields) out.u16(field);
    const bytes = await this.#read(out);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 8;
    const found = fields.map((): FieldStatistics => {
      const [smallest, largest] = [view.getUint32(at + 28, true), view.getUint32(at + 32, true)];
      const terms = at + 36;
      const statistics = {
        segments: view.getUint32(at, true),
        documents: view.getUint32(at + 4, true),
        terms: view.getUint32(at + 8, true),
        postings: view.getFloat64(at + 12, true),
        occurrences: view.getFloat64(at + 20, true),
        smallest: bytes.slice(terms, terms + smallest),
        largest: bytes.slice(terms + smallest, terms + smallest + largest),
      };
      at = terms + smallest + largest;
      return statistics;
    });
    return { documents: view.getUint32(0, true), live: view.getUint32(4, true), fields: found };
  }

  async frequencies(terms: readonly FieldTerm[]): Promise<Frequency[]> {
    const found: Frequency[] = [];
    for (let from = 0; from < terms.length; from += PIECE) {
      const piece = terms.slice(from, from + PIECE);
      const out = new PlanBytes();
      out.u8(2);
      out.u32(piece.length);
      for (const { field, term } of piece) {
        out.u16(field);
        // No term is longer, so what is longer is as rare as its beginning.
        out.term(term.subarray(0, LONGEST_ASKED));
      }
      const bytes = await this.#read(out);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      piece.forEach((_, i) => {
        const [documents, occurrences] = [view.getUint32(12 * i, true), view.getFloat64(12 * i + 4, true)];
        found.push({ documents, occurrences });
      });
    }
    return found;
  }

  /** The terms that match and that more than `above` documents have, with at least that boost: up to `limit` of the highest boost. */
  async alike(
    field: number,
    matcher: TermMatcher,
    { above, least, limit }: { above: number; least: number; limit: number },
  ): Promise<FoundTerm[]> {
    const out = new PlanBytes();
    out.u8(3);
    out.u32(Math.min(above, 0xffff_ffff));
    out.f32(least);
    out.u32(limit);
    out.u16(field);
    writeMatcher(out, matcher);
    return foundTerms(await this.#read(out));
  }

  /** The entries that match: of each segment up to `limit` of the highest weight. */
  async heaviest(field: number, matcher: TermMatcher, limit: number): Promise<HeaviestEntries> {
    const out = new PlanBytes();
    out.u8(4);
    out.u32(limit);
    out.u16(field);
    writeMatcher(out, matcher);
    return foundEntries(await this.#read(out));
  }

  /** The terms of documents, by key, as sorting and aggregations see them. */
  async values(field: number, keys: readonly number[]): Promise<string[][]> {
    const out = new PlanBytes();
    out.u8(5);
    out.u16(field);
    out.u32(keys.length);
    for (const key of keys) out.i64(BigInt(key));
    const bytes = await this.#read(out);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    return keys.map(() => {
      const terms: string[] = [];
      let left = view.getUint32(at, true);
      at += 4;
      for (; left > 0; left--) {
        const length = view.getUint16(at, true);
        terms.push(utf8.decode(bytes.subarray(at + 2, at + 2 + length)));
        at += 2 + length;
      }
      return terms;
    });
  }
}

const utf8 = new TextDecoder();

function foundEntries(bytes: Uint8Array): HeaviestEntries {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: FoundEntry[] = [];
  for (let i = view.getUint32(4, true), at = 8; i > 0; i--) {
    const end = at + 18 + view.getUint16(at + 16, true);
    entries.push({
      segment: view.getUint32(at, true),
      document: view.getUint32(at + 4, true),
      weight: view.getFloat64(at + 8, true),
      term: bytes.slice(at + 18, end),
    });
    at = end;
  }
  return { segments: view.getUint32(0, true), entries };
}

function foundTerms(bytes: Uint8Array): FoundTerm[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: FoundTerm[] = [];
  for (let i = view.getUint32(0, true), at = 4; i > 0; i--) {
    const end = at + 14 + view.getUint16(at + 12, true);
    found.push({
      documents: view.getUint32(at, true),
      worth: view.getFloat64(at + 4, true),
      term: bytes.slice(at + 14, end),
    });
    at = end;
  }
  return found;
}
