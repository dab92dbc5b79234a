/**
 * {@link Blobs} as objects of a bucket below a prefix. Each has a checksum of its bytes beside it, which tells whether it is what is to be
 * kept without reading it. What is long is put in parts, a few at once, which are views of its bytes.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parallel } from '../../snapshot/parallel.js';
import { slicedSha256 } from '../../storage/slicedSha256.js';
import type { Blobs } from '../../storage/storage.js';
import type { S3Client, S3Patience } from './s3Client.js';
import { nameOf, s3Error, statusOf } from './s3Errors.js';
import type { S3Settings } from './s3Settings.js';
import { slicedDigest } from './slicedDigest.js';

/** The name of the checksum in an object's metadata. */
const DIGEST = 'resilin-sha256';
/** Parts of a blob that are sent at once. */
const PARTS_AT_ONCE = 4;
/** A multipart upload has at most so many. */
const MOST_PARTS = 10_000;
/** No blob is longer: a segment is in a memory of 4 GB. */
const MOST_BYTES = 2 ** 32;
/** A transfer that is slower is given up, after the time in which nothing needs to come. */
const LEAST_BYTES_PER_MS = 16;
/** Pages of a listing; a server that goes on and on has none of ours. */
const MOST_PAGES = 100_000;

/** Objects of a bucket below a prefix. */
export class S3Blobs implements Blobs {
  readonly #s3: S3Client;
  readonly #settings: S3Settings;
  readonly #patience: S3Patience;

  constructor(s3: S3Client, settings: S3Settings, patience: S3Patience) {
    this.#s3 = s3;
    this.#settings = settings;
    this.#patience = patience;
  }

  async put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const object = {
      ...this.#object(name),
      Metadata: { [DIGEST]: await slicedDigest(bytes) },
      ...this.#encryption(),
    };
    try {
      if (bytes.length > this.#settings.partBytes) await this.#putParts(object, bytes, signal);
      else {
        const { PutObjectCommand } = this.#s3.sdk;
        await this.#s3.client.send(
          new PutObjectCommand({ ...object, Body: bytes }),
          this.#during(bytes.length, signal),
        );
      }
    } catch (e) {
      throw s3Error(e, `write [${name}]`, this.#settings);
    }
  }

  readonly handsOver = true;

  async get(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await this.#read(name, signal);
    } catch (e) {
      if (nameOf(e) === 'NoSuchKey') return undefined;
      throw s3Error(e, `read [${name}]`, this.#settings);
    }
  }

  readonly sha256 = slicedSha256;

  async holds(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean> {
    const { HeadObjectCommand } = this.#s3.sdk;
    try {
      const head = await this.#s3.client.send(
        new HeadObjectCommand(this.#object(name)),
        this.#during(0, signal),
      );
      return head.ContentLength === bytes.length && head.Metadata?.[DIGEST] === (await slicedDigest(bytes));
    } catch (e) {
      // Without a body, an answer doesn't tell the object from the bucket; writing will.
      if (statusOf(e) === 404) return false;
      throw s3Error(e, `look for [${name}]`, this.#settings);
    }
  }

  async delete(name: string, signal?: AbortSignal): Promise<void> {
    const { DeleteObjectCommand } = this.#s3.sdk;
    try {
      await this.#s3.client.send(new DeleteObjectCommand(this.#object(name)), this.#during(0, signal));
    } catch (e) {
      if (nameOf(e) !== 'NoSuchKey') throw s3Error(e, `delete [${name}]`, this.#settings);
    }
  }

  async list(prefix = '', signal?: AbortSignal): Promise<string[]> {
    const { ListObjectsV2Command } = this.#s3.sdk;
    const { bucket: Bucket, prefix: base } = this.#settings;
    const names: string[] = [];
    const asked = { Bucket, Prefix: base + prefix, Delimiter: '/' };
    try {
      let token: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const next = token === undefined ? {} : { ContinuationToken: token };
        const answer = await this.#s3.client.send(
          new ListObjectsV2Command({ ...asked, ...next }),
          this.#during(0, signal),
        );
        for (const { Key } of answer.Contents ?? [])
          if (Key?.startsWith(base)) names.push(Key.slice(base.length));
        if (!answer.IsTruncated) return names;
        if (answer.NextContinuationToken === token) break;
        token = answer.NextContinuationToken;
      }
    } catch (e) {
      throw s3Error(e, `list the bucket [${Bucket}]`, this.#settings);
    }
    throw new Error(`can't list the bucket [${Bucket}]: its list has no end`);
  }

  #object(name: string): { Bucket: string; Key: string } {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`not a blob name: ${name}`);
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + name };
  }

  #encryption(): { ServerSideEncryption?: 'AES256' } {
    return this.#settings.encrypted ? { ServerSideEncryption: 'AES256' } : {};
  }

  /** The bounds of a call that sends so many bytes. */
  #during(
    bytes: number,
    signal: AbortSignal | undefined,
  ): { requestTimeout: number; abortSignal?: AbortSignal } {
    const requestTimeout = this.#patience.idleMs + bytes / LEAST_BYTES_PER_MS;
    return { requestTimeout, ...(signal === undefined ? {} : { abortSignal: signal }) };
  }

  async #putParts(
    object: { Bucket: string; Key: string; Metadata: Record<string, string> },
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { sdk, client } = this.#s3;
    const { Bucket, Key } = object;
    const { UploadId } = await client.send(
      new sdk.CreateMultipartUploadCommand(object),
      this.#during(0, signal),
    );
    if (UploadId === undefined) throw new Error('the answer to the begin of an upload has no id');
    const upload = { Bucket, Key, UploadId };
    try {
      const length = Math.max(this.#settings.partBytes, Math.ceil(bytes.length / MOST_PARTS));
      const parts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, part) =>
        bytes.subarray(part * length, (part + 1) * length),
      );
      const done = await parallel(parts, PARTS_AT_ONCE, async (Body, part) => {
        const command = new sdk.UploadPartCommand({ ...upload, PartNumber: part + 1, Body });
        const { ETag } = await client.send(command, this.#during(Body.length, signal));
        return { PartNumber: part + 1, ETag };
      });
      const command = new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } });
      await client.send(command, this.#during(bytes.length, signal));
    } catch (e) {
      // The answer to an earlier try was lost.
      if (nameOf(e) === 'NoSuchUpload' && (await this.#isThere(object, bytes.length, signal))) return;
      // Parts of an upload that ends in neither way are paid for. Whoever gave up isn't kept waiting.
      const gone = client
        .send(new sdk.AbortMultipartUploadCommand(upload), this.#during(0, undefined))
        .catch(() => {});
      if (signal?.aborted !== true) await gone;
      throw e;
    }
  }

  async #isThere(
    { Bucket, Key, Metadata }: { Bucket: string; Key: string; Metadata: Record<string, string> },
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { sdk, client } = this.#s3;
    const command = new sdk.HeadObjectCommand({ Bucket, Key });
    const head = await client.send(command, this.#during(0, signal)).catch(() => undefined);
    return head?.ContentLength === length && head.Metadata?.[DIGEST] === Metadata[DIGEST];
  }

  /** Reads an object; where its body is cut off, the rest of the same object is asked for. */
  async #read(name: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { GetObjectCommand } = this.#s3.sdk;
    const { retries } = this.#settings;
    let whole: Uint8Array | undefined;
    let etag: string | undefined;
    let at = 0;
    for (let failures = 0; ; ) {
      const rest =
        at === 0 ? {} : { Range: `bytes=${at}-`, ...(etag === undefined ? {} : { IfMatch: etag }) };
      const command = new GetObjectCommand({ ...this.#object(name), ...rest });
      const answer = await this.#s3.client.send(command, this.#during(0, signal));
      const length = answer.ContentLength;
      if (length === undefined || length > MOST_BYTES)
        throw new Error(`an object of ${length} bytes is none of ours`);
      if (whole === undefined || at === 0) whole = new Uint8Array(length);
      if (at + length !== whole.length) throw new Error('the object has changed while it was read');
      etag = answer.ETag;
      const since = performance.now();
      const from = at;
      try {
        for await (const chunk of answer.Body as AsyncIterable<Uint8Array>) {
          signal?.throwIfAborted();
          whole.set(chunk, at);
          at += chunk.length;
          if (performance.now() - since > this.#patience.idleMs + (at - from) / LEAST_BYTES_PER_MS)
            throw Object.assign(new Error('the body comes too slowly'), { name: 'TimeoutError' });
        }
        if (at === whole.length) return whole;
        throw new Error('the body was cut off');
      } catch (e) {
        if (signal?.aborted === true || ++failures > retries) throw e;
        await wait(this.#patience.backoffMs * 2 ** (failures - 1), undefined, { signal });
      }
    }
  }
}
