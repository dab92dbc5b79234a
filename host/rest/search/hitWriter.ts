/** Writes the hits of a long answer turn by turn: as bytes they take less memory than as values, and it can be counted. */
import type { Breakers, Held } from '../../limits/breakers.js';
import type { Json, Raw } from '../json.js';
import { elementWriter, type RestRequest } from '../request.js';

/** Depth of the list of hits in the answer of a search. */
const HITS_DEPTH = 2;
/** What the breakers call it. */
const LABEL = '<search_response>';

export class HitWriter {
  readonly #breakers: Breakers;
  readonly #write: (hits: readonly Json[]) => Raw;
  #held: Held | undefined;

  private constructor(breakers: Breakers, write: (hits: readonly Json[]) => Raw) {
    this.#breakers = breakers;
    this.#write = write;
  }

  /** For the answer to a request that is no more than the answer of a search; undefined where it is looked into before it is written. */
  static of(breakers: Breakers, request: Pick<RestRequest, 'query'>): HitWriter | undefined {
    const write = elementWriter(request, HITS_DEPTH);
    return write === undefined ? undefined : new HitWriter(breakers, write);
  }

  /** Hits as they stand in the list of an answer. Throws where they take too much memory. */
  write(hits: readonly Json[]): Raw {
    const raw = this.#write(hits);
    this.#held ??= this.#breakers.hold('request', 0, LABEL);
    const bytes = raw.pieces.reduce((sum, { length }) => sum + length, 0);
    this.#breakers.grow('request', this.#held, bytes, LABEL);
    return raw;
  }

  /** The answer is there. */
  release(): void {
    this.#held?.release();
  }
}
