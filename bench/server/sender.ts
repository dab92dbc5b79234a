/** A thread that sends one request over and over, or once: what it does is not felt by who watches the server. */
import { request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What is sent. */
export interface Sent {
  port: number;
  method: string;
  path: string;
  body: Uint8Array;
}

/** What came back. */
export interface Received {
  status: number;
  bytes: number;
  /** The first of them. */
  head: string;
}

/** Sends a request from a thread of its own. */
export function sendAside(sent: Sent): Promise<Received> {
  const worker = new Worker(new URL(import.meta.url), { workerData: sent });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const { body, ...options } = workerData as Sent;
  const sent = request(
    { host: '127.0.0.1', ...options, headers: { 'content-length': body.length } },
    (response) => {
      let bytes = 0;
      let head = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (head.length < 200) head += chunk.toString();
      });
      response.on('end', () => port.postMessage({ status: response.statusCode ?? 0, bytes, head }));
    },
  );
  sent.end(body);
}
