/** A difference as somebody reads it: requests to type in, and where the answers part. */
import { INDEX, type Layout, REFERENCE, requestsOf } from './layouts.js';
import { bodyOf } from './request.js';
import { comparable } from './rules.js';
import type { Difference } from './run.js';
import type { World } from './world.js';

function curl(method: string, uri: string, body: string | undefined): string {
  const data = body === undefined ? '' : ` --data-binary '${body.replaceAll("'", "'\\''")}'`;
  return `curl -X${method} 'localhost:9200${uri}'${data}`;
}

function recipe(world: World, layout: Layout): string {
  const lines = requestsOf(world, layout).map((sent) =>
    typeof sent === 'string' ? `# ${sent}` : curl(sent.method, sent.uri, sent.body),
  );
  return [`# ${layout.name}`, `curl -XDELETE localhost:9200/${INDEX}`, ...lines].join('\n');
}

/** Where two answers part, and what they say there. */
function parting(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - 120);
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, at + 240)}`;
  return `expected ${cut(expected)}\nactual   ${cut(actual)}`;
}

export function describe({ seed, world, layout, request, expected, actual }: Difference): string {
  return [
    `seed ${seed}: ${layout.name} answers otherwise than ${REFERENCE.name}`,
    recipe(world, REFERENCE),
    recipe(world, layout),
    curl(request.method, request.uri, bodyOf(request)),
    parting(comparable(expected), comparable(actual)),
  ].join('\n');
}
