import { requestAlloc } from '../memory/arena';
import { setResult } from '../result';
import { Shard } from '../segment/shards';
import { fieldFrequency, NO_ROOM, termFrequency } from './collection';
import { Search } from './context';
import { DFS_FIELD_BYTES, DFS_TERM_BYTES } from './dfsStatistics';
import { QueryTerm } from '../plan/query';
import { similarityOf } from './similarities';
import { gathered } from './statistics';

// What a shard knows of a plan's terms, in place of hits (README.md).

/** Most bytes of a result. */
const MAX_RESULT: u64 = 0x40000000;

/** Whether a term's field is that of one before. */
function isRepeated(search: Search, i: u32): bool {
  for (let k: u32 = 0; k < i; k++) if (gathered(search, k).field == gathered(search, i).field) return true;
  return false;
}

function countFields(search: Search): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < search.termCount; i++) n += u32(!isRepeated(search, i));
  return n;
}

/** The documents of the shard that hold a term, whatever rewriting has put in place of their number. */
function documentsOf(shard: Shard, term: QueryTerm): u32 {
  let n: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) n += term.dfIn(s);
  return n;
}

/** Writes the statistics of the terms that were gathered and of their fields; false without room. */
export function writeStatistics(search: Search): bool {
  const shard = search.shard;
  const fields = countFields(search);
  let bytes: u64 = 22 + <u64>fields * DFS_FIELD_BYTES;
  for (let i: u32 = 0; i < search.termCount; i++) bytes += DFS_TERM_BYTES + gathered(search, i).length;
  let out: usize = 0;
  if (bytes <= MAX_RESULT) out = requestAlloc(<u32>bytes);
  if (!out) return false;
  memory.fill(out, 0, 16);
  store<u32>(out, search.termCount, 16);
  let at = out + 20;
  for (let i: u32 = 0; i < search.termCount; i++) {
    const term = gathered(search, i);
    const frequency = similarityOf(search.plan, term.field) ? termFrequency(shard, term.field, term) : 0;
    if (frequency == NO_ROOM) return false;
    store<u16>(at, <u16>term.field);
    store<u32>(at, documentsOf(shard, term), 2);
    store<f64>(at, frequency, 6);
    store<u16>(at, <u16>term.length, 14);
    memory.copy(at + DFS_TERM_BYTES, term.ptr, term.length);
    at += DFS_TERM_BYTES + term.length;
  }
  store<u16>(at, <u16>fields);
  at += 2;
  for (let i: u32 = 0; i < search.termCount; i++) {
    if (isRepeated(search, i)) continue;
    const field = gathered(search, i).field;
    const frequency = similarityOf(search.plan, field) ? fieldFrequency(shard, field) : 0;
    if (frequency == NO_ROOM) return false;
    store<u16>(at, <u16>field);
    store<u32>(at, search.maxDoc, 2);
    store<f64>(at, frequency, 6);
    at += DFS_FIELD_BYTES;
  }
  setResult(out, <u32>bytes);
  return true;
}
