/** The typed wrapper over the core's ABI (`assembly/README.md`): the only TypeScript that touches Wasm memory. */
import { instantiateSync } from '@assemblyscript/loader';
import { kstemDictionary } from './kstemDictionary.js';
import { uaxUrlEmailData } from './uaxUrlEmailData.js';
import { type CoreStats, decodeFielddata, decodeShardInfo, type FieldBytes } from './stats.js';
import { SearchMemory, searchMemoryOf } from './searchMemory.js';
import {
  decodeSegmentInfo,
  decodeTokens,
  decodeTokensInTurns,
  type SegmentInfo,
  type TokenList,
  TOKENS_AT_ONCE,
  tokensSize,
} from './result.js';
import { atOnce, type Turns } from '../workLimit.js';
import { CoreError, CoreLost, CoreTrap, hasDetail, NotNested, type ShardHandle, Status } from './status.js';

interface Abi {
  memory: WebAssembly.Memory;
  /** Missing where a module is no core at all. */
  abiVersion?(): number;
  heapAlloc(bytes: number): number;
  heapFree(ptr: number): void;
  requestAlloc(bytes: number): number;
  requestReset(): void;
  questionEvery(units: number): void;
  nestBegin(): number;
  nestEnd(): void;
  resultPtr(): number;
  resultLength(): number;
  shardCreate(): number;
  shardDrop(shard: number): number;
  fieldDefine(
    shard: number,
    field: number,
    flags: number,
    analyzer: number,
    boost: number,
    positionGap: number,
  ): number;
  fieldFilter(shard: number, field: number, ptr: number, length: number): number;
  apply(shard: number, ptr: number, length: number): number;
  refresh(shard: number): number;
  work(shard: number, budget: number): number;
  search(shard: number, ptr: number, length: number): number;
  terms(shard: number, ptr: number, length: number): number;
  segmentCount(shard: number): number;
  segmentInfo(shard: number, i: number): number;
  segmentImage(shard: number, i: number): number;
  segmentLoad(shard: number, ptr: number, length: number): number;
  segmentDrop(shard: number, i: number): number;
  segmentRename(shard: number, i: number, id: number): number;
  segmentLive(shard: number, i: number): number;
  segmentSetLive(shard: number, i: number, ptr: number, length: number): number;
  segmentKeys(shard: number, i: number): number;
  segmentHasUids(shard: number, i: number): number;
  segmentSetUids(shard: number, i: number, ptr: number, length: number): number;
  forceMerge(shard: number, maxSegments: number): number;
  shardChanges(shard: number): number;
  shardInfo(shard: number): number;
  shardFielddata(shard: number): number;
  shardFieldBytes(shard: number, field: number): number;
  shardClear(shard: number, what: number): number;
  fielddataUsed(): number;
  fielddataLimit(bytes: number): void;
  analyze(analyzer: number, ptr: number, length: number): number;
  analyzerDefine(ptr: number, length: number): number;
  analyzerDrop(analyzer: number): number;
  kstemDefine(ptr: number, length: number): number;
  uaxUrlEmailDefine(ptr: number, length: number): number;
  memoryUsed(): number;
}

/** How the core indexes one field. */
export interface CoreField {
  /** The field's number within its index. */
  field: number;
  /** Bit 0 freqs, bit 1 positions, bit 2 norms; bits 3..5 the kind of the field's column. */
  flags: number;
  /** 0 none (a value is one term), 1 standard, a handle of {@link Core.defineAnalyzer}, or a chain's definition. */
  analyzer: number | Uint8Array;
  boost: number;
  positionGap: number;
  /** Which of its terms sorting and aggregations see (dsl/fielddataFilters.ts); undefined: as before, at first all. */
  filter?: Uint8Array;
}

/** What {@link Core.work} left: nothing, a flush that goes on, or only merging. */
export const Work = { idle: 0, flushing: 1, merging: 2 } as const;

/** The version of the core's interface that this module speaks (`assembly/index.ts`). */
export const ABI_VERSION = 7;

/**
 * Whether a call that takes long should end before it is through; asked every millisecond or so. Where it is asked, one further search or
 * read of terms at a time may be made of the same core, which is carried out before the question is answered.
 */
export type Interrupted = () => boolean;

const never: Interrupted = () => false;

/** What may be called while a search or a read of terms waits. */
const NESTED: ReadonlySet<string> = new Set([
  'nestBegin',
  'search',
  'terms',
  'memoryUsed',
  'fielddataUsed',
  'fielddataLimit',
]);

/** One instance of the core, hosting one or many shards. */
export class Core {
  readonly #abi: Abi;
  #bytes: Uint8Array;
  #trap: CoreTrap | undefined;
  #interrupted: Interrupted = never;
  /** Whether a search or a read of terms waits for the answer to its question. */
  #questioned = false;
  readonly #memory: SearchMemory;
  /** Units of memory that the call has been granted which is carried out; undefined where it may take what it needs. */
  #granted: number | undefined;

  /** @param memory where it is counted what searches take */
  constructor(module: WebAssembly.Module, memory: SearchMemory = new SearchMemory(searchMemoryOf(1, false))) {
    this.#memory = memory;
    const host = {
      interrupted: () => this.#question(),
      admits: (bytes: number) => this.#admits(bytes >>> 0),
    };
    const { instance } = instantiateSync(module, { host });
    this.#abi = instance.exports as unknown as Abi;
    const version = this.#abi.abiVersion?.();
    if (version !== ABI_VERSION)
      throw new Error(
        `the core has version ${version ?? 0} of its interface, the host needs version ${ABI_VERSION}: build both from the same sources`,
      );
    this.#bytes = new Uint8Array(this.#abi.memory.buffer);
  }

  /** True after a trap: every further call throws the same {@link CoreTrap}. */
  get dead(): boolean {
    return this.#trap !== undefined;
  }

  /** Bytes of linear memory. */
  get memoryBytes(): number {
    return this.#abi.memory.buffer.byteLength;
  }

  /** Bytes of linear memory in live blocks of the core's heap. */
  memoryUsed(): number {
    return this.#call('memoryUsed', (abi) => abi.memoryUsed());
  }

  createShard(): ShardHandle {
    return this.#call('shardCreate', (abi) => abi.shardCreate());
  }

  dropShard(shard: ShardHandle): void {
    this.#call('shardDrop', (abi) => abi.shardDrop(shard));
  }

  defineField(shard: ShardHandle, f: CoreField): void {
    const given = f.analyzer;
    const analyzer = typeof given === 'number' ? given : this.defineAnalyzer(given);
    try {
      this.#call('fieldDefine', (abi) =>
        abi.fieldDefine(shard, f.field, f.flags, analyzer, f.boost, f.positionGap),
      );
    } finally {
      if (typeof given !== 'number' && !this.dead) this.dropAnalyzer(analyzer);
    }
    if (f.filter !== undefined) this.#filterField(shard, f.field, f.filter);
  }

  #filterField(shard: ShardHandle, field: number, filter: Uint8Array): void {
    this.#withInput('fieldFilter', filter, (abi, ptr) => abi.fieldFilter(shard, field, ptr, filter.length));
  }

  /** Applies a batch of operations, all or nothing (see {@link file://./batch.ts}). */
  apply(shard: ShardHandle, batch: Uint8Array): void {
    this.#withInput('apply', batch, (abi, ptr) => abi.apply(shard, ptr, batch.length));
  }

  /** Starts turning the open buffer into a segment; true if there is work to do. */
  refresh(shard: ShardHandle): boolean {
    return this.#call('refresh', (abi) => abi.refresh(shard)) !== 0;
  }

  /** One bounded slice of pending work; see {@link Work}. */
  work(shard: ShardHandle, budget: number): number {
    return this.#call('work', (abi) => abi.work(shard, budget));
  }

  /** Executes a plan; the bytes are a copy, read them with `decodeResult`. */
  search(shard: ShardHandle, plan: Uint8Array, interrupted: Interrupted = never): Uint8Array {
    return this.#ask('search', plan, (abi, ptr) => abi.search(shard, ptr, plan.length), interrupted);
  }

  /** Sets how many units of work lie between two questions whether to go on; 16,384 at first. */
  questionEvery(units: number): void {
    this.#call('questionEvery', (abi) => {
      abi.questionEvery(units);
      return 0;
    });
  }

  /** Reads dictionaries; the bytes are a copy, `host/shard/termReader.ts` reads them. */
  terms(shard: ShardHandle, request: Uint8Array, interrupted: Interrupted = never): Uint8Array {
    return this.#ask('terms', request, (abi, ptr) => abi.terms(shard, ptr, request.length), interrupted);
  }

  /** A call that changes nothing, and may be stopped; a copy of its result. */
  #ask(
    name: string,
    request: Uint8Array,
    call: (abi: Abi, ptr: number) => number,
    interrupted: Interrupted,
  ): Uint8Array {
    const outer = this.#granted;
    this.#granted = 0;
    try {
      if (this.#questioned) return this.#askNested(name, request, call, interrupted);
      this.#interrupted = interrupted;
      return this.#withInput(name, request, call, () => this.#result());
    } finally {
      if (outer === undefined) this.#interrupted = never;
      if (this.#granted > 0) this.#memory.give(this.#granted);
      this.#granted = outer;
    }
  }

  /** Whether the call that is carried out may take so many bytes more. */
  #admits(bytes: number): number {
    if (this.#granted === undefined) return 1;
    const units = this.#memory.take(bytes);
    if (units === undefined) return 0;
    this.#granted += units;
    return 1;
  }

  /** The same while another one waits for the answer to its question. */
  #askNested(
    name: string,
    request: Uint8Array,
    call: (abi: Abi, ptr: number) => number,
    interrupted: Interrupted,
  ): Uint8Array {
    if (this.#call('nestBegin', (abi) => abi.nestBegin()) === 0) throw new NotNested();
    const waiting = this.#interrupted;
    this.#interrupted = interrupted;
    try {
      this.#callWith(name, request, call);
      return this.#result();
    } finally {
      this.#interrupted = waiting;
      if (!this.dead) this.#abi.nestEnd();
    }
  }

  /** The core asks whether to end what it is carrying out. */
  #question(): number {
    const nested = this.#questioned;
    this.#questioned = true;
    let ends: boolean;
    try {
      ends = this.#interrupted();
    } finally {
      this.#questioned = nested;
    }
    // A call that was made meanwhile has trapped: nothing in this memory can be trusted.
    if (this.#trap !== undefined) throw this.#trap;
    return ends ? 1 : 0;
  }

  segmentCount(shard: ShardHandle): number {
    return this.#call('segmentCount', (abi) => abi.segmentCount(shard));
  }

  segmentInfo(shard: ShardHandle, i: number): SegmentInfo {
    this.#call('segmentInfo', (abi) => abi.segmentInfo(shard, i));
    return decodeSegmentInfo(this.#result());
  }

  /** The shard's segments, in document order. */
  segments(shard: ShardHandle): SegmentInfo[] {
    return Array.from({ length: this.segmentCount(shard) }, (_, i) => this.segmentInfo(shard, i));
  }

  /** A copy of a part of a segment's image, all of it by default. */
  segmentImage(shard: ShardHandle, i: number, from = 0, length = Number.MAX_SAFE_INTEGER): Uint8Array {
    this.#call('segmentImage', (abi) => abi.segmentImage(shard, i));
    const start = this.#abi.resultPtr() >>> 0;
    const all = this.#abi.resultLength() >>> 0;
    const to = Math.min(all, from + length);
    return this.#view().slice(start + Math.min(from, all), start + to);
  }

  /** Adds a segment from its image; a damaged one is a {@link CoreError} and changes nothing. */
  loadSegment(shard: ShardHandle, image: Uint8Array): void {
    const ptr = this.#heap('segmentLoad', image);
    try {
      this.#call('segmentLoad', (abi) => abi.segmentLoad(shard, ptr, image.length));
    } catch (e) {
      if (!this.dead) this.#abi.heapFree(ptr);
      throw e;
    }
  }

  /** Adds a segment of a shard of another instance, behind those that are there, with its id and its live documents. */
  adoptSegment(shard: ShardHandle, from: Core, other: ShardHandle, i: number): void {
    const { id } = from.segmentInfo(other, i);
    const live = from.segmentLive(other, i);
    from.#call('segmentImage', (abi) => abi.segmentImage(other, i));
    const image = from.#resultView();
    const ptr = this.#heap('segmentLoad', image);
    const at = this.segmentCount(shard);
    // What fails leaves an instance that nobody uses.
    this.#call('segmentLoad', (abi) => abi.segmentLoad(shard, ptr, image.length));
    this.#call('segmentRename', (abi) => abi.segmentRename(shard, at, id));
    if (live.length > 0) this.setSegmentLive(shard, at, live);
  }

  /** Takes a segment out, unless it is being merged. */
  dropSegment(shard: ShardHandle, i: number): void {
    this.#call('segmentDrop', (abi) => abi.segmentDrop(shard, i));
  }

  /** How often what searches see of a shard has changed. */
  changes(shard: ShardHandle): number {
    return this.#call('shardChanges', (abi) => abi.shardChanges(shard));
  }

  /** The bitset of live documents of a segment, empty when all live. */
  segmentLive(shard: ShardHandle, i: number): Uint8Array {
    this.#call('segmentLive', (abi) => abi.segmentLive(shard, i));
    return this.#result();
  }

  setSegmentLive(shard: ShardHandle, i: number, live: Uint8Array): void {
    this.#withInput('segmentSetLive', live, (abi, ptr) => abi.segmentSetLive(shard, i, ptr, live.length));
  }

  /** The keys of a segment's documents. */
  segmentKeys(shard: ShardHandle, i: number): Float64Array {
    try {
      this.#call('segmentKeys', (abi) => abi.segmentKeys(shard, i));
      return Float64Array.from(new BigUint64Array(this.#result().buffer), Number);
    } finally {
      if (!this.dead) this.#abi.requestReset();
    }
  }

  segmentHasUids(shard: ShardHandle, i: number): boolean {
    return this.#call('segmentHasUids', (abi) => abi.segmentHasUids(shard, i)) === 1;
  }

  /** Gives a segment the uids of its documents: where each begins, then their bytes (assembly/segment/uids.ts). */
  setSegmentUids(shard: ShardHandle, i: number, uids: Uint8Array): void {
    this.#withInput('segmentSetUids', uids, (abi, ptr) => abi.segmentSetUids(shard, i, ptr, uids.length));
  }

  /** Schedules merging down to that many segments; {@link work} does it. */
  forceMerge(shard: ShardHandle, maxSegments: number): void {
    this.#call('forceMerge', (abi) => abi.forceMerge(shard, maxSegments));
  }

  /** The shard's counters. */
  stats(shard: ShardHandle): CoreStats {
    this.#call('shardInfo', (abi) => abi.shardInfo(shard));
    return decodeShardInfo(this.#result());
  }

  /** What searches have needed of fields' values, segment by segment. */
  fielddata(shard: ShardHandle): FieldBytes[] {
    try {
      this.#call('shardFielddata', (abi) => abi.shardFielddata(shard));
      return decodeFielddata(this.#result());
    } finally {
      if (!this.dead) this.#abi.requestReset();
    }
  }

  /** Bytes of a field's terms and postings. */
  fieldBytes(shard: ShardHandle, field: number): number {
    this.#call('shardFieldBytes', (abi) => abi.shardFieldBytes(shard, field));
    const result = this.#result();
    return new DataView(result.buffer).getFloat64(0, true);
  }

  /** Drops what is made again when it is needed; see {@link Cache}. */
  clear(shard: ShardHandle, what: number): void {
    this.#call('shardClear', (abi) => abi.shardClear(shard, what));
  }

  /** Bytes of fields' values that searches have needed, of all shards. */
  fielddataUsed(): number {
    return this.#call('fielddataUsed', (abi) => abi.fielddataUsed(), true);
  }

  /** Bounds them; searches that need more are refused. */
  limitFielddata(bytes: number): void {
    this.#call('fielddataLimit', (abi) => {
      abi.fielddataLimit(bytes);
      return 0;
    });
  }

  /** Compiles a chain (`assembly/analysis/README.md`, *Chains*) and holds it; the same bytes give the same handle. */
  defineAnalyzer(chain: Uint8Array): number {
    for (;;) {
      try {
        return this.#defineAnalyzer(chain);
      } catch (e) {
        if (e instanceof CoreError && e.code === Status.dictionary) this.#defineKstem();
        else if (e instanceof CoreError && e.code === Status.automaton) this.#defineUaxUrlEmail();
        else throw e;
      }
    }
  }

  #defineKstem(): void {
    const words = new TextEncoder().encode(kstemDictionary.loaded.KSTEM_WORDS);
    this.#withInput('kstemDefine', words, (abi, ptr) => abi.kstemDefine(ptr, words.length));
  }

  #defineUaxUrlEmail(): void {
    const binary = atob(uaxUrlEmailData.loaded.UAX_URL_EMAIL);
    const data = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    this.#withInput('uaxUrlEmailDefine', data, (abi, ptr) => abi.uaxUrlEmailDefine(ptr, data.length));
  }

  #defineAnalyzer(chain: Uint8Array): number {
    let handle = 0;
    this.#withInput('analyzerDefine', chain, (abi, ptr) => {
      handle = abi.analyzerDefine(ptr, chain.length);
      return handle;
    });
    return handle;
  }

  /** Lets go of an analyzer; fields that use it hold it as long as their shard lives. */
  dropAnalyzer(analyzer: number): void {
    this.#call('analyzerDrop', (abi) => abi.analyzerDrop(analyzer));
  }

  /** The tokens that an analyzer makes of a text, given as a string, in UTF-8, or as what its chain takes. */
  analyze(analyzer: number, text: string | Uint8Array): TokenList {
    const tokens = this.analyzeInTurns(analyzer, text);
    return 'tokens' in tokens ? tokens : atOnce(tokens);
  }

  /**
   * The same; many tokens are read in turns.
   * @param weigh told of the bytes of the heap that many tokens take; throws when that is too much
   */
  analyzeInTurns(
    analyzer: number,
    text: string | Uint8Array,
    weigh?: (bytes: number) => void,
  ): TokenList | Turns<TokenList> {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return this.#withInput(
      'analyze',
      bytes,
      (abi, ptr) => abi.analyze(analyzer, ptr, bytes.length),
      () => {
        const tokens = this.#resultView();
        if (tokens.length <= TOKENS_AT_ONCE) return decodeTokens(tokens);
        weigh?.(tokensSize(tokens));
        return decodeTokensInTurns(tokens.slice());
      },
    );
  }

  /** The memory as it is now; growing it detaches every older view. */
  #view(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#abi.memory.buffer);
    return this.#bytes;
  }

  /** What the last call left behind, as long as no other call is made. */
  #resultView(): Uint8Array {
    const start = this.#abi.resultPtr() >>> 0;
    return this.#view().subarray(start, start + (this.#abi.resultLength() >>> 0));
  }

  /** A copy of it. */
  #result(): Uint8Array {
    const start = this.#abi.resultPtr() >>> 0;
    return this.#view().slice(start, start + (this.#abi.resultLength() >>> 0));
  }

  /** Calls with `input` in the request arena, which is reset afterwards; `read` runs before that. */
  #withInput(name: string, input: Uint8Array, body: (abi: Abi, ptr: number) => number): void;
  #withInput<T>(name: string, input: Uint8Array, body: (abi: Abi, ptr: number) => number, read: () => T): T;
  #withInput<T>(
    name: string,
    input: Uint8Array,
    body: (abi: Abi, ptr: number) => number,
    read?: () => T,
  ): T | undefined {
    try {
      this.#callWith(name, input, body);
      return read?.();
    } finally {
      if (!this.dead) this.#abi.requestReset();
    }
  }

  /** Calls with `input` in the request arena. */
  #callWith(name: string, input: Uint8Array, body: (abi: Abi, ptr: number) => number): void {
    const ptr = this.#call(name, (abi) => abi.requestAlloc(input.length), true) >>> 0;
    if (ptr === 0 && input.length > 0) throw new CoreError(-2, name);
    this.#view().set(input, ptr);
    this.#call(name, (abi) => body(abi, ptr));
  }

  #heap(name: string, input: Uint8Array): number {
    const ptr = this.#call(name, (abi) => abi.heapAlloc(input.length), true) >>> 0;
    if (ptr === 0) throw new CoreError(-2, name);
    this.#view().set(input, ptr);
    return ptr;
  }

  /** One call into the core: a negative status throws {@link CoreError}, a trap {@link CoreTrap}. */
  #call(name: string, body: (abi: Abi) => number, pointer = false): number {
    if (this.#trap !== undefined) throw this.#trap;
    if (this.#questioned && !NESTED.has(name)) throw new Error(`${name} was called while the core was asked`);
    let status: number;
    try {
      status = body(this.#abi);
    } catch (e) {
      const trap = this.#trap as CoreTrap | undefined;
      if (trap !== undefined) throw new CoreLost(`another call has trapped: ${trap.message}`);
      this.#trap = new CoreTrap(name, e);
      throw this.#trap;
    }
    if (!pointer && status < 0)
      throw new CoreError(status, name, hasDetail(status) ? this.#result() : undefined);
    return status;
  }
}

/** Compiles the core if need be and makes an instance of it. */
export async function loadCore(wasm: BufferSource | WebAssembly.Module): Promise<Core> {
  return new Core(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm));
}
