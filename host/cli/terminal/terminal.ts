/** What commands talk to. */
import type { Shown } from './progress.js';

export interface Terminal {
  /** Writes a result. */
  print(text: string): void;
  /** Writes what went wrong. */
  complain(text: string): void;
  /** Where progress is shown. */
  status: Shown;
  /** The command as it was typed. */
  command: string;
}

/** That of this process. */
export function processTerminal(args: readonly string[]): Terminal {
  return {
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    status: process.stderr,
    command: ['resilin', ...args.map(quoted)].join(' '),
  };
}

/** An argument as a shell takes it. */
function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
