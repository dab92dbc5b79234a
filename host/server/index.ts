/**
 * A server in one's own program: Node, worker threads, LMDB and HTTP.
 *
 *     import { createServer } from 'resilin/server';
 *     const server = await createServer({ port: 0, data: ':memory:' });
 */
import type { RunningServer, ServerOptions } from './options.js';
import { startServer } from './server.js';

export type { HttpSettings, RunningServer, ServerOptions } from './options.js';

/** Starts a server; it answers when the promise resolves. */
export function createServer(options: ServerOptions = {}): Promise<RunningServer> {
  return startServer(options);
}
