/** The copies of one shard, as the main thread keeps them up to date: whenever searches want one that isn't as new as the shard. */
import type { CoreField } from '../../core/instance.js';
import { ShardLost } from '../../shard/shardClient.js';
import { WorkLimit } from '../../workLimit.js';
import type { CallChannel } from '../callChannel.js';
import type { CopiedShard } from './copiedSearches.js';
import type { ShardState } from './copyingShardHost.js';
import type { CopyTable } from './copyTable.js';

/** A copy in a data worker. */
interface Copy {
  readonly worker: number;
  /** The way to its worker, and its number there; undefined: it isn't there. */
  at: { channel: CallChannel; shard: number } | undefined;
  /** How many of the fields it was told of. */
  fields: number;
  /** The segments that it has, by their ids at the owner. */
  known: readonly number[];
  /** Its worker has no memory for it. */
  refused: boolean;
}

/** What keeping copies needs of the pool of data workers. */
export interface CopiesContext {
  table: CopyTable;
  channelOf(worker: number): CallChannel;
  warn(message: string): void;
}

export class ShardCopies {
  readonly #context: CopiesContext;
  readonly #shard: CopiedShard;
  readonly #owner: CallChannel;
  readonly #copies: Copy[];
  /** Every definition of a field, in the order they were made. */
  readonly #fields: CoreField[] = [];
  #ended = false;

  /** @param owner the way to the shard's owner */
  constructor(shard: CopiedShard, owner: CallChannel, context: CopiesContext) {
    this.#shard = shard;
    this.#owner = owner;
    this.#context = context;
    const { table } = context;
    this.#copies = Array.from({ length: table.copies }, (_, copy) => ({
      worker: table.workerOf(shard.owner, copy),
      at: undefined,
      fields: 0,
      known: [],
      refused: false,
    }));
  }

  /** The owner is told of fields. */
  defined(fields: readonly CoreField[]): void {
    // Nothing is analyzed in a copy.
    for (const field of fields) this.#fields.push({ ...field, analyzer: 0 });
  }

  /** Keeps the copies up to date until the shard is gone. */
  async keep(): Promise<void> {
    try {
      while (!this.#ended) {
        const args = [this.#shard.shard, this.#knownToAll()];
        const state = (await this.#owner.call('follow', args, WorkLimit.none)) as ShardState;
        await Promise.all(this.#copies.map((copy, i) => this.#update(copy, i, state)));
      }
    } catch (e) {
      if (!(e instanceof ShardLost)) this.#context.warn(`copies of a shard: ${(e as Error).message}`);
    }
    this.end();
  }

  /** Segments that every copy has. */
  #knownToAll(): number[] {
    const [first, ...others] = this.#copies.filter(({ refused }) => !refused);
    return (first?.known ?? []).filter((id) => others.every(({ known }) => known.includes(id)));
  }

  async #update(copy: Copy, i: number, { generation, segments }: ShardState): Promise<void> {
    const { table, channelOf, warn } = this.#context;
    const { slot } = this.#shard.place;
    if (copy.refused || this.#ended) return;
    try {
      copy.at ??= await this.#open(copy, channelOf(copy.worker));
      const { at } = copy;
      const fields = this.#fields.slice(copy.fields);
      copy.fields = this.#fields.length;
      const whole = await at.channel.call('copy', [at.shard, fields, segments], WorkLimit.none);
      if (this.#ended || copy.at !== at) return;
      copy.known = whole === true ? segments.map(({ id }) => id) : [];
      if (whole === true) table.set(slot, i, at.shard, generation);
      else table.want(slot);
    } catch (e) {
      const lost = e instanceof ShardLost;
      if (!lost) warn(`data worker ${copy.worker} holds no copy of a shard: ${(e as Error).message}`);
      copy.refused = !lost;
      this.#drop(copy, i);
    }
  }

  async #open(copy: Copy, channel: CallChannel): Promise<{ channel: CallChannel; shard: number }> {
    copy.fields = 0;
    copy.known = [];
    return { channel, shard: (await channel.call('open', [], WorkLimit.none)) as number };
  }

  /** A data worker is gone, with its copy. */
  lost(worker: number): void {
    const i = this.#copies.findIndex((copy) => copy.worker === worker);
    if (i >= 0) this.#drop(this.#copies[i]!, i);
  }

  #drop(copy: Copy, i: number): void {
    const { table } = this.#context;
    const { at } = copy;
    copy.at = undefined;
    copy.known = [];
    if (!this.#ended) {
      if (copy.refused) table.refuse(this.#shard.place.slot, i);
      else table.drop(this.#shard.place.slot, i);
    }
    // Whoever is asked may be gone.
    if (at !== undefined) at.channel.call('close', [at.shard], WorkLimit.none).catch(() => {});
  }

  /** The shard is gone, and its copies with it. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#context.table.free(this.#shard.place.slot);
    for (const [i, copy] of this.#copies.entries()) this.#drop(copy, i);
  }
}
