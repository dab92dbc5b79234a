/** The command `resilin` as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serverFile } from '../support/server.js';

const COMMAND = join(dirname(await serverFile()), 'resilin.js');

/** The standard input stays open. */
export const OPEN = Buffer.alloc(0);

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** A command that runs. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface RunOptions {
  cwd: string;
  /** All of the standard input; {@link OPEN} leaves it open. */
  input?: string | Buffer;
  env?: Record<string, string>;
}

export function start(args: readonly string[], { cwd, input = '', env }: RunOptions): Running {
  const { RESILIN_AUTHORIZATION: _, ...own } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: { ...own, ...env } });
  // It may end before it has read all.
  child.stdin.on('error', () => {});
  if (input !== OPEN) child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([out, err, [status, signal]]) => ({ status, signal, out, err }),
  );
  return { child, ended };
}

export function run(args: readonly string[], options: RunOptions): Promise<Ended> {
  return start(args, options).ended;
}
