/**
 * `npm run torture -- [--rounds 200] [--seed 1] [--ms 1500] [--writers 16] [--data FOLDER] [--server MAIN] [--shrink]`: kills a server
 * again and again while it is written to, and compares what it has after a start with what it acknowledged. Ends with 1 if
 * anything was lost, came back or has another version.
 *
 * With `--shrink` the store's file is made smaller all the time.
 *
 * `npm run torture -- --crash-states 50000 [--seed 1] [--cycles 4] [--program store]`: opens so many of the states in which a power cut may
 * leave programs' files (crashStates/), and compares each with what was acknowledged. It takes Linux and a C compiler.
 *
 * `npm run torture -- --power-cuts 50`: so many rounds on a block device that loses with each death what was not synced. It takes the rights
 * to mount one (Linux, root) and a C compiler.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BlockDevice } from './blockDevice.js';
import { torture } from './torture.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    ms: { type: 'string', default: '1500' },
    writers: { type: 'string', default: '16' },
    data: { type: 'string' },
    'power-cuts': { type: 'string' },
    server: { type: 'string', default: 'build/js/host/cli/main.js' },
    shrink: { type: 'boolean', default: false },
    'crash-states': { type: 'string' },
    cycles: { type: 'string', default: '4' },
    program: { type: 'string' },
  },
});
if (values['crash-states'] === undefined) await tortureServer();
else {
  const { crashStates } = await import('./crashStates/command.js');
  const isSound = await crashStates({
    states: Number(values['crash-states']),
    seed: Number(values.seed),
    cycles: Number(values.cycles),
    program: values.program,
  });
  process.exitCode = isSound ? 0 : 1;
}

async function tortureServer(): Promise<void> {
  const cuts = values['power-cuts'];
  const device = cuts === undefined ? undefined : new BlockDevice();
  const data =
    device === undefined
      ? (values.data ?? mkdtempSync(join(tmpdir(), 'resilin-torture-')))
      : join(device.folder, 'data');
  const started = performance.now();
  const result = await torture({
    main: resolve(values.server),
    data,
    rounds: Number(cuts ?? values.rounds),
    seed: Number(values.seed),
    ms: Number(values.ms),
    writers: Number(values.writers),
    shrink: values.shrink,
    log: (line) => console.log(line),
    ...(device === undefined ? {} : { cutPower: () => device.cut() }),
  });
  const { problems, ...figures } = result;
  console.log({
    ...figures,
    problems: problems.length,
    seconds: Math.round((performance.now() - started) / 1000),
  });
  for (const problem of problems) console.log(problem);
  if (problems.length === 0 && device !== undefined) device.remove();
  else if (problems.length === 0 && values.data === undefined) rmSync(data, { recursive: true, force: true });
  else console.log(`the data is in ${data}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
