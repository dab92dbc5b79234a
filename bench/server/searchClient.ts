/**
 * A client in a process of its own that sends the same requests over and over and tells how long each took: HTTP/1.1 by hand, so that
 * little of what is measured is the client's. Started with `fork`; it waits for an {@link Order} and answers with what it {@link Seen}.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** What is to be sent. */
export interface Order {
  port: number;
  /** Whole requests, head and body. */
  requests: string[];
  connections: number;
  seconds: number;
  /** So many milliseconds after an answer comes the next request; of several connections each sends one of the requests. */
  pauseMs?: number;
  /** By request: files that tell what threads have run, as /proc/PID/task/TID/schedstat does. */
  watched?: string[][];
}

/** What came back. */
export interface Seen {
  /** Microseconds from the first byte sent to the last received, by request. */
  times: number[][];
  /** Microseconds that the watched threads have run meanwhile, by request: what other load on the machine doesn't change. */
  used: number[][];
  /** Answers that were no 200. */
  failures: number;
  /** From the first request to the last answer. */
  seconds: number;
  /** Bytes of all answers. */
  bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

async function carryOut({ port, requests, connections, seconds, pauseMs, watched }: Order): Promise<Seen> {
  const raw = requests.map((text) => Buffer.from(text));
  const none = () => requests.map((): number[] => []);
  const seen: Seen = { times: none(), used: none(), failures: 0, seconds: 0, bytes: 0 };
  const started = performance.now();
  const ends = started + seconds * 1000;
  let next = 0;
  const lane = (own: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      let at = 0;
      let sent = 0;
      let ranBefore = 0;
      let chunks: Buffer[] = [];
      let length = 0;
      let expected = -1;
      const send = () => {
        if (performance.now() >= ends) {
          socket.destroy();
          resolve();
          return;
        }
        at = pauseMs === undefined || connections === 1 ? next++ % raw.length : own % raw.length;
        chunks = [];
        length = 0;
        expected = -1;
        if (watched !== undefined) ranBefore = ran(watched[at]!);
        sent = performance.now();
        socket.write(raw[at]!);
      };
      socket.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (expected < 0) {
          chunks.push(chunk);
          const head = chunks.length === 1 ? chunk : Buffer.concat(chunks);
          const end = head.indexOf(HEAD_END);
          if (end < 0) return;
          const text = head.toString('latin1', 0, end);
          expected = end + 4 + Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
          if (!text.startsWith('HTTP/1.1 200')) seen.failures++;
        }
        if (length < expected) return;
        seen.times[at]!.push((performance.now() - sent) * 1000);
        if (watched !== undefined) seen.used[at]!.push(ran(watched[at]!) - ranBefore);
        seen.bytes += length;
        if (pauseMs === undefined) send();
        else setTimeout(send, pauseMs);
      });
      socket.on('connect', send).on('error', reject);
      socket.on('end', () => reject(new Error('the server hung up')));
    });
  await Promise.all(Array.from({ length: connections }, (_, i) => lane(i)));
  seen.seconds = (performance.now() - started) / 1000;
  return seen;
}

/** Microseconds that threads have run. */
function ran(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1000, 0);
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (seen) => process.send!(seen),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
