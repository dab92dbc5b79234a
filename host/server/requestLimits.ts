/** The work limits of the requests that are under way: each ends with its client, and all end some time after the server is told to. */
import type { Socket } from 'node:net';
import { threadId } from 'node:worker_threads';
import { type Asking, WorkLimit } from '../workLimit.js';

/** Numbers for those who ask by way of one thread. */
const ASKERS = 2 ** 24;
/** Milliseconds that what is under way has when the server ends. */
const GRACE_MS = 5000;
/** Milliseconds that a client has to take its answer when the server ends. */
const ANSWER_MS = 5000;

/** The connections that requests have come by. */
export class RequestLimits {
  readonly #connections = new Map<Socket, Connection>();
  /** Numbers of users, by name. */
  readonly #users = new Map<string, number>();
  #askers = 0;
  readonly #answerMs: number;
  readonly #graceMs: number;
  /** Each thread has numbers of its own: a data worker is called by several. */
  readonly #firstAsker = (threadId % 256) * ASKERS;
  /** Whether the server ends: nothing is waited for any more. */
  #closing = false;

  /**
   * @param answerMs milliseconds that a client has to take its answer when the server ends
   * @param graceMs milliseconds that what is under way has when the server ends
   */
  constructor(answerMs = ANSWER_MS, graceMs = GRACE_MS) {
    this.#answerMs = answerMs;
    this.#graceMs = graceMs;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Known from its first request until it is closed. */
  connection(socket: Socket): Connection {
    return this.#connections.get(socket) ?? this.#add(socket);
  }

  /** The number of a user: all of their connections have one share together. */
  user(name: string): number {
    const known = this.#users.get(name);
    if (known !== undefined) return known;
    const number = this.#nextAsker();
    this.#users.set(name, number);
    return number;
  }

  /** One of as many as there may be at a time; 0 is nobody. */
  #nextAsker(): number {
    this.#askers = (this.#askers % (ASKERS - 1)) + 1;
    return this.#firstAsker + this.#askers;
  }

  #add(socket: Socket): Connection {
    const connection = new Connection(socket, this, this.#nextAsker());
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      connection.cancel();
    });
    return connection;
  }

  /** Nothing is waited for any more: work has {@link GRACE_MS} or what was given, and who doesn't take an answer is cut off. */
  close(): void {
    this.#closing = true;
    for (const connection of this.#connections.values()) this.cutOff(connection);
    setTimeout(() => {
      for (const connection of this.#connections.values()) connection.cancel();
    }, this.#graceMs).unref();
  }

  /** Ends a connection after a while, unless it has a request under way then, whose end calls this again. */
  cutOff(connection: Connection): void {
    setTimeout(() => connection.destroyIfAnswered(), this.#answerMs).unref();
  }
}

/** A client's connection, with the limits of what it has asked for. */
export class Connection implements Asking {
  readonly #socket: Socket;
  readonly #all: RequestLimits;
  readonly #number: number;
  /** Most connections have one request at a time. */
  #limit: WorkLimit | undefined;
  /** Those of requests that follow each other without waiting for answers. */
  #others: Set<WorkLimit> | undefined;
  /** Requests that have no answer yet. */
  #unanswered = 0;

  /** @param number what it goes by among those who ask */
  constructor(socket: Socket, all: RequestLimits, number: number) {
    this.#socket = socket;
    this.#all = all;
    this.#number = number;
  }

  get isGone(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  get isHurried(): boolean {
    return this.#all.closing;
  }

  /** A limit for a request that has come. @param user who has sent it, where users are told apart */
  begin(user: string | undefined): WorkLimit {
    const asker = user === undefined ? this.#number : this.#all.user(user);
    this.#unanswered++;
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY, this, asker);
    if (this.#limit === undefined) this.#limit = limit;
    else {
      this.#others ??= new Set();
      this.#others.add(limit);
    }
    return limit;
  }

  /** The request is answered. */
  end(limit: WorkLimit): void {
    if (this.#limit === limit) this.#limit = undefined;
    else this.#others?.delete(limit);
    this.#unanswered--;
    if (this.#all.closing) this.#all.cutOff(this);
  }

  /** Ends it where all requests that have come are answered. */
  destroyIfAnswered(): void {
    if (this.#unanswered === 0) this.#socket.destroy();
  }

  /** Cancels what was asked for. */
  cancel(): void {
    const others = this.#others;
    this.#limit?.cancel();
    this.#limit = undefined;
    this.#others = undefined;
    if (others !== undefined) for (const limit of others) limit.cancel();
  }
}
