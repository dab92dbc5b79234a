/** The interface as a `fetch` handler: for Deno, service workers and browsers. */
import type { Router } from '../rest/router.js';

/** Answers a request of the platform's Fetch API. */
export async function handleFetch(router: Router, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const answer = await router.handle(request.method, url.pathname + url.search, body);
  const bytes = answer.body as Uint8Array<ArrayBuffer>;
  return new Response(request.method === 'HEAD' ? null : bytes, {
    status: answer.status,
    headers: { 'content-type': answer.contentType },
  });
}
