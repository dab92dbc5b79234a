/**
 * Requests that are sent again where an answer may come later: those answered with 429, 502, 503 or 504, and those without an answer that may
 * be carried out twice. Pages of a scroll may not: the server may be behind them already.
 */
import { pause, TRIES } from './pauses.js';
import { type Answer, errorOf, NoAnswer, type Requests } from './requests.js';

export interface PatientOptions {
  /** Times that a request is tried again. */
  tries?: number;
  stop: AbortSignal;
  /** Something is tried again after a pause, because of this. */
  retrying(reason: string): void;
}

const PASSING = new Set([429, 502, 503, 504]);

export class Patient implements Requests {
  readonly name: string;
  readonly #requests: Requests;
  readonly #options: PatientOptions;

  constructor(requests: Requests, options: PatientOptions) {
    this.name = requests.name;
    this.#requests = requests;
    this.#options = options;
  }

  async send(method: string, path: string, body?: Uint8Array | string): Promise<Answer> {
    const { tries: most = TRIES, stop, retrying } = this.#options;
    for (let tries = 1; ; tries++) {
      let failure: NoAnswer | undefined;
      let answer: Answer | undefined;
      try {
        answer = await this.#requests.send(method, path, body);
        if (!PASSING.has(answer.status)) return answer;
      } catch (e) {
        if (!(e instanceof NoAnswer) || !mayBeTwice(method, path)) throw e;
        failure = e;
      }
      if (tries <= most && !stop.aborted) {
        retrying(
          failure?.message ?? `${this.name}${path} answers with ${answer!.status}: ${errorOf(answer!)}`,
        );
        await pause(tries, stop);
      }
      if (tries <= most && !stop.aborted) continue;
      if (answer !== undefined) return answer;
      throw failure;
    }
  }

  close(): Promise<void> {
    return this.#requests.close();
  }
}

/** Whether a request whose fate isn't known may be sent again. */
function mayBeTwice(method: string, path: string): boolean {
  return method !== 'PUT' && !path.startsWith('/_search/scroll');
}
