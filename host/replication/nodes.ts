/** The living nodes, and questions to as many of them as it takes. */
import { ClusterError, PeerUnreachable } from '../cluster/errors.js';
import type { Member, Members } from '../cluster/members.js';
import { onAbort } from '../cluster/onAbort.js';
import { OVER } from '../cluster/over.js';
import type { Peers } from '../cluster/peers.js';
import { isObject } from '../json/values.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { DiskSpace, FullDisk } from './diskWatermarks.js';
import { type Formats, formatsOf } from './formats.js';
import { isCount } from './message.js';
import { pause } from './pause.js';
import { SilentNodes } from './silentNodes.js';

/** What a node says of itself, besides what it is. */
export interface NodeDetails {
  name: string;
  /** Where it answers HTTP: `127.0.0.1:9200`; empty where it doesn't. */
  http: string;
  version: string;
  /** What it knows of what nodes tell each other. */
  formats: Formats;
  /** When it was started, in milliseconds. */
  started: number;
  /** Whether it may have copies of shards. */
  data: boolean;
  /** What settings of allocation name besides, such as a zone. */
  attributes?: Readonly<Record<string, string>>;
  /** The numbers of the shards of which it has a copy that may be searched, by the uuid of their index. */
  copies?: Readonly<Record<string, readonly number[]>>;
  /** Indices whose logs it can't follow any more, by uuid, with the reasons. */
  failures?: Readonly<Record<string, string>>;
  /** Why its store takes no writes at the moment, such as that its disk is full; undefined where it does. */
  stalled?: string | undefined;
  /** The disk that its data are on, as it was a while ago. */
  disk?: DiskSpace | undefined;
  /** The watermark that its disk is above. */
  fullDisk?: FullDisk | undefined;
  /** Why it can't follow the log of the metadata any more. */
  metadataFailure?: string | undefined;
}

/** A living node. */
export interface ClusterNode extends NodeDetails {
  id: string;
  attributes: Readonly<Record<string, string>>;
}

/** How answers to a question count. */
export interface AskOptions {
  /** The nodes that count, but for those that can't be reached; without it all count that live. */
  among?: () => readonly string[];
  /** Resolves when this node counts as well; it does so at once without. */
  own?: Promise<void>;
  /** Whether an answer counts. A node whose answer doesn't is asked no more. */
  counts?: (node: string, answer: Uint8Array) => boolean;
}

/** So many answers don't count that too few are left. */
export class AnswersDiffer extends ClusterError {
  override readonly name = 'AnswersDiffer';

  constructor() {
    super('the copies differ');
  }
}

const RETRY_MS = 200;

/** The other nodes as this one sees them. */
export class Nodes {
  readonly self: string;
  readonly #members: Members;
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #silent: SilentNodes;

  constructor(self: string, members: Members, peers: Peers, clock: Clock) {
    this.self = self;
    this.#members = members;
    this.#peers = peers;
    this.#clock = clock;
    this.#silent = new SilentNodes(peers, clock, (node) =>
      this.#members.list().some((member) => member.node === node),
    );
  }

  /** The ids of all living nodes, this one among them, sorted. */
  get ids(): string[] {
    return [...new Set([this.self, ...this.#members.list().map(({ node }) => node)])].sort();
  }

  /** Whether this node does what one node has to do for all. */
  get isFirst(): boolean {
    return this.ids[0] === this.self;
  }

  /** Whether a living node can't be reached from this one: writes don't wait for its copies. */
  isSilent(node: string): boolean {
    return this.#silent.has(node);
  }

  /** What they say of themselves; this one is there when it has joined. */
  get all(): ClusterNode[] {
    return this.#members.list().map(nodeOf);
  }

  /** Those that may have copies of shards, sorted by id. */
  get data(): ClusterNode[] {
    return this.all.filter(({ data }) => data);
  }

  /** The other living nodes that say that they have a copy of a shard that may be searched. */
  othersWith(uuid: string, shard: number): ClusterNode[] {
    return this.data.filter(({ id, copies }) => id !== this.self && copies?.[uuid]?.includes(shard) === true);
  }

  /** Whether a process is one of the living nodes. */
  lives({ node, incarnation }: Pick<Member, 'node' | 'incarnation'>): boolean {
    return this.#members.list().some((member) => member.node === node && member.incarnation === incarnation);
  }

  /** Whether any of the living nodes is that process. */
  runs(incarnation: string): boolean {
    return this.#members.list().some((member) => member.incarnation === incarnation);
  }

  /** Calls back after each change of the list; the returned function ends that. */
  onChange(listener: () => void): () => void {
    return this.#members.onChange(listener);
  }

  /** Whether this node is one of those that the others see. */
  get hasJoined(): boolean {
    return this.#members.list().some(({ node }) => node === this.self);
  }

  /**
   * Asks the other living nodes until enough have answered, this one counted: one that can't be reached is asked again as long as it
   * counts as living.
   * @param needed how many of so many have to
   * @throws AnswersDiffer where too few answers count
   */
  async ask(
    kind: string,
    question: unknown,
    needed: (nodes: number) => number,
    signal: AbortSignal,
    { among, own, counts }: AskOptions = {},
  ): Promise<void> {
    const counted = () => among?.().filter((id) => !this.#silent.has(id)) ?? this.ids;
    signal.throwIfAborted();
    const bytes = encodeJson(question);
    const answered = new Set(own === undefined ? [this.self] : []);
    const asked = new Set([this.self]);
    const differing = new Set<string>();
    const over = new AbortController();
    const either = over.signal;
    let check = () => {};
    const askOne = async (node: string) => {
      while (!either.aborted && counted().includes(node)) {
        try {
          const answer = await this.#peers.ask(node, kind, bytes, either);
          (counts?.(node, answer) === false ? differing : answered).add(node);
          check();
          return;
        } catch (e) {
          if (among !== undefined && e instanceof PeerUnreachable) {
            this.#silent.add(node);
            check();
          }
          await pause(this.#clock, RETRY_MS, either);
        }
      }
      asked.delete(node);
    };
    const forget: (() => void)[] = [];
    try {
      await new Promise<void>((resolve, reject) => {
        forget.push(
          onAbort(signal, () => {
            over.abort(signal.reason);
            reject(signal.reason);
          }),
        );
        check = () => {
          const ids = counted();
          if (ids.filter((id) => answered.has(id)).length >= needed(ids.length)) return resolve();
          const left = differing.size === 0 ? ids : ids.filter((id) => !differing.has(id));
          if (left.length < Math.min(ids.length, needed(ids.length))) return reject(new AnswersDiffer());
          for (const id of ids) {
            if (asked.has(id)) continue;
            asked.add(id);
            void askOne(id);
          }
        };
        forget.push(
          this.#members.onChange(() => check()),
          this.#silent.onHeard(() => check()),
        );
        check();
        own?.then(
          () => {
            answered.add(this.self);
            check();
          },
          () => {},
        );
      });
    } finally {
      for (const each of forget) each();
      over.abort(OVER);
    }
  }
}

/** The answers of all other nodes, by their ids; those that can't be reached have none. */
export async function answersOf(
  nodes: Nodes,
  peers: Peers,
  kind: string,
  question: unknown,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const bytes = encodeJson(question);
  const answers = new Map<string, Uint8Array>();
  const others = nodes.ids.filter((id) => id !== nodes.self);
  await Promise.all(
    others.map(async (id) => {
      try {
        answers.set(id, await peers.ask(id, kind, bytes, signal));
      } catch {
        // Whoever asks tells of those that answer.
      }
    }),
  );
  return answers;
}

/** More than half. */
export function majority(nodes: number): number {
  return Math.floor(nodes / 2) + 1;
}

/** All of them. */
export function everyone(nodes: number): number {
  return nodes;
}

/** What another node says of itself is not trusted to have any shape. */
export function nodeOf(member: Member): ClusterNode {
  const known = read.get(member);
  if (known !== undefined) return known;
  const node = readNode(member);
  read.set(member, node);
  return node;
}

/** What was read of members: they are asked for with each request. */
const read = new WeakMap<Member, ClusterNode>();

function readNode({ node, details }: Member): ClusterNode {
  const text = (name: string) => (typeof details[name] === 'string' ? (details[name] as string) : '');
  const started = typeof details.started === 'number' ? details.started : 0;
  // A node that says nothing is of a version that knew no others.
  const data = details.data !== false;
  const attributes = entriesOf(details.attributes, isText);
  const copies = isObject(details.copies) ? { copies: entriesOf(details.copies, areCounts) } : {};
  const failures = entriesOf(details.failures, isText);
  return {
    id: node,
    name: text('name') || node,
    http: text('http'),
    version: text('version'),
    formats: formatsOf(details.formats),
    started,
    data,
    attributes,
    ...copies,
    failures,
    ...(isDisk(details.disk) ? { disk: details.disk } : {}),
    ...(details.fullDisk === 'low' || details.fullDisk === 'high' ? { fullDisk: details.fullDisk } : {}),
    ...(text('stalled') === '' ? {} : { stalled: text('stalled') }),
    ...(text('metadataFailure') === '' ? {} : { metadataFailure: text('metadataFailure') }),
  };
}

/** The entries of an object whose values are of a kind. It has no others, whatever is asked for. */
function entriesOf<T>(value: unknown, is: (value: unknown) => value is T): Record<string, T> {
  const found = Object.create(null) as Record<string, T>;
  if (isObject(value)) for (const [key, each] of Object.entries(value)) if (is(each)) found[key] = each;
  return found;
}

function isDisk(value: unknown): value is DiskSpace {
  return isObject(value) && isCount(value.total) && isCount(value.free);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
