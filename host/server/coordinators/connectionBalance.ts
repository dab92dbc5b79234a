/**
 * Connections spread over the threads that accept them. The kernel gives a new one to whichever thread is there first, and clients keep theirs
 * for long; so a thread that has many more than its share lets some go with their next answer, as HTTP allows. Their clients connect again,
 * mostly to a thread that has less to do.
 */
import type { Socket } from 'node:net';
import type { SharedNumbers } from './sharedNumbers.js';

/** How much more than its share a thread may have. */
const TOLERATED = 1.05;

export class ConnectionBalance {
  readonly #numbers: SharedNumbers;
  readonly #place: number;
  /** Connections that end with the answers under way. */
  readonly #leaving = new WeakSet<Socket>();
  #left = 0;

  constructor(numbers: SharedNumbers, place: number) {
    this.#numbers = numbers;
    this.#place = place;
  }

  /** A connection is there. */
  add(socket: Socket): void {
    this.#numbers.connected(this.#place, 1);
    socket.once('close', () => {
      this.#numbers.connected(this.#place, -1);
      if (this.#leaving.has(socket)) this.#left--;
    });
  }

  /** Whether a connection is to end with its answer. */
  letsGo(socket: Socket): boolean {
    const { connections, places } = this.#numbers;
    const own = this.#numbers.connectionsOf(this.#place) - this.#left;
    if (own <= 1 + Math.ceil(TOLERATED * (connections / places)) || this.#leaving.has(socket)) return false;
    this.#leaving.add(socket);
    this.#left++;
    return true;
  }
}
