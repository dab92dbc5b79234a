import { ERR_MEMORY, OK } from '../abi/status';
import { MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto } from '../memory/bitset';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Segment } from '../segment/segment';
import { spend } from '../workLimit';
import { Search } from './context';
import { isRepeated, keptOf } from './filterCache';
import { keepMatches, keepsWhole, keptMatcher } from './kept';
import { kindOf } from './kind';
import { noRoom } from './matcherArrays';

/**
 * Makes a matcher of a query for a segment; `bulk` where it may be summed clause by clause. Null where nothing in the segment can match,
 * or where the request fails. The parent takes nothing into account as Lucene's weights do with a null scorer: a boolean loses the clause,
 * and what is left may become a conjunction.
 */
export type Compile = (c: Compiling, query: Query, scoring: bool, bulk: bool) => Matcher | null;

/** A query that is being compiled for one segment: the segment, and what the node being compiled stands in. */
@unmanaged
export class Compiling {
  search: Search;
  segment: Segment;
  /** The segment's number in its shard. */
  ordinal: u32;
  /** How many filters the node stands in: their sets are kept for the next search. */
  filterDepth: u32;
  /** How many constant scores of the plan it stands in: the sets of those that come again are kept. */
  constantDepth: u32;
  /** Documents that the query around, and the filters around it that are sets, take: no other is scored to learn whether it matches. 0: all. */
  accepted: usize;
  /** The same without the filters around: the documents that the search sees. */
  seen: usize;

  /** For a segment and its `visible` documents (0: all); null where the request fails. */
  static make(search: Search, segment: Segment, ordinal: u32, visible: usize): Compiling | null {
    const at = requestAlloc(offsetof<Compiling>());
    if (!at) {
      fail(ERR_MEMORY);
      return null;
    }
    const c = changetype<Compiling>(at);
    c.search = search;
    c.segment = segment;
    c.ordinal = ordinal;
    c.filterDepth = 0;
    c.constantDepth = 0;
    c.accepted = visible;
    c.seen = visible;
    return c;
  }

  /** Compiles a child. A filter that comes again is kept as a set, and found again as such. */
  child(query: Query, scoring: bool, bulk: bool): Matcher | null {
    if (!(this.filterDepth | this.constantDepth) || !keepsWhole(query))
      return this.made(query, scoring, bulk);
    const segment = this.segment;
    const known = keptOf(segment, query);
    if (known) return keptMatcher(segment, known);
    const repeated = isRepeated(segment, query);
    const m = this.made(query, false, false);
    return repeated && requestStatus == OK ? keepMatches(segment, query, m) : m;
  }

  private made(query: Query, scoring: bool, bulk: bool): Matcher | null {
    spend(16);
    return call_indirect<Matcher | null>(kindOf(query.kind).compile, this, query, scoring, bulk);
  }

  /** Compiles what only says whether a document is one. */
  filter(query: Query): Matcher | null {
    const around = this.accepted;
    this.accepted = this.seen;
    this.filterDepth++;
    const m = this.child(query, false, false);
    this.filterDepth--;
    this.accepted = around;
    return m;
  }

  /** Compiles a child that sees but the documents of `filter` too, if that is a set. */
  within(query: Query, filter: Matcher, scoring: bool): Matcher | null {
    if (filter.kind != MATCH_SET) return this.child(query, scoring, false);
    const around = this.accepted;
    const bytes = windowBytes(this.segment.docCount);
    const bits = requestAlloc(bytes);
    if (!bits) return noRoom();
    memory.copy(bits, filter.bits, bytes - 16);
    if (around) andInto(bits, around, bytes - 16);
    this.accepted = bits;
    const m = this.child(query, scoring, false);
    this.accepted = around;
    return m;
  }

  /** Compiles a query for nested documents. */
  nested(query: Query, scoring: bool): Matcher | null {
    const around = this.accepted;
    const outside = this.seen;
    this.accepted = this.segment.live;
    this.seen = this.segment.live;
    const m = this.child(query, scoring, false);
    this.accepted = around;
    this.seen = outside;
    return m;
  }

  /** Compiles what all score the same for; `repeats` if it stands in the plan as it is, so that it may come again. */
  unscored(query: Query, repeats: bool): Matcher | null {
    this.constantDepth += u32(repeats);
    const m = this.child(query, false, false);
    this.constantDepth -= u32(repeats);
    return m;
  }

  /** Compiles what scores where nothing around it does: what it stands in counts for nothing. */
  alone(query: Query): Matcher | null {
    const filters = this.filterDepth;
    const constants = this.constantDepth;
    this.filterDepth = 0;
    this.constantDepth = 0;
    const m = this.child(query, true, false);
    this.filterDepth = filters;
    this.constantDepth = constants;
    return m;
  }
}
