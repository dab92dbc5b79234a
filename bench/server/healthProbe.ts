/**
 * A client in a process of its own that asks for the server's health every few milliseconds and tells of the slowest answer. Started with
 * `fork`; a {@link ProbeOrder} begins a watch or ends it, which it answers with what it has {@link Probed}.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Milliseconds between two questions. */
const EVERY_MS = 10;

/** A server to be watched, or the end of the watch. */
export type ProbeOrder = { port: number; pid: number } | 'end';

/** What was seen between beginning and end. */
export interface Probed {
  answers: number;
  /** Milliseconds of the slowest answer. */
  worst: number;
  /** Most milliseconds of processor time that the server's main thread had while one question waited: other load doesn't count. */
  busiest: number;
}

const QUESTION = 'GET /_cluster/health HTTP/1.1\r\nHost: localhost\r\n\r\n';

class Probe {
  readonly seen: Probed = { answers: 0, worst: 0, busiest: 0 };
  readonly #pid: number;
  readonly #socket;
  #asked = 0;
  #usedBefore = 0;
  #ending: (() => void) | undefined;

  constructor(port: number, pid: number) {
    this.#pid = pid;
    this.#socket = connect(port, '127.0.0.1').setNoDelay();
    this.#socket.on('data', () => this.#answered());
    this.#socket.on('connect', () => this.#ask());
    // A server that has ended tells nothing more.
    this.#socket.on('error', () => this.#ending?.());
  }

  /** The end comes with the next answer: a question that waits is part of what is seen. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#ending = () => {
        this.#socket.destroy();
        resolve();
      };
    });
  }

  #ask(): void {
    this.#asked = performance.now();
    this.#usedBefore = this.#used();
    this.#socket.write(QUESTION);
  }

  #answered(): void {
    const took = performance.now() - this.#asked;
    this.seen.answers++;
    this.seen.worst = Math.max(this.seen.worst, took);
    this.seen.busiest = Math.max(this.seen.busiest, this.#used() - this.#usedBefore);
    if (this.#ending !== undefined) this.#ending();
    else setTimeout(() => this.#ask(), Math.max(0, EVERY_MS - took));
  }

  /** Milliseconds of processor time of the main thread, as Linux tells. */
  #used(): number {
    try {
      return (
        Number(readFileSync(`/proc/${this.#pid}/task/${this.#pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
      );
    } catch {
      return 0;
    }
  }
}

let probe: Probe | undefined;

process.on('message', (order: ProbeOrder) => {
  if (order !== 'end') probe = new Probe(order.port, order.pid);
  else if (probe !== undefined) {
    const ended = probe;
    void ended.end().then(() => process.send!(ended.seen));
  }
});
