/** The work limits of the requests that are under way: each ends with its client, and all end some time after the server is told to. */
import type { Socket } from 'node:net';
import { WorkLimit } from '../workLimit.js';

/** Milliseconds that what is under way has when the server ends. */
const GRACE_MS = 1000;

/** Limits by connection; several requests may follow each other without waiting for answers. */
export class RequestLimits {
  readonly #open = new Map<Socket, Set<WorkLimit>>();
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
    if (others === undefined) this.#open.set(socket, new Set([limit]));
    else others.add(limit);
    return limit;
  }

  /** The request is answered. */
  end(socket: Socket, limit: WorkLimit): void {
    const all = this.#open.get(socket);
    all?.delete(limit);
    if (all?.size === 0) this.#open.delete(socket);
  }

  /** Nothing is waited for any more, and work has a last second. */
  close(): void {
    this.#closing = true;
    setTimeout(() => {
      for (const socket of [...this.#open.keys()]) this.#cancel(socket);
    }, GRACE_MS).unref();
  }

  #cancel(socket: Socket): void {
    for (const limit of this.#open.get(socket) ?? []) limit.cancel();
    this.#open.delete(socket);
  }
}
