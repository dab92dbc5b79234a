/** `resilin bench`: measures the kernels and prints a table, or JSON. */
import { clockStep } from '../kernels/clock.js';
import type { Measured } from '../kernels/measure.js';
import { caseLine, titleLine } from '../kernels/table.js';
import { bench } from '../server/kernelsEntry.js';
import { describeMachine } from '../server/machine.js';
import { VERSION } from '../version.js';
import { BENCH_HELP, parseBench } from './benchOptions.js';

/** Carries it out; returns the exit status. */
export async function runBench(
  args: readonly string[],
  print: (text: string) => void,
  complain: (text: string) => void,
): Promise<number> {
  const command = parseBench(args);
  if (command.kind === 'help') {
    print(BENCH_HELP);
    return 0;
  }
  if (command.kind === 'mistake') {
    complain(`resilin: ${command.message}; see resilin bench --help\n`);
    return 2;
  }
  const { seconds, only, json } = command;
  const machine = describeMachine();
  if (!json) print(`resilin ${VERSION}, ${machine.runtime}, ${machine.cpu}, ${machine.cores} cores\n`);
  const results: Measured[] = [];
  try {
    for await (const result of bench({ seconds, only })) {
      if (!json) {
        if (results.at(-1)?.question !== result.question) print(`\n${titleLine(result)}\n`);
        print(`${caseLine(result)}\n`);
      }
      results.push(result);
    }
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    complain(`resilin: ${e.message}\n`);
    return 2;
  }
  if (json)
    print(
      `${JSON.stringify({ resilin: VERSION, date: new Date().toISOString(), machine, clockStep: clockStep(), seconds, results }, null, 2)}\n`,
    );
  return 0;
}
