/** The shards of a data worker that others hold copies of, and the copies that it holds of theirs. */
import type { CoreField, Interrupted } from '../../core/instance.js';
import type { SegmentInfo } from '../../core/result.js';
import type { SearchMemory } from '../../core/searchMemory.js';
import { type CheckpointSegment, ShardLost } from '../../shard/shardClient.js';
import type { Turn } from '../../turn.js';
import { CachingShardHost } from '../cachingShardHost.js';
import type { CopyTable } from './copyTable.js';

/** What searches see of a shard. */
export interface ShardState {
  /** How often that had changed. */
  generation: number;
  /** In document order; images are in shared memory. */
  segments: CheckpointSegment[];
}

/** Somebody who waits until copies of a shard are wanted. */
interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

export class CopyingShardHost extends CachingShardHost {
  readonly #table: CopyTable;
  /** The places of own shards in the table. */
  readonly #slots = new Map<number, number>();
  /** How often the core had changed them when that was told. */
  readonly #told = new Map<number, number>();
  readonly #waiting = new Map<number, Waiting>();
  /** Of each copy the ids that its segments have at the owner, in document order. */
  readonly #copied = new Map<number, number[]>();

  /** @param resultCache bytes that results and their plans may take */
  constructor(
    module: WebAssembly.Module,
    turn: Turn,
    memory: SearchMemory,
    resultCache: number,
    table: CopyTable,
  ) {
    super(module, turn, memory, resultCache);
    this.#table = table;
  }

  /** @param slot its place in the table; undefined: it has no copies */
  override open(slot?: number): number {
    const shard = super.open();
    if (slot !== undefined) this.#slots.set(shard, slot);
    return shard;
  }

  override search(shard: number, plan: Uint8Array, interrupted?: Interrupted): Uint8Array {
    if (this.#waiting.size > 0) this.#tellIfWanted(shard);
    return super.search(shard, plan, interrupted);
  }

  override define(shard: number, fields: readonly CoreField[]): void {
    super.define(shard, fields);
    const slot = this.#slots.get(shard);
    if (slot !== undefined) this.#table.changed(slot);
  }

  override load(shard: number, image: Uint8Array, liveSet: Uint8Array): SegmentInfo {
    const loaded = super.load(shard, image, liveSet);
    this.worked(shard);
    return loaded;
  }

  /** Before anybody is told of what was done, it is counted. */
  protected override worked(shard: number): void {
    const slot = this.#slots.get(shard);
    if (slot === undefined) return;
    const changes = this.run(shard, ({ core, handle }) => core.changes(handle));
    if (changes !== this.#told.get(shard)) {
      this.#told.set(shard, changes);
      this.#table.changed(slot);
    }
    this.#tellIfWanted(shard);
  }

  /** The new instance counts changes anew. */
  protected override renewed(shard: number): void {
    this.#told.delete(shard);
    this.worked(shard);
  }

  protected override gone(shard: number): void {
    this.#slots.delete(shard);
    this.#told.delete(shard);
    this.#copied.delete(shard);
    const waiting = this.#waiting.get(shard);
    this.#waiting.delete(shard);
    waiting?.reject(new ShardLost('the shard is gone'));
  }

  #tellIfWanted(shard: number): void {
    const waiting = this.#waiting.get(shard);
    if (waiting === undefined || !this.#table.takeWanted(this.#slots.get(shard)!)) return;
    this.#waiting.delete(shard);
    // A search may be going on in the core.
    this.turn(waiting.resolve);
  }

  /**
   * What searches see of a shard; comes when searches have wanted copies that weren't as new.
   * @param known ids of segments whose images the caller has
   */
  async follow(shard: number, known: readonly number[]): Promise<ShardState> {
    const slot = this.#slots.get(shard);
    if (slot === undefined) throw new ShardLost('the shard is gone');
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(shard, { resolve, reject });
      this.#tellIfWanted(shard);
    });
    for (;;) {
      const { segments } = await this.checkpoint(shard, known, sharedBytes);
      const now = this.run(shard, ({ core, handle }) => core.segments(handle));
      const generation = this.#table.generation(slot);
      if (isSame(segments, now)) return { generation, segments };
    }
  }

  /**
   * Makes a shard of this worker what another one is.
   * @param fields that weren't told of yet
   * @returns false where the image of a segment is missing: then its segments are what they were
   */
  copy(shard: number, fields: readonly CoreField[], segments: readonly CheckpointSegment[]): boolean {
    this.define(shard, fields);
    const ids = this.#copied.get(shard) ?? [];
    if (segments.some(({ id, image }) => image === undefined && !ids.includes(id))) return false;
    this.#copied.set(shard, ids);
    this.run(shard, ({ core, handle }) => {
      const wanted = new Set(segments.map(({ id }) => id));
      for (let i = ids.length - 1; i >= 0; i--) {
        if (wanted.has(ids[i]!)) continue;
        core.dropSegment(handle, i);
        ids.splice(i, 1);
      }
      for (const [i, { id, image, live, liveSet }] of segments.entries()) {
        if (ids[i] !== id) {
          core.loadSegment(handle, image!);
          ids.splice(i, 0, id);
        }
        // Documents of a segment only become fewer.
        if (core.segmentInfo(handle, i).live !== live) core.setSegmentLive(handle, i, liveSet);
      }
    });
    return true;
  }
}

function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

function isSame(before: readonly SegmentInfo[], now: readonly SegmentInfo[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ id, live }, i) => id === now[i]!.id && live === now[i]!.live)
  );
}
