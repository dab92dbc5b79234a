/** What commands talk to. */
import type { Shown } from './progress.js';

export interface Terminal {
  /** Writes a result. */
  print(text: string): void;
  /** Writes what went wrong. */
  complain(text: string): void;
  /** Where progress is shown. */
  status: Shown;
}

/** That of this process. */
export const processTerminal: Terminal = {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  status: process.stderr,
};
