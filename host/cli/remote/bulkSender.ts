/**
 * Sends actions in bulk requests over several lanes, each of which has one request under way. What concerns the same document must be put
 * into the same lane: there, actions are carried out in the order they came in. Documents are put in without waiting; whoever reads them
 * waits for {@link BulkSender.ready} now and then, so no more is read than is taken.
 *
 * What is sent again: all of a request that broke, or was answered with 429, 502, 503 or 504; of an answered one the actions with 429 or 503,
 * and those after them of the same document. A request that is refused as a whole (400, 413, 500) is cut in halves, until what is at fault
 * stands alone.
 */
import { Bulk, type Action } from './bulk.js';
import { pause, TRIES } from './pauses.js';
import { isBefore, type Place } from './place.js';
import { type Answer, errorOf, NoAnswer, Refused, type Requests } from './requests.js';

/** An action that was not taken. */
export interface RefusedAction extends Action {
  status: number;
  reason: string;
}

export interface SenderOptions {
  /** Of the requests: `/books/book/_bulk`. */
  path: string;
  lanes: number;
  /** Bytes of a request; one action may have more. */
  bulkBytes: number;
  /** Times that something is tried again, one after the other. */
  tries?: number;
  /** An action was not taken. What it throws ends the sending. */
  refuse(action: RefusedAction): void;
  /** So many actions were taken or refused. */
  done(actions: number): void;
  /** Something is tried again after a pause, because of this. */
  retrying?(reason: string): void;
  /** What was sent before a process ended may be sent again: whether this was. */
  maySentBefore?(place: Place): boolean;
}

const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;
const GATEWAY_TIMEOUT = 504;
const TOO_MANY = 429;
const CONFLICT = 409;
const SERVER_ERROR = 500;
/** Answers that nothing else sent to the same path changes. */
const FINAL = new Set([401, 403, 404, 405, 407]);
/** Times that a request which is answered with 500 is tried again before it is cut. */
const SERVER_ERROR_TRIES = 3;
/** Single actions refused by a status of their request, one after the other, after which it isn't the actions' fault. */
const MOST_ALONE = 100;
/** Emptied bulks that a lane keeps. */
const MOST_SPARE = 2;
/** How the answer to a bulk begins where all was taken. */
const HEAD_BYTES = 200;
const ALL_TAKEN = /^\s*\{\s*"took"\s*:\s*\d+\s*,\s*"errors"\s*:\s*false\b/;

interface Item {
  _index?: string;
  _type?: string;
  _id?: string;
  status: number;
  error?: unknown;
}

export class BulkSender {
  readonly #requests: Requests;
  readonly #options: SenderOptions;
  readonly #lanes: Lane[];
  readonly #stop = new AbortController();
  #failure: Error | undefined;
  #alone = 0;

  constructor(requests: Requests, options: SenderOptions) {
    this.#requests = requests;
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => new Lane((bulk) => this.#send(bulk)));
  }

  get lanes(): number {
    return this.#lanes.length;
  }

  /** The lane of documents with that id, wherever the index has them. */
  laneOf(id: string): number {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
    return (hash >>> 0) % this.#lanes.length;
  }

  /**
   * Puts an action in.
   * @param head its line
   * @param isOwn its id was made here
   */
  add(lane: number, head: string, source: Uint8Array | undefined, place: Place, isOwn: boolean): void {
    this.#lanes[lane]!.add(head, source, place, isOwn, this.#options.bulkBytes);
  }

  /** Has a lane send what it has. */
  flush(lane: number): void {
    this.#lanes[lane]!.flush();
  }

  /** Waits until more can be put in. Throws what ended the sending. */
  async ready(): Promise<void> {
    for (const lane of this.#lanes) await lane.ready();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends the rest, and waits for all answers. Throws what ended the sending. */
  async finish(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.finish()));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Sends nothing more, and waits for the answers to what is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** Where the first action stood that is neither taken nor refused. */
  get oldest(): Place | undefined {
    let oldest: Place | undefined;
    for (const lane of this.#lanes)
      for (const { from } of lane.bulks)
        if (from !== undefined && (oldest === undefined || isBefore(from, oldest))) oldest = from;
    return oldest;
  }

  /** Whether all of a lane's bulk is settled. */
  async #send(bulk: Bulk): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const { count } = bulk;
    try {
      if (!(await this.#settle(bulk, false, TRIES))) return false;
      this.#options.done(count);
      return true;
    } catch (e) {
      this.#failure ??= e instanceof Error ? e : new Error(String(e));
      this.#stop.abort();
      return false;
    }
  }

  /** Has all actions taken or refused; false if it was stopped before. @param wasSent what it has may have been taken already */
  async #settle(bulk: Bulk, wasSent: boolean, serverErrorTries: number): Promise<boolean> {
    const most = this.#options.tries ?? TRIES;
    let left = bulk;
    let mayBeThere = wasSent;
    for (let tries = 1; ; tries++) {
      const { path } = this.#options;
      let answer: Answer | undefined;
      let reason: string;
      try {
        answer = await this.#requests.send('POST', path, left.body);
        reason = `${this.#requests.name}${path} answers with ${answer.status}: ${errorOf(answer)}`;
      } catch (e) {
        if (!(e instanceof NoAnswer)) throw e;
        mayBeThere = true;
        reason = e.message;
      }
      if (answer !== undefined) {
        const { status } = answer;
        if (status < 300) {
          const again = this.#read(left, answer, mayBeThere);
          this.#alone = 0;
          if (again === undefined) return true;
          if (again.bulk.count < left.count) tries = 1;
          left = again.bulk;
          reason = again.reason;
        } else if (FINAL.has(status)) throw new Refused(reason, status);
        else if (status >= SERVER_ERROR || status === TOO_MANY) {
          mayBeThere ||= status !== TOO_MANY;
          const isGivenUp =
            status === SERVER_ERROR && tries >= Math.min(serverErrorTries, SERVER_ERROR_TRIES);
          if (isGivenUp || !isPassing(status)) return this.#halve(left, mayBeThere, status, reason);
        } else return this.#halve(left, mayBeThere, status, reason);
      }
      if (tries > most) throw new Refused(`${reason}; given up after ${most} tries`, answer?.status ?? 0);
      this.#options.retrying?.(reason);
      await pause(tries, this.#stop.signal);
      if (this.#stop.signal.aborted) return false;
    }
  }

  /** What an answered request leaves to be sent again. */
  #read(bulk: Bulk, answer: Answer, wasSent: boolean): { bulk: Bulk; reason: string } | undefined {
    if (ALL_TAKEN.test(answer.body.toString('latin1', 0, HEAD_BYTES))) return undefined;
    const items = itemsOf(answer);
    if (items?.length !== bulk.count)
      throw new Refused(
        `${this.#requests.name} answers a bulk of ${bulk.count} actions with ${items?.length ?? 'no'} items`,
        answer.status,
      );
    let again: Bulk | undefined;
    let reason = '';
    const waiting = new Set<string>();
    for (const [i, item] of items.entries()) {
      const { status } = item;
      const isDone = status < 300 || (status === 404 && item.error === undefined);
      const isPut = isPutOff(status);
      const document = `${item._index}\n${item._type}\n${item._id}`;
      if (isPut || (waiting.size > 0 && waiting.has(document))) {
        waiting.add(document);
        again ??= new Bulk(bulk.bytes);
        again.take(bulk, i);
        if (isPut) reason = `an action is answered with ${status}: ${textOf(item.error)}`;
      } else if (!isDone) {
        const mayBeOurs = bulk.isOwn(i) || wasSent || this.#options.maySentBefore?.(bulk.place(i)) === true;
        if (status === CONFLICT && mayBeOurs) continue;
        this.#options.refuse({ ...bulk.action(i), status, reason: textOf(item.error) });
      }
    }
    return again === undefined ? undefined : { bulk: again, reason };
  }

  /** Settles a request that is refused as a whole, by halves. */
  async #halve(bulk: Bulk, wasSent: boolean, status: number, reason: string): Promise<boolean> {
    if (bulk.count === 1) {
      if (++this.#alone > MOST_ALONE) throw new Refused(reason, status);
      this.#options.refuse({ ...bulk.action(0), status, reason });
      return true;
    }
    const middle = bulk.count >> 1;
    for (const [from, to] of [
      [0, middle],
      [middle, bulk.count],
    ] as const) {
      const half = new Bulk(bulk.bytes);
      for (let i = from; i < to; i++) half.take(bulk, i);
      if (!(await this.#settle(half, wasSent, 1))) return false;
    }
    return true;
  }
}

/** Whether a request's status passes by itself. */
function isPassing(status: number): boolean {
  return (
    status === TOO_MANY ||
    status === SERVER_ERROR ||
    status === BAD_GATEWAY ||
    status === UNAVAILABLE ||
    status === GATEWAY_TIMEOUT
  );
}

/** Whether an action's status passes by itself. */
function isPutOff(status: number): boolean {
  return status === TOO_MANY || status === UNAVAILABLE;
}

function itemsOf({ body }: Answer): Item[] | undefined {
  try {
    const { items } = JSON.parse(body.toString()) as { items?: Record<string, Item>[] };
    return items?.map((item) => Object.values(item)[0]!);
  } catch {
    return undefined;
  }
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
}

/** Bulks that are sent one after the other. */
class Lane {
  readonly #send: (bulk: Bulk) => Promise<boolean>;
  /** The one that grows. */
  #growing: Bulk | undefined;
  /** Those that wait, behind the one that is under way. */
  readonly #waiting: Bulk[] = [];
  /** Sent ones, to be filled again. */
  readonly #spare: Bulk[] = [];
  #running: Promise<void> | undefined;
  /** Settles when the bulk under way does. */
  #step: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(send: (bulk: Bulk) => Promise<boolean>) {
    this.#send = send;
  }

  /** All that has something in it. */
  get bulks(): readonly Bulk[] {
    return this.#growing === undefined ? this.#waiting : [...this.#waiting, this.#growing];
  }

  add(head: string, source: Uint8Array | undefined, place: Place, isOwn: boolean, bound: number): void {
    if (this.#growing?.isFull(head, source?.length ?? 0, bound)) this.flush();
    this.#growing ??= this.#spare.pop() ?? new Bulk(bound + 1024);
    this.#growing.add(head, source, place, isOwn);
  }

  /** Waits while more bulks wait than the one under way. */
  async ready(): Promise<void> {
    while (this.#waiting.length > 1 && !this.#isStopped) await this.#step;
  }

  async finish(): Promise<void> {
    this.flush();
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  flush(): void {
    if (this.#growing === undefined) return;
    this.#waiting.push(this.#growing);
    this.#growing = undefined;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isStopped) {
      const bulk = this.#waiting[0]!;
      const sending = this.#send(bulk);
      this.#step = sending;
      if (!(await sending)) {
        this.#isStopped = true;
        break;
      }
      this.#waiting.shift();
      bulk.clear();
      if (this.#spare.length < MOST_SPARE) this.#spare.push(bulk);
    }
    this.#running = undefined;
  }
}
