/**
 * The other nodes with data that this one knew last, kept in its store: when all nodes of a cluster start, places are kept for those that are later
 * than others.
 */
import { isObject } from '../json/values.js';
import type { IndexMetadata } from '../metadata/openIndex.js';
import { decodeJson, encodeJson, encodeText, INDEX_RANGE } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { type ClusterNode, nodeOf } from './nodes.js';

/** The key of that row. */
const KEY = encodeText('mk');

export class KnownNodes {
  readonly #storage: Storage;
  #written = '[]';

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Those that were written last, and the uuids of the indices that there were then. */
  read(): { nodes: ClusterNode[]; indices: Set<string> } {
    const row = this.#storage.get(KEY);
    const written: unknown = row === undefined ? [] : decodeJson(row);
    if (!Array.isArray(written)) return { nodes: [], indices: new Set() };
    this.#written = JSON.stringify(written);
    const nodes = written.flatMap((each: unknown) =>
      isObject(each) && typeof each.id === 'string'
        ? [nodeOf({ node: each.id, incarnation: '', details: each })]
        : [],
    );
    return { nodes, indices: nodes.length === 0 ? new Set() : this.#indices() };
  }

  #indices(): Set<string> {
    // Damaged ones are told of when indices are opened.
    const rows = [...this.#storage.range(...INDEX_RANGE, { damaged: () => {} })];
    return new Set(rows.map(([, row]) => decodeJson<IndexMetadata>(row).uuid));
  }

  /** Writes them where others were written last. One that fails is written with the next change. */
  write(nodes: readonly ClusterNode[]): void {
    const rows = nodes.map(({ id, name, http, attributes }) => ({ id, name, http, attributes }));
    const text = JSON.stringify(rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
    if (text === this.#written) return;
    const before = this.#written;
    this.#written = text;
    this.#storage.commit([[KEY, encodeJson(rows)]], []).catch(() => {
      this.#written = before;
    });
  }
}
