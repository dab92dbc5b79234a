/** The commands that move data from and to servers; they need none of the server's packages. */
import { processTerminal } from './terminal/terminal.js';

/** Carries a command out if it is one of these; returns the exit status, or undefined if it is another. */
export async function runDataCommand(args: readonly string[]): Promise<number | undefined> {
  const [topic, ...rest] = args;
  const terminal = processTerminal(args);
  switch (topic) {
    case 'import': {
      const { runImport } = await import('./import/importCommand.js');
      return runImport(rest, process.env, terminal);
    }
    case 'export': {
      const { isPackage } = await import('./export/exportOptions.js');
      if (isPackage(rest)) return undefined;
      const { runExport } = await import('./export/exportCommand.js');
      return runExport(rest, process.env, terminal);
    }
    case 'copy': {
      const { runCopy } = await import('./copy/copyCommand.js');
      return runCopy(rest, process.env, terminal);
    }
    default:
      return undefined;
  }
}
