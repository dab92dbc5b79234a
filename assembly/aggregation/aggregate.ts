import { AGG_CHILDREN, AGG_GLOBAL, AGG_HITS, AGG_TERMS } from '../abi/aggregations';
import { COLUMN_ORDINAL } from '../abi/columns';
import { OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { count } from '../memory/bitset';
import { findField, openDictionary, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Dictionary, foundDf, lookupTerm } from '../terms/dictionary';
import { spend } from '../workLimit';
import { requestStatus } from '../requestStatus';
import { Aggregation, BATCH, TERMS_BACKGROUND, TERMS_EMPTY } from './aggregation';
import { closeBlocks, collectBlocks } from './blocks';
import { hasChildren, isFull, linkOf, putChild } from './children';
import { collect, openAggregation, passOn } from './collect';
import { AggregationContext } from './context';
import { scoreTop, startHits, wantsScores } from './hits';
import { numberKeys } from './keys';
import { startPartials, writePartials } from './partials';
import { addAllTerms, numberAllTerms, termBytesAt, termLength } from './terms';
import { nextValues, startValues } from './values';

// The aggregations of one search on one shard, segment by segment.

const batch: usize = memory.data(BATCH * 4, 16);
/** The bucket that the top of the tree lies in: number 0, for all documents. */
const noOwners: usize = memory.data(BATCH * 4, 16);

/** Whether an aggregation wants all documents, whatever the query. */
export function hasGlobal(context: AggregationContext): bool {
  for (let i: u32 = 0; i < context.count; i++) if (context.top(i).kind == AGG_GLOBAL) return true;
  return false;
}

/** Opens a segment; `matchers` are the plan's filters compiled for it. False without memory. */
export function openSegment(context: AggregationContext, shard: Shard, seg: Segment, matchers: usize): bool {
  startHits(context, seg, context.nextBase);
  context.nextBase += seg.docCount;
  for (let i: u32 = 0; i < context.count; i++)
    if (!openAggregation(context.top(i), shard, seg, matchers)) return false;
  return true;
}

/** Hands a batch on, of `context.batched` documents. */
function flush(context: AggregationContext): bool {
  const n = context.batched;
  context.batched = 0;
  if (n && context.isScoring && !scoreTop(context, batch, n)) return false;
  for (let i: u32 = 0; i < context.count && n; i++) {
    const agg = context.top(i);
    if ((agg.kind == AGG_GLOBAL) == context.isGlobal && !agg.byBlocks && !collect(agg, batch, noOwners, n, 1))
      return false;
  }
  return true;
}

function anyWantsScores(agg: Aggregation): bool {
  if (agg.kind == AGG_HITS && wantsScores(agg)) return true;
  for (let i: u32 = 0; i < agg.childCount; i++) if (anyWantsScores(agg.child(i))) return true;
  return false;
}

/** Starts a pass through the opened segment: of the documents that match `root`, a Matcher, or of all where it is 0. */
export function startPass(context: AggregationContext, root: usize): void {
  context.isGlobal = !root;
  context.scorer = root;
  context.isScoring = false;
  for (let i: u32 = 0; i < context.count && !context.isScoring; i++) {
    const agg = context.top(i);
    context.isScoring = (agg.kind == AGG_GLOBAL) == context.isGlobal && anyWantsScores(agg);
  }
  context.batched = 0;
}

/** Takes the documents in that are set among the `words` words at `bits`, the first of which is `base`; false without memory. */
export function takeWindow(context: AggregationContext, base: u32, words: u32, bits: usize): bool {
  let batches = context.isGlobal;
  if (!context.isGlobal) {
    context.matched += count(bits, words << 3);
    for (let i: u32 = 0; i < context.count; i++) {
      const agg = context.top(i);
      if (agg.byBlocks) collectBlocks(agg, base, words, bits);
      else batches = batches || agg.kind != AGG_GLOBAL;
    }
  }
  if (!batches) return true;
  let n = context.batched;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u64>(bits + ((<usize>i) << 3));
    const first = base + (i << 6);
    if (n > BATCH - 64) {
      context.batched = n;
      if (!flush(context)) return false;
      n = 0;
    }
    while (word) {
      store<u32>(batch + ((<usize>n) << 2), first + <u32>ctz<u64>(word));
      n++;
      word &= word - 1;
    }
  }
  context.batched = n;
  // Scores are worked out before the matcher goes on.
  return !context.isScoring || flush(context);
}

/** Ends a pass. */
export function endPass(context: AggregationContext): bool {
  return flush(context);
}

/** Whether buckets are wanted for terms that no document has. */
function wantsEmpty(agg: Aggregation): bool {
  return agg.kind == AGG_TERMS && (agg.flags & TERMS_EMPTY) != 0;
}

/** Numbers the values of all documents of the opened segment; false without memory. */
function numberAllKeys(agg: Aggregation): bool {
  const docCount = agg.context.segment.docCount;
  for (let base: u32 = 0; base < docCount; base += BATCH) {
    const n = min(BATCH, docCount - base);
    for (let i: u32 = 0; i < n; i++) store<u32>(batch + ((<usize>i) << 2), base + i);
    startValues(agg);
    for (let m = nextValues(agg, batch, n); m && spend(m); m = nextValues(agg, batch, n))
      if (!numberKeys(agg, m)) return false;
  }
  return true;
}

/** Notes the segment's terms where buckets without documents are wanted; before the segment is closed. */
function noteTerms(agg: Aggregation): bool {
  if (agg.kind == AGG_CHILDREN) return true;
  if (wantsEmpty(agg) && !(agg.type == COLUMN_ORDINAL ? numberAllTerms(agg) : numberAllKeys(agg)))
    return false;
  return noteTermsBelow(agg);
}

function noteTermsBelow(agg: Aggregation): bool {
  for (let i: u32 = 0; i < agg.childCount; i++) if (!noteTerms(agg.child(i))) return false;
  return true;
}

/** Whether buckets without documents are wanted below an aggregation of children. */
export function wantsEmptyBelow(agg: Aggregation): bool {
  for (let i: u32 = 0; i < agg.childCount; i++) {
    const child = agg.child(i);
    if (wantsEmpty(child) || (child.kind != AGG_CHILDREN && wantsEmptyBelow(child))) return true;
  }
  return false;
}

/**
 * Adds the buckets without documents, when all segments have been gone through: of all terms to each bucket that has documents,
 * whichever segments these are in.
 */
function addEmpty(agg: Aggregation): bool {
  for (let i: u32 = 0; i < agg.childCount; i++) {
    const child = agg.child(i);
    // With one owner every term that is noted has its bucket.
    if (wantsEmpty(child) && !child.isTop)
      for (let owner: u32 = 0; owner < agg.bucketCount; owner++)
        if (agg.counts.u32At(owner) && !addAllTerms(child, owner)) return false;
    if (!addEmpty(child)) return false;
  }
  return true;
}

/** Closes the segment. */
export function closeSegment(context: AggregationContext): bool {
  for (let i: u32 = 0; i < context.count; i++) {
    const agg = context.top(i);
    if (agg.byBlocks && !closeBlocks(agg)) return false;
  }
  for (let i: u32 = 0; i < context.count; i++) if (!noteTerms(context.top(i))) return false;
  return true;
}

/** Whether children are aggregated: when all segments have been gone through, there is more to do. */
export function hasParentOrdinals(context: AggregationContext): bool {
  for (let i: u32 = 0; i < context.count; i++) if (hasChildren(context.top(i))) return true;
  return false;
}

/** Calls `visit` with each of the aggregations of children, those above before those below, and with `caller`; false as soon as that is. */
export function visitParentOrdinals(
  context: AggregationContext,
  visit: (agg: Aggregation, caller: usize) => bool,
  caller: usize,
): bool {
  for (let i: u32 = 0; i < context.count; i++) if (!visitBelow(context.top(i), visit, caller)) return false;
  return true;
}

function visitBelow(agg: Aggregation, visit: (agg: Aggregation, caller: usize) => bool, caller: usize): bool {
  if (agg.kind == AGG_CHILDREN && !visit(agg, caller)) return false;
  for (let i: u32 = 0; i < agg.childCount; i++) if (!visitBelow(agg.child(i), visit, caller)) return false;
  return true;
}

/** Opens what is below an aggregation of children for a segment, whose first document has a number in the shard; false without memory. */
export function openBelow(agg: Aggregation, shard: Shard, seg: Segment, base: u32, matchers: usize): bool {
  startHits(agg.context, seg, base);
  agg.readPart = 0;
  for (let i: u32 = 0; i < agg.childCount; i++)
    if (!openAggregation(agg.child(i), shard, seg, matchers)) return false;
  return true;
}

/** Takes the children among the `words` words at `bits`, of which the first is `base`; false without memory. */
export function takeChildren(agg: Aggregation, numbers: usize, base: u32, words: u32, bits: usize): bool {
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u64>(bits + ((<usize>i) << 3));
    while (word) {
      const doc = base + (i << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      let link = linkOf(agg, numbers, doc);
      while (link) {
        link = putChild(agg, doc, link);
        if (isFull(agg) && !passChildren(agg)) return false;
      }
    }
  }
  return true;
}

function passChildren(agg: Aggregation): bool {
  const n = agg.readPart;
  agg.readPart = 0;
  return passOn(agg, n);
}

/** Closes what is below for the segment. */
export function closeBelow(agg: Aggregation): bool {
  return passChildren(agg) && noteTermsBelow(agg);
}

/** Adds the document frequencies of the buckets' terms in a segment. */
function addFrequencies(agg: Aggregation, seg: Segment): bool {
  const entry = findField(seg, agg.field);
  if (!entry) return true;
  const at = requestAlloc(offsetof<Dictionary>());
  const scratch = requestAlloc(8);
  if (!at || !scratch) return false;
  const dict = changetype<Dictionary>(at);
  openDictionary(seg, entry, dict);
  for (let b: u32 = 0; b < agg.bucketCount && spend(16); b++) {
    const key = agg.keys.i64At(b);
    let ptr = scratch;
    let length: u32 = 8;
    if (agg.type == COLUMN_ORDINAL) {
      ptr = termBytesAt(agg, <u32>key);
      length = termLength(agg, <u32>key);
    } else store<u64>(scratch, bswap<u64>(<u64>key ^ 0x8000000000000000));
    if (!lookupTerm(dict, ptr, length)) continue;
    const count = agg.background.at + ((<usize>b) << 2);
    store<u32>(count, load<u32>(count) + foundDf);
  }
  return true;
}

/** Finds the backgrounds of the terms that are to be told from. */
function findBackgrounds(agg: Aggregation, shard: Shard): bool {
  if (agg.kind == AGG_TERMS && agg.flags & TERMS_BACKGROUND) {
    if (!agg.background.reserve((<u64>agg.bucketCount) << 2)) return false;
    agg.backgroundDocs = 0;
    for (let s: u32 = 0; s < shard.segmentCount; s++) {
      const seg = shard.segment(s);
      agg.backgroundDocs += seg.docCount;
      if (!addFrequencies(agg, seg)) return false;
    }
  }
  for (let i: u32 = 0; i < agg.childCount; i++) if (!findBackgrounds(agg.child(i), shard)) return false;
  return true;
}

/** Writes the partials; false without memory. */
export function finishAggregations(context: AggregationContext, shard: Shard): bool {
  if (requestStatus != OK || !startPartials(context)) return false;
  for (let i: u32 = 0; i < context.count; i++) {
    const agg = context.top(i);
    if (!addEmpty(agg) || !findBackgrounds(agg, shard)) return false;
    if (!writePartials(agg, <u32>context.matched)) return false;
  }
  return true;
}
