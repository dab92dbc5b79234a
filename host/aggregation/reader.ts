import type { SortValue } from '../core/sortValues.js';
import type { MappingModel } from '../mapping/model.js';
import type { Turns } from '../workLimit.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** A hit of a top_hits aggregation. */
export interface TopHit {
  key: number;
  /** No number where there are no scores. */
  score: number;
  values: SortValue[];
}

/** A document for scripts. */
export interface ScriptedDocument {
  model: MappingModel;
  /** `whole` is its source where the mapping hides a part of it. */
  document: StoredDocument & { whole?: Uint8Array | undefined };
  /** Set for an object of a nested field: the document around it, and where it is among the nested ones. */
  nested?: { holder: StoredDocument; place: number } | undefined;
}

/** The documents of the shard that partials come from. */
export interface ShardDocuments {
  /** A document by its key; undefined if it is gone. */
  document(key: number): StoredDocument | undefined;
  /** `type#id` of a document. */
  uid(key: number): string | undefined;
  /** What scripts read of a document, or of an object of a nested field; undefined if it is gone. */
  scripted(key: number): ScriptedDocument | undefined;
  /** A hit as the search that `view` asks for shows it; undefined if the document is gone. */
  shown(hit: TopHit, view: unknown): Turns<unknown>;
}

/** The partials of a shard as the core writes them (assembly/aggregation/README.md), read one after the other. */
export class PartialReader {
  /** Whose partials they are. */
  readonly shard: ShardDocuments | undefined;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array, shard?: ShardDocuments) {
    this.shard = shard;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  f32(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  f64(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  i64(): bigint {
    this.#at += 8;
    return this.#view.getBigInt64(this.#at - 8, true);
  }

  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** The partials in a shard's result, which end in their length; `behind` bytes stand behind it. */
export function partialsOf(rest: Uint8Array, behind: number, shard?: ShardDocuments): PartialReader {
  const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
  const end = rest.length - behind - 4;
  const length = view.getUint32(end, true);
  return new PartialReader(rest.subarray(end - length, end), shard);
}
