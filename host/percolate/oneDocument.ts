/** A shard of a single document, for as long as queries are tried with it. */
import { inTurnsIfLong, type Turns, type WorkLimit } from '../workLimit.js';
import { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import type { ShardClient, ShardTransport } from '../shard/shardClient.js';
import { TermReader } from '../shard/termReader.js';
import type { QueryCompiler, Registered } from './queries.js';
import { termKey } from '../plan/termKeys.js';

const KEY = 1;
/** So many plans are tried in one go, between which others get their turn. */
const AT_ONCE = 1000;
/** So many terms of a field are read; a document with more is tried with every query. */
const MAX_TERMS = 20_000;

/** One document that queries are tried with. */
export class OneDocument {
  readonly #client: ShardClient;
  readonly #fields: readonly number[];

  private constructor(client: ShardClient, fields: readonly number[]) {
    this.#client = client;
    this.#fields = fields;
  }

  /** Makes a shard of what `write` writes into a batch: a document with the nested ones inside, numbered from the key on; returns its own. */
  static async open(
    transport: ShardTransport,
    fields: () => readonly CoreField[],
    write: (batch: BatchWriter, key: number) => Promise<number>,
    limit: WorkLimit,
  ): Promise<OneDocument> {
    const batch = new BatchWriter(4096);
    const last = await write(batch, KEY);
    const bytes = batch.bytes().slice();
    const used = await inTurnsIfLong(usedFields(bytes, limit), limit);
    const client = await transport.open();
    try {
      await client.define(fields().filter(({ field }) => used.has(field)));
      await client.apply(bytes, last);
      await client.refresh();
      return new OneDocument(client, [...used]);
    } catch (e) {
      await client.close();
      throw e;
    }
  }

  /** The keys of its terms; undefined where there are too many. */
  async terms(limit: WorkLimit): Promise<Set<string> | undefined> {
    const reader = new TermReader(this.#client, limit);
    const all = { type: 'prefix', prefix: new Uint8Array() } as const;
    const bounds = { above: 0, least: 0, limit: MAX_TERMS };
    const found = await Promise.all(this.#fields.map((field) => reader.alike(field, all, bounds)));
    if (found.some((terms) => terms.length === MAX_TERMS)) return undefined;
    return new Set(found.flatMap((terms, i) => terms.map(({ term }) => termKey(this.#fields[i]!, term))));
  }

  /** Those of the queries that match it; `run` carries out what compiles. */
  async matching<T extends Pick<Registered, 'bytes' | 'tellsTime'>>(
    queries: readonly T[],
    limit: WorkLimit,
    run: QueryCompiler['run'],
  ): Promise<T[]> {
    const found: T[] = [];
    for (let from = 0; from < queries.length; from += AT_ONCE) {
      const some = queries.slice(from, from + AT_ONCE);
      const plans: Uint8Array[] = [];
      for (const query of some) {
        if (query.tellsTime && limit.due) await limit.yield();
        plans.push(query.tellsTime ? await run(() => query.bytes(), limit, true) : query.bytes());
      }
      const matches = await this.#client.matches(joined(plans), limit);
      limit.check();
      found.push(...some.filter((_, i) => matches[i] === 1));
    }
    return found;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Plans, each behind its length. */
function joined(plans: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(plans.reduce((sum, plan) => sum + 4 + plan.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const plan of plans) {
    view.setUint32(at, plan.length, true);
    bytes.set(plan, at + 4);
    at += 4 + plan.length;
  }
  return bytes;
}

/** The fields of the values in a batch. */
function* usedFields(batch: Uint8Array, limit: WorkLimit): Turns<Set<number>> {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const fields = new Set<number>();
  for (let at = 0; at < batch.length; ) {
    // u8 index, u64 key, u32 bytes of values; a value is u16 field, u32 length, bytes.
    const end = at + 13 + view.getUint32(at + 9, true);
    for (at += 13; at < end; at += 6 + view.getUint32(at + 2, true)) {
      if (limit.isDue()) yield;
      fields.add(view.getUint16(at, true));
    }
  }
  return fields;
}
