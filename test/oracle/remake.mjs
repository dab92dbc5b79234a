/**
 * Makes all fixtures anew that the oracle answers for, or some folders of test/fixtures; with `--check` says which are other ones now.
 *
 *     node test/oracle/remake.mjs [--check] [words | analysis | scoring | relevance | expression | regex]…
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const MAKERS = {
  words: ['make.mjs'],
  scoring: ['make.mjs'],
  relevance: ['make.mjs', 'make-expressions.mjs', 'make-similarities.mjs'],
  expression: ['make.mjs'],
  regex: ['make.mjs'],
  analysis: ['make.mjs', 'make-parts.mjs', 'make-filters.mjs', 'make-analyzers.mjs'],
};

const args = process.argv.slice(2);
const chosen = args.filter((arg) => arg !== '--check');
for (const folder of chosen)
  if (MAKERS[folder] === undefined)
    throw new Error(`no makers of test/fixtures/${folder}: ${Object.keys(MAKERS).join(', ')}`);
for (const folder of chosen.length > 0 ? chosen : Object.keys(MAKERS))
  for (const maker of MAKERS[folder]) {
    const file = path.join(root, 'test/fixtures', folder, maker);
    const options = args.includes('--check') ? ['--check'] : [];
    const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
