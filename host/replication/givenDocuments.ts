/**
 * Documents that a request brings and that are not written: one that is percolated, or whose term vectors are asked for. What they bring joins
 * the mapping all the same, as in 1.7: where the mapping lacks it the work ends, the mapping is changed by the log, and the work begins anew.
 */
import { ElasticsearchError, withoutWriteFailed } from '../errors.js';
import { MappingNeeded } from '../mappingNeeded.js';
import type { EncodedDocument } from '../shard/shardIndex.js';
import { decodeText } from '../storage/records.js';

/** What they need of the node. */
export interface GivenDocumentsContext {
  /** Has the mapping of an index know what a document needs; the first of what it returns is why no mapping makes it possible. */
  admit(index: string, document: EncodedDocument): Promise<(ElasticsearchError | undefined)[]>;
}

/** The mapping may be changed by others so often meanwhile. */
const MOST_ATTEMPTS = 10;

/** The work ends here: the mapping lacks what a document needs. */
class Lacking extends MappingNeeded {
  readonly index: string;
  readonly document: EncodedDocument;

  constructor(index: string, document: EncodedDocument) {
    super();
    this.index = index;
    this.document = document;
  }
}

/** Documents that are given by requests which are under way. */
export class GivenDocuments {
  readonly #context: GivenDocumentsContext;
  /** Why documents are refused, for work that goes on. */
  readonly #refused = new Map<string, ElasticsearchError>();

  constructor(context: GivenDocumentsContext) {
    this.#context = context;
  }

  /** What is to be thrown where the mapping lacks what a document needs: within {@link admitting} the work begins anew, unless the document is refused. */
  lacking(index: string, document: EncodedDocument): Error {
    return this.#refused.get(keyOf(index, document)) ?? new Lacking(index, document);
  }

  /** Carries out work without effects; documents that it encodes may need another mapping. */
  async admitting<T>(work: () => T | Promise<T>): Promise<T> {
    const refused: string[] = [];
    try {
      for (let left = MOST_ATTEMPTS; ; left--) {
        try {
          return await work();
        } catch (e) {
          if (!(e instanceof Lacking)) throw e;
          const { index, document } = e;
          const [reason] = left === 0 ? [changedToo(index)] : await this.#context.admit(index, document);
          if (reason === undefined) continue;
          const key = keyOf(index, document);
          this.#refused.set(key, withoutWriteFailed(reason));
          refused.push(key);
        }
      }
    } finally {
      for (const key of refused) this.#refused.delete(key);
    }
  }
}

function keyOf(index: string, { type, source }: EncodedDocument): string {
  return JSON.stringify([index, type, decodeText(source)]);
}

/** 503. */
function changedToo(index: string): ElasticsearchError {
  const detail = `[${index}] its mapping was changed ${MOST_ATTEMPTS} times while a document was parsed by it`;
  return new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
}
