/** Opens repositories of type `s3`, in the buckets that the server's operator allows. */
import type { FlatSettings } from '../../settings/indexSettings.js';
import type { Blobs } from '../../storage/storage.js';
import { ALLOWED_FORMS, type AllowedBucket, parseAllowedBucket } from './allowedBuckets.js';
import { S3Blobs } from './s3Blobs.js';
import { loadSdk, openClient, PATIENCE, type S3Patience } from './s3Client.js';
import { readS3Settings } from './s3Settings.js';

/** Clients of so many different settings are kept. */
const MOST_KEPT = 32;

/** The repositories in S3 of a server. */
export class S3Repositories {
  readonly #allowed: readonly AllowedBucket[];
  readonly #patience: S3Patience;
  /** By their settings, the one that was used last at the end. */
  readonly #open = new Map<string, S3Blobs>();

  /** @param allowed buckets as {@link parseAllowedBucket} reads them; without any, all repositories are refused */
  constructor(allowed: readonly string[], patience = PATIENCE) {
    this.#patience = patience;
    this.#allowed = allowed.map((text) => {
      const bucket = parseAllowedBucket(text);
      if (bucket === undefined)
        throw new Error(`a bucket for repositories must be ${ALLOWED_FORMS}, not ${text}`);
      return bucket;
    });
  }

  /** The blobs of a repository; rejects with what is wrong with its settings, or if the package isn't installed. */
  async open(given: Readonly<FlatSettings>): Promise<Blobs> {
    const settings = readS3Settings(given, this.#allowed, process.env);
    const key = JSON.stringify(settings);
    let blobs = this.#open.get(key);
    this.#open.delete(key);
    blobs ??= new S3Blobs(openClient(await loadSdk(), settings, this.#patience), settings, this.#patience);
    this.#open.set(key, blobs);
    for (const [oldest] of this.#open) {
      if (this.#open.size <= MOST_KEPT) break;
      this.#open.delete(oldest);
    }
    return blobs;
  }
}
