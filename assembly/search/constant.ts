import { MATCH_ALL, MATCH_CONSTANT, MATCH_SET, MATCH_TERM, Matcher } from '../docset/matcher';
import { decodeDocs, enter, PostingsCursor } from '../postings/cursor';
import { countAccepted, findAccepted, acceptedDoc } from '../postings/accepted';
import { offer, threshold } from '../score/topHits';
import { spend } from '../workLimit';
import { addToMask, countMask, kindWithin, maskLive, maskSerial, maskSet, openMask, unmask } from './mask';
import { intersectionCount, recall, remember } from '../segment/intersectionCache';
import { Run } from './run';

// Documents that all score the same: the hits are the first ones, the total is the number of a set or of a list, which is
// mostly known.

// Globals: what `constantFits` opens for `runConstant`, which runs next or not at all.

/** What is left of a run of equal scores without the sets around it: a term or all documents. */
let inner: Matcher = changetype<Matcher>(0);
let value: f32 = 0;

/** Whether `run` is a set, a list or all documents with a score for all; opens it if so. */
export function constantFits(run: Run): bool {
  const kind = kindWithin(run.root);
  if (kind != MATCH_ALL && kind != MATCH_CONSTANT) return false;
  let m = openMask(run);
  if (m === null) return false;
  value = m.value;
  while (m !== null && m.kind == MATCH_CONSTANT) m = unmask(run, Matcher.at(m.optional, 0));
  if (m === null || (m.kind == MATCH_SET && !addToMask(run, m))) return false;
  inner = m;
  return m.kind == MATCH_ALL || m.kind == MATCH_SET || m.kind == MATCH_TERM;
}

/** Offers the first documents of the run that `constantFits` opened and returns the number of those that count. */
export function runConstant(run: Run): i64 {
  if (inner.kind == MATCH_TERM) return runList(run, inner.cursor);
  const masked = maskSet != 0 || maskLive != 0;
  if (!run.countOnly) {
    const set = maskSet ? maskSet : maskLive;
    const live = maskSet ? maskLive : 0;
    const words = (run.docCount + 63) >> 6;
    for (let w: u32 = 0; w < words && value > threshold; w++) {
      let word = ~(<u64>0);
      if (set) word = load<u64>(set + ((<usize>w) << 3));
      else if (run.docCount - (w << 6) < 64) word = ((<u64>1) << (<u64>(run.docCount & 63))) - 1;
      if (live) word &= load<u64>(live + ((<usize>w) << 3));
      for (; word && value > threshold; word &= word - 1)
        offer(value, run.docBase + (w << 6) + <u32>ctz<u64>(word));
    }
  }
  return masked ? countMask(run) : run.docCount;
}

/** The same of a list, within the mask. */
function runList(run: Run, c: PostingsCursor): i64 {
  const set = maskSet ? maskSet : maskLive;
  const live = maskSet ? maskLive : 0;
  const serial = c.short ? 0 : maskSerial;
  let known = !set;
  let total: i64 = set ? 0 : <i64>c.df;
  if (serial && recall(serial, c.lasts, run.view)) {
    known = true;
    total = intersectionCount;
  }
  for (let block: u32 = 0; block < c.blocks; block++) {
    const skip = run.countOnly || !(value > threshold);
    if (skip && known) return total;
    if (!spend(16)) return total;
    if (block) enter(c, block);
    if (skip) {
      total += countAccepted(c, set, live);
      continue;
    }
    if (!set) {
      decodeDocs(c);
      for (let i: usize = 0; i < <usize>c.count && value > threshold; i++)
        offer(value, run.docBase + load<u32>(c.docs + (i << 2)));
      continue;
    }
    const n = findAccepted(c, set, live);
    if (!known) total += n;
    for (let i: usize = 0; i < n && value > threshold; i++) offer(value, run.docBase + acceptedDoc(i));
  }
  if (serial && !known) remember(serial, c.lasts, run.view, <u32>total);
  return total;
}
