/**
 * The other nodes with data that this one knew last, kept in its store: when all nodes of a cluster start, places are kept for those that are later
 * than others.
 */
import { isObject } from '../json/values.js';
import { decodeJson, encodeJson, encodeText } from '../storage/records.js';
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

  /** Those that were written last. */
  read(): ClusterNode[] {
    const row = this.#storage.get(KEY);
    const nodes: unknown = row === undefined ? [] : decodeJson(row);
    if (!Array.isArray(nodes)) return [];
    this.#written = JSON.stringify(nodes);
    return nodes.flatMap((each: unknown) =>
      isObject(each) && typeof each.id === 'string'
        ? [nodeOf({ node: each.id, incarnation: '', details: each })]
        : [],
    );
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
