import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/** Finds out once for all test files, and again for each rerun, which compiled cores are those of today's sources (test/support/cores.ts). */
export default async function setup(project: TestProject): Promise<void> {
  const find = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/build.mjs', 'cache']);
    process.env.RESILIN_CORES = stdout;
  };
  await find();
  project.onTestsRerun(find);
}
