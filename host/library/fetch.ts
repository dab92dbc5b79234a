/** The interface as a `fetch` handler: for Deno, service workers and browsers. */

import { formatOf, readFormat } from '../formats/format.js';
import { partsOfRequest, someAreLate } from '../latePart.js';
import { collected } from '../rest/bodyStream.js';
import type { Router } from '../rest/router.js';
import type { Principal } from '../security/principal.js';
import { type Asking, WorkLimit } from '../workLimit.js';

/** Answers a principal's request of the platform's Fetch API. */
export async function handleFetch(router: Router, request: Request, principal: Principal): Promise<Response> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const uri = url.pathname + url.search;
  const type = request.headers.get('content-type') ?? '';
  if (someAreLate())
    await partsOfRequest([type, formatOf(body, false) ?? ''].map((name) => `=${name.split('/').at(-1)}`));
  const { json, wanted } = readFormat(uri, type, body);
  const answer = await router.handle(
    request.method,
    uri,
    json,
    principal,
    WorkLimit.of(Number.POSITIVE_INFINITY, new Fetching(request.signal)),
    wanted,
  );
  const sent = answer.stream === undefined ? answer.body : await collected(answer.stream);
  const bytes = sent as Uint8Array<ArrayBuffer>;
  return new Response(request.method === 'HEAD' ? null : bytes, {
    status: answer.status,
    headers: { 'content-type': answer.contentType },
  });
}

/** Whoever waits for a response, until the request is aborted. */
class Fetching implements Asking {
  readonly #signal: AbortSignal;
  readonly isHurried = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isGone(): boolean {
    return this.#signal.aborted;
  }
}
