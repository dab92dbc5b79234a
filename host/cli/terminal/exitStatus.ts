/** Exit statuses of commands that move data, and the way to them. */
import { UsageError } from '../flags.js';
import type { Terminal } from './terminal.js';

export const ALL_TAKEN = 0;
export const SOME_REFUSED = 1;
export const USAGE = 2;
export const ENDED_EARLY = 3;
/** As shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** Carries a command out, and says why it could not be. */
export async function ended(
  name: string,
  terminal: Terminal,
  command: () => Promise<number>,
): Promise<number> {
  try {
    return await command();
  } catch (e) {
    const isUsage = e instanceof UsageError;
    terminal.complain(`resilin: ${messageOf(e)}${isUsage ? `; see resilin ${name} --help` : ''}\n`);
    return isUsage ? USAGE : ENDED_EARLY;
  }
}

/** What an error says. */
export function messageOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
