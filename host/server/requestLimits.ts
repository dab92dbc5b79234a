/** The work limits of the requests that are under way: each ends with its client, and all end some time after the server is told to. */
import type { Socket } from 'node:net';
import { WorkLimit } from '../workLimit.js';

/** Milliseconds that what is under way has when the server ends. */
const GRACE_MS = 1000;

/** Limits by connection; several requests may follow each other without waiting for answers. */
export class RequestLimits {
  readonly #open = new Map<Socket, WorkLimit | Set<WorkLimit>>();
  #closing = false;

  /** Cancels what a connection asked for when it is closed. */
  watch(socket: Socket): void {
    socket.once('close', () => this.#cancel(socket));
  }

  /** A limit for a request that came by a connection. */
  of(socket: Socket): WorkLimit {
    const limit = WorkLimit.of(
      Number.POSITIVE_INFINITY,
      () => socket.destroyed || socket.writableEnded,
      () => this.#closing,
    );
    const others = this.#open.get(socket);
    // Most connections have one request at a time.
    if (others === undefined) this.#open.set(socket, limit);
    else if (others instanceof Set) others.add(limit);
    else this.#open.set(socket, new Set([others, limit]));
    return limit;
  }

  /** The request is answered. */
  end(socket: Socket, limit: WorkLimit): void {
    const all = this.#open.get(socket);
    if (all === limit || (all instanceof Set && all.delete(limit) && all.size === 0))
      this.#open.delete(socket);
  }

  /** Nothing is waited for any more, and work has a last second. */
  close(): void {
    this.#closing = true;
    setTimeout(() => {
      for (const socket of [...this.#open.keys()]) this.#cancel(socket);
    }, GRACE_MS).unref();
  }

  #cancel(socket: Socket): void {
    const all = this.#open.get(socket);
    this.#open.delete(socket);
    if (all instanceof WorkLimit) all.cancel();
    else if (all !== undefined) for (const limit of all) limit.cancel();
  }
}
