/** The router, which knows all endpoints: in browsers the frequent ones at first, the others when one of them is asked for. */
import { onAbort } from '../cluster/onAbort.js';
import type { Engine } from '../engine/engine.js';
import { LatePart } from '../latePart.js';
import { Principal } from '../security/principal.js';
import { WorkLimit } from '../workLimit.js';
import { isAnswered, LONG_QUESTION_BYTES, QUESTIONS } from './cluster/nodeQuestions.js';
import type { NodeNames } from './cluster/node.js';
import { bulkEndpoints } from './documents/bulk.js';
import { documentEndpoints } from './documents/documents.js';
import { mgetEndpoints } from './documents/mget.js';
import { updateEndpoints } from './documents/update.js';
import { indexEndpoints } from './indices/indices.js';
import { maintenanceEndpoints } from './indices/maintenance.js';
import { mappingEndpoints } from './indices/mappings.js';
import { Router } from './router.js';
import { countEndpoints } from './search/count.js';
import { scrollEndpoints } from './search/scroll.js';
import { searchEndpoints } from './search/search.js';

/** How long an answer to another node may take, in milliseconds. */
const ASKED_MS = 30_000;
/** What the breakers call answers to other nodes. */
const LABEL = '<answers_to_nodes>';

/** What programs that index and search ask for. */
const FREQUENT = [
  documentEndpoints,
  updateEndpoints,
  mgetEndpoints,
  bulkEndpoints,
  countEndpoints,
  searchEndpoints,
  scrollEndpoints,
  indexEndpoints,
  mappingEndpoints,
  maintenanceEndpoints,
].flatMap(({ endpoints }) => endpoints);

/** All of them. The router finds out by itself when it needs them. */
const routes = new LatePart('the interface', [], () => import('./routes.js'));

/** The router over an engine. @param node what answers tell of the node */
export function createRouter(engine: Engine, node: NodeNames): Router {
  if (engine.replication !== undefined && node.isAsked !== true) answerOthers(engine, node);
  return new Router(engine, node, FREQUENT, routes);
}

/** Answers other nodes that ask for what only this one knows. They have checked who asks them. */
function answerOthers(engine: Engine, node: NodeNames): void {
  const { meter: _, ...names } = node;
  // Made when the first of them asks.
  let router: Router | undefined;
  for (const kind of QUESTIONS)
    engine.replication?.register(
      kind,
      async (question) => (await import('./routes.js')).answerQuestion(kind, engine, node, question),
      LONG_QUESTION_BYTES,
    );
  engine.replication?.answers(async ({ method, uri, body, principal }, signal) => {
    if (!isAnswered(method, uri)) throw new Error('nodes do not ask each other for that');
    router ??= new Router(engine, { ...names, isAsked: true }, FREQUENT, routes);
    const work = WorkLimit.of(ASKED_MS);
    const unlisten = onAbort(signal, () => work.cancel());
    const held = engine.breakers.hold('request', 0, LABEL);
    const weigh = (bytes: number) => engine.breakers.grow('request', held, bytes, LABEL);
    try {
      const answer = await router.handle(method, uri, body, asking(principal), work, undefined, weigh);
      const { status, contentType, body: bytes } = answer;
      // Answers share their buffers.
      return { status, contentType, body: bytes.slice() };
    } finally {
      unlisten();
      held.release();
    }
  });
}

/** Who has sent a request that another node passes on. */
function asking(identity: string | undefined): Principal {
  return identity === undefined ? Principal.unrestricted : Principal.of(identity);
}
