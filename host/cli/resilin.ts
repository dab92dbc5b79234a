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
  // Needs none of the server's packages.
  const { runDataCommand } = await import('./dataCommands.js');
  const status = await runDataCommand(process.argv.slice(2));
  if (status !== undefined) {
    process.exitCode = status;
    return;
  }
  // Asked for over and over, it loads no server.
  if (topic === 'health') {
    const { runHealth } = await import('./healthCommand.js');
    process.exitCode = await runHealth(
      rest,
      process.env,
      (text) => process.stdout.write(text),
      (text) => process.stderr.write(text),
    );
    return;
  }
  const { missingParts, runServerPackage } = await import('./serverPackage.js');
  const missing = missingParts();
  if (missing.length === 0) await import('./main.js');
  else runServerPackage(process.argv.slice(2), missing);
}

export {};
