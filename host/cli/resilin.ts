#!/usr/bin/env node
/**
 * The installed command `resilin`. Everything else is imported after Node's version is known to be one that can read it, so nothing here
 * may be newer than Node 14.
 */
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`resilin needs Node 20.19 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  void start();
}

async function start(): Promise<void> {
  const { runStandaloneCommand } = await import('./standaloneCommands.js');
  const status = await runStandaloneCommand(process.argv.slice(2));
  if (status !== undefined) {
    process.exitCode = status;
    return;
  }
  const { missingParts, runServerPackage } = await import('./serverPackage.js');
  const missing = missingParts();
  if (missing.length === 0) await import('./main.js');
  else runServerPackage(process.argv.slice(2), missing);
}

export {};
