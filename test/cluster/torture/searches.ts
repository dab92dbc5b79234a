/** Searches of a client that goes on to the next node where one doesn't answer, and what became of them. */
import { TAGS } from '../../torture/load.js';
import { Unanswered } from '../../torture/peer.js';
import type { Random } from '../../torture/random.js';
import type { TestNode } from '../harness/testCluster.js';
import { inTime } from './inTime.js';

/** Milliseconds after which the client asks the next node. */
const PATIENCE_MS = 1000;
/** Failures that are kept with all of their tries. */
const KEPT = 50;

/** What a try at one node came to. */
type Outcome =
  | 'answered'
  /** The node's process is gone or isn't listening yet: for the client to try elsewhere. */
  | 'refused'
  /** The connection ended before the answer. */
  | 'broken'
  /** The process is stopped, so that nothing can come. */
  | 'paused'
  /** A node that runs didn't answer in time. */
  | 'late'
  /** Another status than 200, or shards that failed. */
  | 'wrong';

interface Try {
  readonly node: number;
  readonly outcome: Outcome;
  readonly ms: number;
  readonly detail?: string;
}

/** Counts searches, and tries by their outcomes. */
export class SearchTally {
  asked = 0;
  /** No node could be reached: all were killed, paused or starting. */
  unreachable = 0;
  /** Some node could be reached, and none answered rightly. */
  failed = 0;
  readonly tries = new Map<Outcome, number>();
  readonly failures: string[] = [];

  settle(tries: readonly Try[], sinceFault: number): void {
    this.asked++;
    for (const { outcome } of tries) this.tries.set(outcome, (this.tries.get(outcome) ?? 0) + 1);
    if (tries.at(-1)?.outcome === 'answered') return;
    const reached = tries.some(({ outcome }) => outcome === 'wrong' || outcome === 'late');
    if (!reached) {
      this.unreachable++;
      return;
    }
    this.failed++;
    if (this.failures.length >= KEPT) return;
    const list = tries.map(({ node, outcome, ms, detail }) =>
      `node ${node} ${outcome} after ${ms} ms ${detail ?? ''}`.trim(),
    );
    this.failures.push(`${sinceFault} ms after the fault began: ${list.join('; ')}`);
  }
}

/** Searches once. @param faultAt when the fault began, by `performance.now()` */
export async function search(
  nodes: readonly TestNode[],
  tally: SearchTally,
  random: Random,
  faultAt: () => number,
): Promise<void> {
  const first = random.below(nodes.length);
  const tries: Try[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const one = await tryAt(nodes[(first + i) % nodes.length]!);
    tries.push(one);
    if (one.outcome === 'answered' || one.outcome === 'wrong') break;
  }
  tally.settle(tries, Math.round(performance.now() - faultAt()));
}

async function tryAt(node: TestNode): Promise<Try> {
  const began = performance.now();
  const wasPaused = node.paused;
  const ended = (outcome: Outcome, detail?: string): Try => ({
    ...{ node: node.number, outcome, ms: Math.round(performance.now() - began) },
    ...(detail === undefined ? {} : { detail }),
  });
  if (!node.listening) return ended('refused');
  try {
    const { status, body } = await inTime(node.send('GET', `/data-*/_search?q=tag:${TAGS[0]}`), PATIENCE_MS);
    const shards = (body as { _shards?: { failed: number } })._shards;
    if (status === 200 && shards?.failed === 0) return ended('answered');
    return ended('wrong', `${status} ${JSON.stringify(body).slice(0, 300)}`);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (!node.listening) return ended('refused');
    if (wasPaused || node.paused) return ended('paused');
    if (/^no answer/.test(error.message)) return ended('late');
    return ended(/ECONNREFUSED/.test(error.message) ? 'refused' : 'broken', error.message);
  }
}
