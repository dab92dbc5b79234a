/**
 * A chain: an analyzer, compiled once from its definition (README.md, *Chains*) and then run over any number of texts.
 *
 *     start → next … until it says false → end
 */
import { KIND_LOWERCASE, KIND_STANDARD, KIND_STEM } from '../abi/stages';
import { ERR_ARGUMENT, ERR_MEMORY, OK } from '../abi/status';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { forgetCorrections } from './corrections';
import { makeCharFilter } from './charFilters';
import { makeFilter } from './factories';
import { FIRST_FILTER, FIRST_TOKENIZER } from './kinds';
import { ENGLISH_POSSESSIVE } from './stem/byHand';
import { Source } from './source';
import { Stage } from './stage';
import { Analysis, shrinkEditBuffer, Token } from './token';
import { makeTokenizer } from './tokenizers';
import { fuseLowerCase } from './tokenizers/standard';

const VERSION: u32 = 1;
const MAX_STAGES: u32 = 64;
const HEADER: u32 = 4;
const STAGE_HEADER: u32 = 8;

@unmanaged
export class Chain {
  /** The stages' addresses, in order. */
  private stages: usize;
  private stageCount: u32;
  /** How many of them are char filters. */
  private charFilters: u32;
  /** The definition; stages refer to it. */
  definition: usize;
  definitionBytes: u32;
  /** Fields and callers that use it. */
  refs: u32;
  /** Whether a stage works with offsets. */
  needsOffsets: bool;

  /** The i-th stage. */
  @inline stage(i: u32): Stage {
    return changetype<Stage>(load<usize>(this.stages + ((<usize>i) << 2)));
  }

  /** The stage that consumers pull from. */
  @inline last(): usize {
    return load<usize>(this.stages + ((<usize>(this.stageCount - 1)) << 2));
  }

  free(): void {
    for (let i: u32 = 0; i < this.stageCount; i++) {
      const stage = this.stage(i);
      call_indirect<void>(stage.dropIndex, changetype<usize>(stage));
      heapFree(changetype<usize>(stage));
    }
    heapFree(this.stages);
    heapFree(this.definition);
    heapFree(changetype<usize>(this));
  }

  /** Makes the stages; a status. */
  private build(): i32 {
    const definition = this.definition;
    const end = definition + this.definitionBytes;
    const count = load<u8>(definition, 1) as u32;
    if (load<u8>(definition) != VERSION || count == 0 || count > MAX_STAGES) return ERR_ARGUMENT;
    this.stages = heapAlloc(count << 2);
    if (!this.stages) return ERR_MEMORY;
    let p = definition + HEADER;
    let before: usize = 0;
    let fusible = false;
    let skipped: u32 = MAX_STAGES;
    for (let i: u32 = 0; i < count; i++) {
      if (end - p < STAGE_HEADER) return ERR_ARGUMENT;
      const kind = load<u16>(p) as u32;
      const bytes = load<u32>(p, 4);
      p += STAGE_HEADER;
      if (<usize>bytes > end - p) return ERR_ARGUMENT;
      const argsEnd = p + bytes;
      const next = p + (((<usize>bytes + 3) & ~3) as usize);
      // The tokenizer lower-cases for nothing. Taking 's away is the same before and after.
      const isPossessive = kind == KIND_STEM && bytes == 1 && load<u8>(p) == ENGLISH_POSSESSIVE;
      if (fusible && isPossessive && end - next >= STAGE_HEADER && load<u16>(next) == KIND_LOWERCASE) {
        fuseLowerCase(before);
        fusible = false;
        skipped = i + 1;
      }
      if (i == skipped) {
        // It is done already.
      } else if (fusible && kind == KIND_LOWERCASE) {
        fuseLowerCase(before);
        fusible = false;
      } else {
        // Char filters come first, then one tokenizer, then filters.
        if (kind < FIRST_FILTER ? before != 0 : before == 0) return ERR_ARGUMENT;
        let stage: usize = 0;
        if (kind < FIRST_TOKENIZER) stage = makeCharFilter(kind, p, argsEnd);
        else if (kind < FIRST_FILTER) stage = makeTokenizer(kind, p, argsEnd);
        else stage = makeFilter(kind, p, argsEnd);
        if (!stage) return Analysis.status == OK ? ERR_ARGUMENT : Analysis.status;
        changetype<Stage>(stage).input = before;
        store<usize>(this.stages + (this.stageCount << 2), stage);
        ++this.stageCount;
        if (changetype<Stage>(stage).needsOffsets) this.needsOffsets = true;
        if (kind < FIRST_TOKENIZER) ++this.charFilters;
        else before = stage;
        fusible = kind == KIND_STANDARD;
      }
      p = next;
    }
    return before ? OK : ERR_ARGUMENT;
  }

  /** Compiles a definition; null if that fails, and then `Analysis.status` says why. */
  static make(ptr: usize, bytes: u32): Chain | null {
    Analysis.status = OK;
    const at = heapAllocZeroed(offsetof<Chain>());
    const copy = heapAlloc(bytes + 16);
    if (!at || !copy) {
      heapFree(at);
      heapFree(copy);
      Analysis.status = ERR_MEMORY;
      return null;
    }
    memory.copy(copy, ptr, bytes);
    memory.fill(copy + bytes, 0, 16);
    const chain = changetype<Chain>(at);
    chain.definition = copy;
    chain.definitionBytes = bytes;
    const status = bytes < HEADER ? ERR_ARGUMENT : chain.build();
    if (status != OK) {
      chain.free();
      Analysis.status = status;
      return null;
    }
    return chain;
  }

  /** Begins the analysis of a text, which must stay unchanged until it ends. False if a char filter failed. */
  start(ptr: usize, length: u32, offsets: bool): bool {
    Analysis.status = OK;
    Analysis.offsets = offsets || this.needsOffsets;
    Token.rest = 0;
    Token.forgetHash();
    forgetCorrections();
    Source.set(ptr, length);
    let i: u32 = 0;
    for (; i < this.charFilters; i++) {
      const stage = this.stage(i);
      if (!call_indirect<bool>(stage.pullIndex, changetype<usize>(stage))) return false;
    }
    for (; i < this.stageCount; i++) {
      const stage = this.stage(i);
      call_indirect<void>(stage.startIndex, changetype<usize>(stage));
    }
    return true;
  }

  /** Moves to the next token; false at the end, or if `Analysis.status` isn't OK. */
  @inline next(): bool {
    const last = this.last();
    return call_indirect<bool>(changetype<Stage>(last).pullIndex, last) && Analysis.status == OK;
  }

  /** Gives back what a giant text took. */
  @inline end(): void {
    shrinkEditBuffer();
  }
}
