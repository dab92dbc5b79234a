/** Where copies of shards are, as commands change it one after the other: nothing is changed before all of them are carried out. */
import type { ChosenByShard, ChosenNodes } from '../../metadata/chosenNodes.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { type ChangedShard, type CopiesView, type ShardCopy, shardCopies } from '../shardCopies.js';

/** A copy that a node is to make anew. */
export interface CancelledCopy {
  node: string;
  index: OpenIndex;
  shard: number;
}

export class Allocation {
  readonly #replication: CopiesView;
  readonly #indices: () => readonly OpenIndex[];
  readonly #changed = new Map<OpenIndex, Map<number, ChangedShard>>();
  #moving: Map<string, number> | undefined;

  /** @param indices those whose copies are counted where nodes make only so many at once */
  constructor(replication: CopiesView, indices: () => readonly OpenIndex[]) {
    this.#replication = replication;
    this.#indices = indices;
  }

  /** The copies of a shard, the primary first. */
  copies(index: OpenIndex, shard: number): ShardCopy[] {
    return shardCopies(this.#replication, index, shard, this.#changed.get(index)?.get(shard));
  }

  /** The choice for a shard as the commands so far have made it. */
  choice(index: OpenIndex, shard: number): ChosenNodes | undefined {
    const changed = this.#changed.get(index)?.get(shard);
    return changed === undefined ? index.metadata.chosen?.[shard] : changed.choice;
  }

  choose(index: OpenIndex, shard: number, choice: ChosenNodes | undefined): void {
    this.#change(index, shard, (changed) => {
      changed.choice = choice;
    });
  }

  /** A node makes its copy anew. */
  cancel(index: OpenIndex, shard: number, node: string): void {
    this.#change(index, shard, (changed) => {
      changed.cancelled = new Set([...changed.cancelled, node]);
    });
  }

  #change(index: OpenIndex, shard: number, change: (changed: ChangedShard) => void): void {
    const shards = this.#changed.get(index) ?? new Map<number, ChangedShard>();
    this.#changed.set(index, shards);
    const before = this.copies(index, shard);
    const changed = shards.get(shard) ?? {
      choice: index.metadata.chosen?.[shard],
      cancelled: new Set<string>(),
    };
    change(changed);
    shards.set(shard, changed);
    if (this.#moving === undefined) return;
    this.#count(this.#moving, before, -1);
    this.#count(this.#moving, this.copies(index, shard), 1);
  }

  /** How many copies a node makes, or hands over to where they go. */
  moving(node: string): number {
    if (this.#moving === undefined) {
      this.#moving = new Map();
      for (const index of this.#indices())
        if (!index.closed) this.#count(this.#moving, this.copiesOf(index), 1);
    }
    return this.#moving.get(node) ?? 0;
  }

  #count(counts: Map<string, number>, copies: readonly ShardCopy[], by: 1 | -1): void {
    const count = (node: string | undefined) => {
      if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + by);
    };
    for (const { state, node, relocatingNode } of copies) {
      if (state === 'INITIALIZING' || state === 'RELOCATING') count(node);
      count(relocatingNode);
    }
  }

  /** The copies of all shards of an index. */
  copiesOf(index: OpenIndex): ShardCopy[] {
    return index.shards.flatMap(({ number }) => this.copies(index, number));
  }

  /** What indices are to keep from now on, where that is something else. */
  get chosen(): Map<OpenIndex, ChosenByShard> {
    const all = new Map<OpenIndex, ChosenByShard>();
    for (const [index, shards] of this.#changed) {
      const before = index.metadata.chosen ?? {};
      const after: Record<string, ChosenNodes> = { ...before };
      for (const [shard, { choice }] of shards)
        if (choice === undefined) delete after[shard];
        else after[shard] = choice;
      if (JSON.stringify(after) !== JSON.stringify(before)) all.set(index, after);
    }
    return all;
  }

  get cancelled(): CancelledCopy[] {
    return [...this.#changed].flatMap(([index, shards]) =>
      [...shards].flatMap(([shard, { cancelled }]) =>
        Array.from(cancelled, (node) => ({ node, index, shard })),
      ),
    );
  }
}
