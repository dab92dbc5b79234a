import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';

/**
 * Builds the host once for all test files, and again for each rerun, and finds out which compiled cores are those of today's sources
 * (test/support/cores.ts) and whether the build has its core (test/support/server.ts). Where no files are asked for by name, all cores are
 * compiled before the first test.
 */
export default async function setup(project: TestProject): Promise<void> {
  // Called for each project of vitest.config.ts, and for the one that they extend.
  if (!project.isRootProject()) return;
  const build = async () => {
    const { filenamePattern } = project.vitest as unknown as { filenamePattern?: readonly string[] };
    const options = [];
    if (process.env.RESILIN_CORE === 'debug') options.push('checked');
    if (filenamePattern === undefined) options.push('whole');
    const child = spawn(process.execPath, ['scripts/build.mjs', 'tests', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (status !== 0) throw new Error("the host can't be built");
    const { cores, hasCore } = JSON.parse(said);
    process.env.RESILIN_CORES = JSON.stringify(cores);
    process.env.RESILIN_BUILD_HAS_CORE = String(hasCore);
  };
  await build();
  project.onTestsRerun(build);
}
