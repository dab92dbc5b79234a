import {
  MATCHER_FUZZY,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_MULTI_TERM,
  NODE_TERM,
  SHOULD,
} from '../../abi/plan';
import { ERR_MEMORY, ERR_PLAN, OK } from '../../abi/status';
import { requestAlloc } from '../../memory/arena';
import { f32Next, u16Next, u8Next } from '../../plan/planReader';
import { BOOLEAN_NO_COORD, Query, QueryTerm } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { Shard } from '../../segment/shards';
import { idf } from '../../similarity/similarity';
import { compareBytes } from '../../terms/bytes';
import { Search } from '../context';
import { ANY, childrenNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { addChild, collect, make, termNode } from '../rewriting';
import { findTerm } from '../statistics';
import { TermList } from '../termList';

// Fuzzy like this: the terms most like each word of a text, and of these the ones that say most, as Lucene's FuzzyLikeThisQuery. A
// variant's boost is its likeness squared times the idf of the word (or the average of its variants), its own idf that of a
// term in one document. A word whose variants may be further off than automata reach comes with the prefix that they share.

const IGNORES_FREQUENCY: u8 = 1;
/** Most variants of a word, and most terms that are looked at for them. */
const MAX_VARIANTS: u32 = 50;
const MAX_CANDIDATES: u32 = 16384;
/** Longest words that are compared character by character. */
const MAX_POINTS: u32 = 1024;

/** A variant: f32 score, u32 pointer to the term, u32 number of its word, ascending as Lucene's queue orders them. */
const VARIANT_BYTES: u32 = 12;

/** Words, each as a term and as the multi-term query of its variants. */
export function decodeFuzzyLike(d: Decoding, node: Query, depth: u32, _scoring: bool): void {
  node.boost = f32Next();
  node.size = <u32>u16Next();
  node.flags = u8Next();
  node.slop = <u32>u16Next();
  node.cutoff = f32Next();
  if (!(node.cutoff >= 0 && node.cutoff < 1)) fail(ERR_PLAN);
  childrenNext(d, node, (<u32>u16Next()) << 1, depth, false, false, ANY);
  for (let i: u32 = 0; i < node.childCount && requestStatus == OK; i += 2) {
    if (node.child(i).kind != NODE_TERM || node.child(i + 1).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
  }
}

function code(ptr: usize, length: u32, out: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < length && n < MAX_POINTS; n++) {
    const first = <u32>load<u8>(ptr + i);
    const bytes: u32 = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    // Any number that differs for different characters will do.
    let point: u32 = 0;
    for (let k: u32 = 0; k < bytes && i + k < length; k++) point = (point << 8) | <u32>load<u8>(ptr + i + k);
    store<u32>(out + ((<usize>n) << 2), point);
    i += bytes;
  }
  return n;
}

/** Edits between the first word in `points`, of `n` characters, and the second one behind it, of `m`; the table's rows are behind both. */
function distance(points: usize, n: u32, m: u32): u32 {
  const other = points + MAX_POINTS * 4;
  let row = other + MAX_POINTS * 4;
  let before = row + (MAX_POINTS + 1) * 4;
  for (let i: usize = 0; i <= <usize>n; i++) store<u32>(before + (i << 2), <u32>i);
  for (let j: usize = 1; j <= <usize>m; j++) {
    const own = load<u32>(other + ((j - 1) << 2));
    store<u32>(row, <u32>j);
    for (let i: usize = 1; i <= <usize>n; i++) {
      const at = i << 2;
      const replaced = load<u32>(before + at - 4) + u32(load<u32>(points + at - 4) != own);
      store<u32>(row + at, min(min(load<u32>(row + at - 4), load<u32>(before + at)) + 1, replaced));
    }
    const swap = before;
    before = row;
    row = swap;
  }
  return load<u32>(before + ((<usize>n) << 2));
}
/** Gives the terms of a list how alike they are to a word; those in more than `most` edits are not. */
function compareAll(word: QueryTerm, list: TermList, most: u32): void {
  const points = requestAlloc(MAX_POINTS * 16 + 64);
  if (!points) {
    fail(ERR_MEMORY);
    return;
  }
  const n = code(word.ptr, word.length, points);
  for (let i: u32 = 0; i < list.count; i++) {
    const term = list.term(i);
    const m = code(term.ptr, term.length, points + MAX_POINTS * 4);
    const edits = distance(points, n, m);
    if (edits > most) term.boost = 0;
    else term.boost = edits ? <f32>1 - <f32>edits / <f32>min(m, n) : 1;
  }
}

function scoreOf(at: usize): f32 {
  return load<f32>(at);
}
function termOf(at: usize): QueryTerm {
  return changetype<QueryTerm>(<usize>load<u32>(at, 4));
}

/** Whether a variant goes before another: a smaller score, or the same and a greater term. */
function isLess(score: f32, field: u32, term: QueryTerm, at: usize): bool {
  if (score != scoreOf(at)) return score < scoreOf(at);
  const other = termOf(at);
  if (field != other.field) return field > other.field;
  return compareBytes(term.ptr, term.length, other.ptr, other.length) > 0;
}

/** Inserts into a queue that keeps the `limit` greatest; their number. */
function insert(queue: usize, n: u32, limit: u32, score: f32, term: QueryTerm, word: u32): u32 {
  let count = n;
  if (count == limit) {
    if (!limit || isLess(score, term.field, term, queue)) return count;
    memory.copy(queue, queue + VARIANT_BYTES, (count - 1) * VARIANT_BYTES);
    count--;
  }
  let k = count;
  while (k > 0 && isLess(score, term.field, term, queue + <usize>((k - 1) * VARIANT_BYTES))) k--;
  const slot = queue + <usize>(k * VARIANT_BYTES);
  memory.copy(slot + VARIANT_BYTES, slot, (count - k) * VARIANT_BYTES);
  store<f32>(slot, score);
  store<u32>(slot, <u32>changetype<usize>(term), 4);
  store<u32>(slot, word, 8);
  return count + 1;
}

/** Living documents of the shard. */
function liveDocs(shard: Shard): u32 {
  let n: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) n += shard.segment(s).liveCount;
  return n;
}

/** Adds the variants of a word to the queue of all; their number. */
function addVariants(
  search: Search,
  query: Query,
  word: u32,
  docs: u32,
  all: usize,
  n: u32,
  variants: usize,
): u32 {
  const source = query.child(word << 1).term(0);
  const field = <u32>query.child(word << 1).field;
  const matcher = query.child((word << 1) + 1);
  const list = collect(search, matcher, MAX_CANDIDATES, false);
  if (list === null || !findTerm(search.shard, field, source)) {
    fail(ERR_MEMORY);
    return n;
  }
  if (matcher.matcher != MATCHER_FUZZY) compareAll(source, list, query.slop);
  const least = query.cutoff;
  const scale: f32 = <f32>1 / (<f32>1 - least);
  let found: u32 = 0;
  let documents: u32 = 0;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < list.count; i++) {
    const term = list.term(i);
    if (term.boost != 1 && !(term.boost > least)) continue;
    found++;
    documents += term.df;
    term.field = field;
    const score: f32 = term.boost == 1 ? 1 : (term.boost - least) * scale;
    kept = insert(variants, kept, MAX_VARIANTS, score, term, word);
  }
  if (!found) return n;
  const weight = idf(source.df ? source.df : documents / found, docs);
  let count = n;
  for (let k: u32 = 0; k < kept; k++) {
    const at = variants + <usize>(k * VARIANT_BYTES);
    const score = scoreOf(at);
    count = insert(all, count, query.size, score * score * weight, termOf(at), word);
  }
  return count;
}

function variantNode(query: Query, at: usize): Query {
  const term = termOf(at);
  term.df = 1;
  const ignores = (query.flags & IGNORES_FREQUENCY) != 0;
  const node = termNode(NODE_TERM, term.field, ignores ? <f32>1 : scoreOf(at), term);
  if (!ignores) return node;
  const constant = make(NODE_CONSTANT, scoreOf(at), 1);
  addChild(constant, node, 0);
  return constant;
}

/** Rewrites the query: a boolean of words, each a boolean without coord of its variants. */
export function expandFuzzyLike(search: Search, query: Query, _scoring: bool): Query {
  const words = query.childCount >> 1;
  const all = requestAlloc((query.size + 1) * VARIANT_BYTES);
  const variants = requestAlloc((MAX_VARIANTS + 1) * VARIANT_BYTES);
  const node = make(NODE_BOOLEAN, query.boost, words);
  if (!all || !variants) fail(ERR_MEMORY);
  const docs = liveDocs(search.shard);
  let n: u32 = 0;
  for (let word: u32 = 0; word < words && requestStatus == OK; word++)
    n = addVariants(search, query, word, docs, all, n, variants);
  for (let word: u32 = 0; word < words && requestStatus == OK; word++) {
    let own: u32 = 0;
    for (let i: u32 = 0; i < n; i++) own += u32(load<u32>(all + <usize>(i * VARIANT_BYTES), 8) == word);
    if (!own) continue;
    const group = make(NODE_BOOLEAN, 1, own);
    group.flags = BOOLEAN_NO_COORD;
    for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
      const at = all + <usize>(i * VARIANT_BYTES);
      if (load<u32>(at, 8) == word) addChild(group, variantNode(query, at), SHOULD);
    }
    if (requestStatus == OK) addChild(node, own == 1 ? group.child(0) : group, SHOULD);
  }
  return requestStatus == OK ? node : query;
}
