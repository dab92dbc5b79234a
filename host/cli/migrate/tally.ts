/**
 * Counts of documents and checksums of their contents by type. A checksum is the sum of hashes modulo 2^64, so the order of documents
 * doesn't matter:
 *
 *     the first 8 bytes of SHA-1 over   type \0 id \0 routing or parent \0 version \0 source
 */
import { createHash } from 'node:crypto';
import type { Hit } from '../remote/hits.js';

export interface Sum {
  documents: number;
  checksum: bigint;
}

const NOTHING: Sum = { documents: 0, checksum: 0n };

export class Tally {
  readonly #sums = new Map<string, Sum>();

  get types(): Iterable<string> {
    return this.#sums.keys();
  }

  of(type: string): Sum {
    return this.#sums.get(type) ?? NOTHING;
  }

  add({ metadata, source }: Hit): void {
    const type = plain(metadata.get('_type'));
    const routing = metadata.get('_routing') ?? metadata.get('_parent') ?? '';
    const rest = [metadata.get('_id'), routing, metadata.get('_version'), ''].map(plain);
    const head = [type, ...rest].join('\0');
    const hash = createHash('sha1').update(head).update(source).digest().readBigUInt64LE(0);
    const { documents, checksum } = this.of(type);
    this.#sums.set(type, { documents: documents + 1, checksum: BigInt.asUintN(64, checksum + hash) });
  }

  /** Adds what another one has. */
  take(other: Tally): void {
    for (const [type, { documents, checksum }] of other.#sums) {
      const own = this.of(type);
      this.#sums.set(type, {
        documents: own.documents + documents,
        checksum: BigInt.asUintN(64, own.checksum + checksum),
      });
    }
  }
}

/** Servers escape letters of JSON in different ways. */
function plain(json: string | undefined): string {
  return json?.startsWith('"') ? (JSON.parse(json) as string) : (json ?? '');
}
