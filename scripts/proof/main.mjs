/**
 * `npm run proof:package`: the installed package where the test suite can't go, as the tools have to be fetched: Vite (built and while
 * developing), webpack, esbuild, Bun, workerd, `npx resilin` and its server; what publint and @arethetypeswrong/cli say of the tarball;
 * the package installed from its repository. Node, Deno and Chromium without a bundler are in the suite (test/isomorphic).
 *
 *     npm run proof:package [NAME …]     all, or those of these names
 */
import { rmSync } from 'node:fs';
import { PROOFS } from './platforms.mjs';
import { prepareProject } from './project.mjs';

const wanted = process.argv.slice(2);
const project = await prepareProject();
try {
  for (const [name, prove] of Object.entries(PROOFS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const since = performance.now();
    try {
      await prove(project);
      console.log(`${name}: fine, ${((performance.now() - since) / 1000).toFixed(1)} s`);
    } catch (error) {
      console.error(`${name}: ${error.stderr || error.stdout || error.stack}`);
      process.exitCode = 1;
    }
  }
} finally {
  await project.close();
  rmSync(project.folder, { recursive: true, force: true });
}
