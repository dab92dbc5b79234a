/** `npm run check`: all that must hold besides the tests, side by side. What fails shows its output. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { step } from './builder/steps.mjs';
import { compiler } from './builder/typescript.mjs';

const root = path.resolve(import.meta.dirname, '..');

const colors = Boolean(process.stdout.isTTY);

/** Looks at types, and remembers what it saw for the next time. */
const types = (project, memory) => [
  compiler,
  ...['-p', project, '--noEmit', '--pretty', String(colors)],
  ...['--incremental', '--tsBuildInfoFile', memory],
];

/** Each is a script with its arguments, from the root. */
const CHECKS = {
  types: types('tsconfig.json', 'build/types.tsbuildinfo'),
  // What runs in browsers as well: a global of Node below the shells is an error.
  'types without Node': types('test/isomorphic/tsconfig.json', 'build/isomorphic.tsbuildinfo'),
  'types of the console': types('console/tsconfig.json', 'build/console.tsbuildinfo'),
  'types of the console’s tests': types('test/console/unit/tsconfig.json', 'build/consoleTests.tsbuildinfo'),
  layers: ['scripts/layers.mjs'],
  'lint and format': [
    'node_modules/@biomejs/biome/bin/biome',
    ...['check', '--assist-enabled=false', `--colors=${colors ? 'force' : 'off'}`, '.'],
  ],
};

function check([script, ...options]) {
  return new Promise((done) => {
    const file = path.resolve(root, script);
    execFile(
      process.execPath,
      [file, ...options],
      { cwd: root, maxBuffer: Infinity },
      (error, stdout, stderr) => done(error === null ? undefined : `${stdout}${stderr}`),
    );
  });
}

await Promise.all(
  Object.entries(CHECKS).map(async ([name, command]) => {
    const output = await step(name, () => check(command));
    if (output === undefined) return;
    process.stdout.write(`\n${name}:\n${output}\n`);
    process.exitCode = 1;
  }),
);
