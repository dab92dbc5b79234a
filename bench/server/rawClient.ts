/** HTTP/1.1 by hand, so that request lines and headers may hold any bytes: one request at a time on a connection. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  body: string;
}

/** No answer came in time, or the connection ended without one. */
export class NoAnswer extends Error {}

/** A connection that is made anew when it ends. */
export class RawClient {
  readonly #port: number;
  readonly #timeoutMs: number;
  #socket: Socket | undefined;

  constructor(port: number, timeoutMs: number) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  /** @param head everything from the request line to the last header, without the length and the empty line */
  send(head: string, body: Uint8Array): Promise<RawAnswer> {
    const socket = this.#socket?.writable ? this.#socket : connect(this.#port, '127.0.0.1').setNoDelay();
    this.#socket = socket;
    const noBody = head.startsWith('HEAD ');
    return new Promise((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0);
      const timer = setTimeout(() => fail('no answer'), this.#timeoutMs);
      const clean = () => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose).off('error', onError);
      };
      const fail = (why: string) => {
        clean();
        socket.destroy();
        reject(new NoAnswer(why));
      };
      const onClose = () => fail('the connection ended');
      const onError = (e: Error) => fail(e.message);
      const onData = (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        let end = received.indexOf('\r\n\r\n');
        if (end >= 0 && received.subarray(9, 12).toString() === '100') {
          received = received.subarray(end + 4);
          end = received.indexOf('\r\n\r\n');
        }
        if (end < 0) return;
        const headers = received.subarray(0, end).toString('latin1');
        const length = noBody ? 0 : Number(/content-length: *(\d+)/i.exec(headers)?.[1] ?? 0);
        if (received.length < end + 4 + length) return;
        clean();
        if (/connection: *close/i.test(headers)) socket.destroy();
        resolve({
          status: Number(headers.slice(9, 12)),
          body: received.subarray(end + 4, end + 4 + length).toString(),
        });
      };
      socket.on('data', onData).on('close', onClose).on('error', onError);
      socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n`, 'latin1');
      socket.write(body);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }
}
