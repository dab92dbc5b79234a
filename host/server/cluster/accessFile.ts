import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Auth, Authenticator } from '@nats-io/transport-node';
import { NatsUnusable } from './natsErrors.js';

/**
 * A certificate, a key or credentials in a file, which is read again for each connection: what expires is replaced while the node runs. While there
 * is nothing that can be read, what was there before counts.
 */
export class AccessFile {
  readonly #path: string;
  #bytes: Buffer;

  private constructor(path: string, bytes: Buffer) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** @param what the file has, as an error names it @throws NatsUnusable */
  static async open(what: string, path: string): Promise<AccessFile> {
    try {
      return new AccessFile(path, await readFile(path));
    } catch (error) {
      throw unreadable(what, error);
    }
  }

  /** What is in it now. */
  get bytes(): Buffer {
    try {
      const bytes = readFileSync(this.#path);
      if (bytes.length > 0) this.#bytes = bytes;
    } catch {
      // It is being replaced.
    }
    return this.#bytes;
  }
}

/**
 * Credentials in a file. One that is being written may have half of them: the client would close the connection for good.
 * @param of what credentials of these bytes are
 * @throws NatsUnusable
 */
export async function fileAuthenticator(
  what: string,
  path: string,
  of: (bytes: Uint8Array) => Authenticator,
): Promise<Authenticator> {
  const file = await AccessFile.open(what, path);
  let usable = of(file.bytes);
  const auth = (nonce?: string): Auth => {
    try {
      const now = of(file.bytes);
      const result = now(nonce);
      usable = now;
      return result;
    } catch {
      return usable(nonce);
    }
  };
  try {
    usable('');
  } catch (error) {
    throw unreadable(what, error);
  }
  return auth;
}

function unreadable(what: string, cause: unknown): NatsUnusable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NatsUnusable(`the file with ${what} can't be read: ${reason}`, { cause });
}
