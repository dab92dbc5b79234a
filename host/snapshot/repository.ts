/**
 * A repository: what snapshots share, by its checksum, and what each of them is.
 *
 *     data-HASH          bytes whose SHA-256 is HASH: a segment, the live documents of one, a pack of stored documents
 *     snapshot-NAME      64 hexadecimal digits, the SHA-256 of what follows a line feed: the record of a snapshot, JSON
 *     index              the names of the records, JSON: for those who read where nothing can be listed
 *
 * NAME is the snapshot's with every byte but a-z, 0-9, _ and - as a dot and two hexadecimal digits. A record is written
 * when all that it names is there; data that no record names is swept when a snapshot is deleted.
 */
import { ElasticsearchError } from '../errors.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Blobs } from '../storage/storage.js';
import { parallel } from './parallel.js';
import { FORMAT, type DataRef, refsOf, type SnapshotRecord } from './record.js';
import { RepositoryBlobs } from './repositoryBlobs.js';
import { sha256 } from './sha256.js';
import { randomId } from '../shard/ids.js';

const DATA = 'data-';
const SNAPSHOT = 'snapshot-';
const INDEX = 'index';
const HASH_DIGITS = 64;
/** Calls of one kind that are under way at once. */
const AT_ONCE = 8;
/** A sweep looks for new records so often: another server may make snapshots meanwhile. */
const SWEPT_AT_ONCE = 100;
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** What the blob `index` says. */
export interface RepositoryIndex {
  /** Names of blobs. */
  snapshots: string[];
}

/** The snapshots of one location. */
export class Repository {
  readonly name: string;
  readonly #blobs: RepositoryBlobs;
  /** Names of data that are there; read once. */
  #known: Promise<Set<string>> | undefined;

  /** @param signal ends what is under way */
  constructor(name: string, blobs: Blobs, signal?: AbortSignal) {
    this.name = name;
    this.#blobs = new RepositoryBlobs(name, blobs, signal);
  }

  /** Keeps bytes; those that are there already, and are what they were, are not written again. */
  async put(bytes: Uint8Array): Promise<DataRef & { fresh: boolean }> {
    this.#known ??= this.#blobs.list(DATA).then((names) => new Set(names));
    const known = await this.#known;
    const hash = await this.#blobs.sha256(bytes);
    const name = DATA + hash;
    const fresh = !known.has(name) || !(await this.#holds(name, bytes, hash));
    if (fresh) {
      await this.#blobs.put(name, bytes);
      known.add(name);
    }
    return { hash, bytes: bytes.length, fresh };
  }

  async #holds(name: string, bytes: Uint8Array, hash: string): Promise<boolean> {
    const told = await this.#blobs.holds(name, bytes);
    return told ?? (await this.get({ hash, bytes: bytes.length })) !== undefined;
  }

  /** The bytes of a reference; undefined if they are missing or not what they were. */
  async get({ hash, bytes }: DataRef): Promise<Uint8Array | undefined> {
    const found = await this.#blobs.get(DATA + hash);
    if (found === undefined || found.length !== bytes || (await this.#blobs.sha256(found)) !== hash)
      return undefined;
    return found;
  }

  /** Makes a snapshot be there; refused where data that it names has gone meanwhile, which another server may have swept. */
  async write(record: SnapshotRecord): Promise<void> {
    const there = new Set(await this.#blobs.list(DATA));
    const gone = refsOf(record).find(({ hash }) => !there.has(DATA + hash));
    if (gone !== undefined) {
      const problem = `data-${gone.hash} is gone: something else than this snapshot deletes from the repository`;
      throw this.error(record.snapshot, problem);
    }
    const json = encodeJson(record);
    const out = new Uint8Array(HASH_DIGITS + 1 + json.length);
    out.set(utf8.encode(`${await sha256(json)}\n`));
    out.set(json, HASH_DIGITS + 1);
    await this.#blobs.put(recordName(record.snapshot), out);
    await this.#writeIndex();
  }

  /** A snapshot; 404 if there is none, an error if it is damaged. */
  async read(snapshot: string): Promise<SnapshotRecord> {
    return (await this.readWithDigest(snapshot)).record;
  }

  /** The same, and the SHA-256 of its record. */
  async readWithDigest(snapshot: string): Promise<{ record: SnapshotRecord; digest: string }> {
    const bytes = await this.#blobs.get(recordName(snapshot));
    if (bytes === undefined) throw this.#missing(snapshot);
    const json = bytes.subarray(HASH_DIGITS + 1);
    const digest = await sha256(json);
    if (text.decode(bytes.subarray(0, HASH_DIGITS)) !== digest)
      throw this.error(snapshot, 'its record is damaged');
    const record = decodeJson<SnapshotRecord>(json);
    if (record.format > FORMAT) {
      throw this.error(
        snapshot,
        `it has the format ${record.format}, and only those up to ${FORMAT} are known`,
      );
    }
    return { record, digest };
  }

  /** All snapshots, the oldest first. */
  async list(): Promise<SnapshotRecord[]> {
    const names = await this.#blobs.list(SNAPSHOT);
    const records = await parallel(names, AT_ONCE, (name) => this.read(snapshotOf(name)));
    return records.sort((a, b) => a.started - b.started || (a.snapshot < b.snapshot ? -1 : 1));
  }

  /** Whether there is a snapshot of that name. */
  async has(snapshot: string): Promise<boolean> {
    const name = recordName(snapshot);
    return (await this.#blobs.list(name)).includes(name);
  }

  /** Forgets a snapshot, and the data that only it has; while no snapshot is being made. */
  async delete(snapshot: string): Promise<void> {
    if (!(await this.has(snapshot))) throw this.#missing(snapshot);
    await this.#blobs.delete(recordName(snapshot));
    await this.#writeIndex();
    await this.sweep();
  }

  async #writeIndex(): Promise<void> {
    const snapshots = (await this.#blobs.list(SNAPSHOT)).sort();
    if (snapshots.length === 0) await this.#blobs.delete(INDEX);
    else await this.#blobs.put(INDEX, encodeJson({ snapshots } satisfies RepositoryIndex));
  }

  /** Removes data that no snapshot names. */
  async sweep(): Promise<void> {
    this.#known = undefined;
    let records: string | undefined;
    let used = new Set<string>();
    const names = await this.#blobs.list(DATA);
    for (let at = 0; at < names.length; at += SWEPT_AT_ONCE) {
      const now = (await this.#blobs.list(SNAPSHOT)).sort().join();
      try {
        if (now !== records)
          used = new Set((await this.list()).flatMap(refsOf).map(({ hash }) => DATA + hash));
      } catch {
        // As long as one record can't be read, nobody knows what it names.
        return;
      }
      records = now;
      const unused = names.slice(at, at + SWEPT_AT_ONCE).filter((name) => !used.has(name));
      await parallel(unused, AT_ONCE, (name) => this.#blobs.delete(name));
    }
  }

  /** Whether it can be read. */
  async verifyReading(): Promise<void> {
    await this.#blobs.list(SNAPSHOT);
  }

  /** Writes, reads and removes something. */
  async verify(): Promise<void> {
    // Several servers may do so at once.
    const name = `verification-${randomId()}`;
    const bytes = utf8.encode(name);
    await this.#blobs.put(name, bytes);
    const found = await this.#blobs.get(name);
    await this.#blobs.delete(name);
    if (found === undefined || text.decode(found) !== name) throw new Error('what was written is not there');
  }

  /** Puts a file there by which other nodes find out that it is the same place for them. */
  async plant(seed: string): Promise<void> {
    await this.#blobs.put(seedName(seed), utf8.encode(seed));
  }

  /** Looks for what another node has planted, and writes something itself where that may be. Rejects with what is wrong. */
  async verifySeed(seed: string, readOnly: boolean): Promise<void> {
    const found = await this.#blobs.get(seedName(seed));
    if (found === undefined || text.decode(found) !== seed)
      throw new Error(
        `a file written by the node that was asked can't be read: the location isn't shared by the nodes, or may not be read`,
      );
    if (!readOnly) await this.verify();
  }

  async unplant(seed: string): Promise<void> {
    await this.#blobs.delete(seedName(seed));
  }

  /** Reads all snapshots and all data that they name; returns what is missing or damaged. */
  async damage(): Promise<string[]> {
    const damaged: string[] = [];
    const refs = new Map<string, DataRef>();
    for (const name of await this.#blobs.list(SNAPSHOT)) {
      try {
        for (const ref of refsOf(await this.read(snapshotOf(name)))) refs.set(ref.hash, ref);
      } catch {
        damaged.push(name);
      }
    }
    for (const ref of refs.values()) if ((await this.get(ref)) === undefined) damaged.push(DATA + ref.hash);
    return damaged;
  }

  /** What keeps a snapshot from being used. */
  error(snapshot: string, problem: string): ElasticsearchError {
    return new ElasticsearchError('SnapshotException', `[${this.name}:${snapshot}] ${problem}`);
  }

  #missing(snapshot: string): ElasticsearchError {
    const file = `snapshot-${snapshot} (No such file or directory)`;
    return new ElasticsearchError('SnapshotMissingException', `[${this.name}:${snapshot}] is missing`, {
      nested: new ElasticsearchError('FileNotFoundException', file),
    });
  }
}

function seedName(seed: string): string {
  return `verification-${seed}`;
}

function recordName(snapshot: string): string {
  const hexOf = (c: string) =>
    Array.from(utf8.encode(c), (byte) => `.${byte.toString(16).padStart(2, '0')}`).join('');
  return SNAPSHOT + snapshot.replace(/[^a-z0-9_-]/gu, hexOf);
}

function snapshotOf(name: string): string {
  const escaped = name.slice(SNAPSHOT.length).replaceAll('.', '%');
  return decodeURIComponent(escaped);
}
