/** Answers requests in a coordinator: those that only read here, all others in the main thread. */
import { LeaderOnly } from '../../leaderOnly.js';
import type { RestResponse } from '../../rest/request.js';
import type { Described, RequestHandler, Router } from '../../rest/router.js';
import { Principal } from '../../security/principal.js';
import type { LeaderLink } from './leaderLink.js';

export class ForwardingRouter implements RequestHandler {
  readonly #own: Router;
  readonly #leader: LeaderLink;

  /** @param own the router over the engine that follows the main thread's */
  constructor(own: Router, leader: LeaderLink) {
    this.#own = own;
    this.#leader = leader;
  }

  async handle(...asked: Parameters<RequestHandler['handle']>): Promise<RestResponse> {
    const [method, uri, body, principal, limit, format] = asked;
    this.#leader.catchUp();
    if (this.#own.onlyReads(method, uri)) {
      try {
        return await this.#own.handle(...asked);
      } catch (e) {
        if (!(e instanceof LeaderOnly)) throw e;
      }
    }
    const identity = principal === Principal.unrestricted ? undefined : principal.identity;
    // The body may be a part of a larger buffer, and it moves to the other thread.
    const request = { method, uri, body: body.slice(), principal: identity, format, asker: limit.asker };
    return this.#leader.forward(request, limit);
  }

  describe(method: string, uri: string, body: Uint8Array): Described {
    return this.#own.describe(method, uri, body);
  }
}
