import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';

/**
 * Builds the host once for all test files, and again for each rerun, and finds out which compiled cores are those of today's sources
 * (test/support/cores.ts) and whether the build has its core (test/support/server.ts).
 */
export default async function setup(project: TestProject): Promise<void> {
  const build = async () => {
    const checked = process.env.RESILIN_CORE === 'debug' ? ['checked'] : [];
    const child = spawn(process.execPath, ['scripts/build.mjs', 'tests', ...checked], {
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
