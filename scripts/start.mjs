/**
 * `npm start`: builds what has changed, then runs the command `resilin` of the build. Everything is imported after Node's version is known
 * to be one that can read it.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`resilin needs Node 20.19 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  start();
}

async function start() {
  const { spawnSync } = await import('node:child_process');
  const { coreIsBuilt } = await import('./builder/cores.mjs');
  const { consoleIsBuilt } = await import('./builder/console.mjs');
  const { hostIsBuilt } = await import('./builder/host.mjs');
  if (!coreIsBuilt('resilin', 'release') || !hostIsBuilt() || !consoleIsBuilt()) {
    // A process of its own: a compiler's memory doesn't stay in the server's.
    const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
    if (status !== 0) {
      process.exitCode = 1;
      return;
    }
  }
  await import('../build/js/host/cli/main.js');
}
