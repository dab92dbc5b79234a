/**
 * The analyzers of the instance by handle. 0 is no analysis, 1 the standard analyzer without stop words; the others are
 * chains. The same definition gets the same handle, so that a thousand indices with one analyzer share its tables.
 */
import { ERR_ARGUMENT, ERR_LIMIT, ERR_MEMORY, OK } from '../abi/status';
import { heapRealloc } from '../memory/heap';
import { Chain } from './chain';
import { Analysis } from './token';

/** A value is one term. */
export const ANALYZER_NONE: u32 = 0;
/** Standard tokenizer, lower-cased. */
export const ANALYZER_STANDARD: u32 = 1;
const FIRST_CHAIN: u32 = 2;
const MAX_HANDLES: u32 = 1 << 20;

/** Addresses of chains by handle, 0 where there is none. */
let chains: usize = 0;
let room: u32 = 0;

/** The definition of analyzer 1: KIND_STANDARD (32) and KIND_LOWERCASE (64), without arguments. */
const STANDARD_DEFINITION: usize = memory.data<u8>([
  1, 2, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0,
]);
const STANDARD_BYTES: u32 = 20;
let standard: Chain | null = null;

/** The definition of the chain for tokens that were made elsewhere: KIND_GIVEN (41). */
const GIVEN_DEFINITION: usize = memory.data<u8>([1, 1, 0, 0, 41, 0, 0, 0, 0, 0, 0, 0]);
const GIVEN_BYTES: u32 = 12;
let given: Chain | null = null;

/** The chain that takes tokens as `analyze` gives them; null without memory. */
export function givenChain(): Chain | null {
  if (given === null) given = Chain.make(GIVEN_DEFINITION, GIVEN_BYTES);
  return given;
}

/** The chain of a handle from 1 on; null if there is none. */
export function chainOf(analyzer: u32): Chain | null {
  if (analyzer == ANALYZER_STANDARD) {
    if (standard === null) standard = Chain.make(STANDARD_DEFINITION, STANDARD_BYTES);
    return standard;
  }
  if (analyzer < FIRST_CHAIN || analyzer >= room) return null;
  return changetype<Chain | null>(load<usize>(chains + ((<usize>analyzer) << 2)));
}

/** Whether fields may name the analyzer. */
export function isAnalyzer(analyzer: u32): bool {
  return analyzer < FIRST_CHAIN || chainOf(analyzer) !== null;
}

/** Compiles a definition and returns its handle, which the caller holds until `analyzerDrop`; or a status. */
export function analyzerDefine(ptr: usize, length: u32): i32 {
  let unused: u32 = 0;
  for (let i = FIRST_CHAIN; i < room; i++) {
    const chain = chainOf(i);
    if (chain === null) {
      if (!unused) unused = i;
    } else if (chain.definitionBytes == length && memory.compare(chain.definition, ptr, length) == 0) {
      ++chain.refs;
      return i;
    }
  }
  if (!unused) {
    unused = max(room, FIRST_CHAIN);
    if (unused >= MAX_HANDLES) return ERR_LIMIT;
    const more = max(room << 1, 16);
    const moved = heapRealloc(chains, more << 2);
    if (!moved) return ERR_MEMORY;
    chains = moved;
    memory.fill(chains + (room << 2), 0, (more - room) << 2);
    room = more;
  }
  const chain = Chain.make(ptr, length);
  if (chain === null) return Analysis.status;
  chain.refs = 1;
  store<usize>(chains + ((<usize>unused) << 2), changetype<usize>(chain));
  return unused;
}

/** Holds an analyzer once more; 0 and 1 are held for ever. */
export function analyzerHold(analyzer: u32): void {
  const chain = chainOf(analyzer);
  if (chain !== null) ++chain.refs;
}

/** Lets go of an analyzer; the last holder frees it. */
export function analyzerDrop(analyzer: u32): i32 {
  if (analyzer < FIRST_CHAIN) return OK;
  const chain = chainOf(analyzer);
  if (chain === null) return ERR_ARGUMENT;
  if (--chain.refs == 0) {
    store<usize>(chains + ((<usize>analyzer) << 2), 0);
    chain.free();
  }
  return OK;
}
