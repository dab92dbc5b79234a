/** Commands that load no server, and need none of its packages: those that move data, those that measure, `cluster` and `health`. */
import { outliveReaders } from './terminal/closedPipes.js';
import { processTerminal as terminal } from './terminal/terminal.js';

/** Carries a command out if it is one of these; returns the exit status, or undefined if it is another. */
export async function runStandaloneCommand(args: readonly string[]): Promise<number | undefined> {
  outliveReaders();
  const [topic, ...rest] = args;
  switch (topic) {
    case 'import': {
      // Into a folder, it takes the server's packages: whoever hasn't got them runs those of npm.
      if (rest.some((arg) => /^--data(?:=|$)/.test(arg))) {
        const { missingParts } = await import('./serverPackage.js');
        if (missingParts().length > 0) return undefined;
      }
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
    case 'migrate': {
      const { runMigrate } = await import('./migrate/migrateCommand.js');
      return runMigrate(rest, process.env, terminal);
    }
    case 'cluster': {
      const { runCluster } = await import('./clusterCommand.js');
      return runCluster(rest, process.env, terminal);
    }
    case 'bench': {
      const { isQueries } = await import('./queries/queriesOptions.js');
      if (isQueries(rest)) {
        const { runQueries } = await import('./queries/queriesCommand.js');
        return runQueries(rest, process.env, terminal);
      }
      const { runBench } = await import('./benchCommand.js');
      return runBench(rest, terminal.print, terminal.complain);
    }
    case 'health': {
      const { runHealth } = await import('./healthCommand.js');
      return runHealth(rest, process.env, terminal.print, terminal.complain);
    }
    default:
      return undefined;
  }
}
