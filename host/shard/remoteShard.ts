/** A shard that this node has no copy of, as one request sees it. */
import { decodeResult, type SearchResult } from '../core/result.js';
import type { WorkLimit } from '../workLimit.js';
import type { CopyReads } from './copyReads.js';
import type { Counters } from './counters.js';
import { RemoteDocuments } from './remoteDocuments.js';
import type { DocumentsElsewhere, SearchedShard } from './searchedShard.js';

/** More documents than a shard has. */
const ANY = 0xffff_ffff;
/** How often a search by ids is made anew because a refresh came between, before it is made as it is. */
const MOST_MOMENTS = 4;

/** Searches of the copy. It counts them. */
class RemoteSearches {
  readonly #reads: CopyReads;
  readonly #documents: RemoteDocuments;

  constructor(reads: CopyReads, documents: RemoteDocuments) {
    this.#reads = reads;
    this.#documents = documents;
  }

  /** The hits of a plan. The copy takes no more of them than it has documents. */
  async query(
    plan: () => Uint8Array,
    limit: WorkLimit,
    groups: readonly string[] = [],
  ): Promise<SearchResult> {
    let isFilled = true;
    for (let left = MOST_MOMENTS; ; left--) {
      let asked = this.#documents.planned(plan, isFilled);
      // Documents by what their ids begin with are found by keys that the copy knows, as many as there are.
      while (this.#documents.isLacking && this.#documents.failure === undefined) {
        await this.#documents.fetch(limit);
        asked = this.#documents.planned(plan, isFilled);
      }
      const { moment } = this.#documents;
      const { places } = asked;
      const head = {
        groups,
        ...(moment === undefined || left <= 0 ? {} : { moment }),
        ...(places.length === 0 ? {} : { places }),
      };
      const question = { kind: 'search', head, bytes: asked.plan } as const;
      const { head: answer, bytes } = await this.#reads.ask(question, limit);
      if (answer.moved === true) {
        this.#documents.forgetKeys();
        continue;
      }
      if (places.length > 0 && answer.filled !== true) {
        // A node of an older version fills in no keys, and doesn't say that it did: they are asked for first.
        isFilled = false;
        continue;
      }
      const { result: length = bytes.length, documents } = answer;
      const result = checkedResult(bytes, length);
      if (documents !== undefined)
        this.#documents.take(result.keys, documents, bytes.subarray(length as number));
      return result;
    }
  }

  async terms(request: Uint8Array, limit: WorkLimit): Promise<Uint8Array> {
    const { bytes } = await this.#reads.ask({ kind: 'terms', head: {}, bytes: request }, limit);
    return aligned(bytes);
  }
}

/** What is read as numbers begins where memory of its own begins. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 ? bytes : bytes.slice();
}

function checkedResult(all: Uint8Array, length: unknown): SearchResult {
  if (typeof length !== 'number' || !(length >= 16 && length <= all.length))
    throw new Error('a result of another node that is none');
  const bytes = all.subarray(0, length);
  const hits = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  if (bytes.length < 16 + 16 * hits) throw new Error('a result of another node that is none');
  return decodeResult(bytes);
}

/** A copy of another node. */
export class RemoteShard implements SearchedShard {
  readonly number: number;
  readonly uid: number;
  readonly counters: Counters;
  readonly active = true;
  readonly documentBound = ANY;
  readonly documents: SearchedShard['documents'];
  readonly searches: RemoteSearches;
  readonly elsewhere: DocumentsElsewhere;
  readonly #reads: CopyReads;

  constructor(
    { number, uid, counters }: Pick<SearchedShard, 'number' | 'uid' | 'counters'>,
    reads: CopyReads,
  ) {
    this.number = number;
    this.uid = uid;
    this.counters = counters;
    this.#reads = reads;
    const documents = new RemoteDocuments(reads);
    this.documents = documents;
    this.elsewhere = documents;
    this.searches = new RemoteSearches(reads, documents);
  }

  get node(): string | undefined {
    return this.#reads.node;
  }

  hold(): () => void {
    return this.#reads.hold();
  }
}
