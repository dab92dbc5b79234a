/**
 * Whether what was acknowledged is where it has to be by then: on the disks of a majority of the copies that can be reached. Each shard is looked at
 * when it acknowledges what it was asked for: a bulk is answered when all of its shards have, and a copy that could not be reached when one of
 * them did may be back by then, and behind.
 */
import { ElasticsearchError } from '../../../host/errors.js';
import { majority } from '../../../host/replication/nodes.js';
import type { Operation } from '../../../host/shard/operation.js';
import type { Event } from './history.js';
import type { Acknowledged, SimulatedNode } from './simulatedNode.js';

/** A change of a document that was made. */
type Change = Pick<Operation, 'type' | 'id'> & { kind: 'write' | 'delete'; version: number };

export interface AcknowledgementsContext {
  /** The processes that can be looked into; the disks of others may have what was acknowledged. */
  running(): readonly SimulatedNode[];
  /** Whether the document that an event made may have been deleted by now. */
  mayBeDeleted(event: Pick<Event, 'id' | 'version'>): boolean;
}

/** What shards have acknowledged. */
export class Acknowledgements {
  readonly #context: AcknowledgementsContext;
  readonly #taken = new Set<string>();
  readonly problems: string[] = [];

  constructor(context: AcknowledgementsContext) {
    this.#context = context;
  }

  /** To be called in the turn in which the shard does. */
  take(acknowledged: Acknowledged): void {
    const { index, ops, outcomes } = acknowledged;
    for (const [i, { kind, type, id }] of ops.entries()) {
      const outcome = outcomes[i]!;
      // What changes nothing is in no log, and is waited for nowhere.
      if (outcome instanceof ElasticsearchError || outcome.noop === true) continue;
      const version = Number(outcome.version);
      const change: Change = { type, id, kind: kind === 'delete' ? 'delete' : 'write', version };
      this.#taken.add(keyOf({ id: `/${index}/${type}/${id}`, version }));
      const problem = this.#problemOf(acknowledged, change);
      if (problem !== undefined) this.problems.push(problem);
    }
  }

  /** What is wrong with a change that a client was told of; undefined where its shard had acknowledged it. */
  toldTooEarly(event: Event): string | undefined {
    if (this.#taken.has(keyOf(event))) return undefined;
    return `${event.kind} ${event.id} v${event.version} was answered before its shard had acknowledged it`;
  }

  /** What is wrong with the copies of a document when its change is acknowledged; undefined where nothing is. */
  #problemOf(
    { at, index: name, shard: number }: Acknowledged,
    { kind, type, id: document, version }: Change,
  ): string | undefined {
    const running = this.#context.running();
    // The process may have ended meanwhile, and so may its part in the cluster.
    const { engine } = running.find((node) => node.id === at) ?? {};
    const index = engine?.cluster.find(name);
    if (engine === undefined || index === undefined) return undefined;
    const { replication } = engine;
    const all = replication!.searchableCopiesOf(index, number).map((node) => node.id);
    const copies = all.filter((node) => !replication!.nodes.isSilent(node));
    if (copies.length === 0) return undefined;
    const id = `/${name}/${type}/${document}`;
    const mayBeDeleted = this.#context.mayBeDeleted({ id, version });
    const lacks = (node: SimulatedNode) => {
      const other = node.engine.cluster.find(name);
      const shard = other?.uuid === index.uuid ? other.shards[number] : undefined;
      if (shard?.isHeld !== true || !shard.active || shard.opening) return false;
      const found = shard.documents.committed(type, document);
      if (found === undefined) return kind === 'write' && !mayBeDeleted;
      return kind === 'write' ? found.version < version : found.version <= version;
    };
    const without = copies.filter((copy) => running.some((node) => node.id === copy && lacks(node)));
    if (copies.length - without.length >= majority(copies.length)) return undefined;
    return `${kind} ${id} v${version} was acknowledged by ${at} while ${without} of its copies ${copies} had not got it`;
  }
}

function keyOf({ id, version }: Pick<Event, 'id' | 'version'>): string {
  return `${id} ${version}`;
}
