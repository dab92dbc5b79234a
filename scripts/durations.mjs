/**
 * `npm run test:durations`: runs the tests, and says what processor time each folder and the slowest files took. What is given besides goes
 * to vitest: files, folders, options. `--files N` shows N files (20); `--json FILE` writes the numbers of all files.
 *
 * Processor time rather than a clock's: it is the same on a machine that has other work.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');
const own = { files: '20', json: undefined };
const rest = [];
for (let args = process.argv.slice(2); args.length > 0; ) {
  const arg = args.shift();
  const name = arg.replace(/^--/, '');
  if (arg.startsWith('--') && name in own) own[name] = args.shift();
  else rest.push(arg);
}

/** Collects what test/support/processorTime.ts counted. */
class Durations {
  files = [];

  onTestModuleEnd(module) {
    const time = module.meta().processorTime;
    if (time === undefined) return;
    const file = path.relative(root, module.moduleId);
    const tests = [...module.children.allTests()].length;
    this.files.push({ file, tests, ...time, wall: module.diagnostic().duration / 1000 });
  }
}

const PARTS = ['loading', 'testing', 'children'];
const total = (time) => PARTS.reduce((sum, part) => sum + time[part], 0);
const sum = (files) => ({
  tests: files.reduce((all, { tests }) => all + tests, 0),
  ...Object.fromEntries(PARTS.map((part) => [part, files.reduce((all, file) => all + file[part], 0)])),
});

function table(first, rows) {
  const lines = rows
    .sort((a, b) => total(b[1]) - total(a[1]))
    .map(([name, time]) => [
      name,
      time.tests,
      ...[total(time), ...PARTS.map((part) => time[part])].map((s) => s.toFixed(1)),
    ]);
  const head = [first, 'tests', 'seconds', 'loading', 'tests', 'other processes'];
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), '|---|--:|--:|--:|--:|--:|', ...lines.map(line)].join('\n');
}

process.env.RESILIN_DURATIONS = '1';
const durations = new Durations();
const { filter, options } = parseCLI(['vitest', 'run', ...rest]);
const since = performance.now();
const vitest = await startVitest('test', filter, {
  ...options,
  run: true,
  watch: false,
  reporters: ['minimal', durations],
});
const wall = (performance.now() - since) / 1000;
await vitest.close();
const mine = process.cpuUsage();

const { files } = durations;
const folders = new Map();
for (const file of files) {
  const folder = path.dirname(file.file);
  folders.set(folder, [...(folders.get(folder) ?? []), file]);
}
console.log(
  `\n${table(
    'folder',
    [...folders].map(([folder, inside]) => [folder, sum(inside)]),
  )}`,
);
console.log(
  `\n${table(
    'file',
    files
      .map((file) => [file.file, file])
      .sort((a, b) => total(b[1]) - total(a[1]))
      .slice(0, Number(own.files)),
  )}`,
);
const all = sum(files);
console.log(
  `\n${files.length} files, ${all.tests} tests: ${total(all).toFixed(0)} s of processors in workers, ` +
    `${((mine.user + mine.system) / 1e6).toFixed(0)} s in vitest itself; ${wall.toFixed(0)} s by the clock`,
);
if (own.json !== undefined) writeFileSync(own.json, JSON.stringify(files));
