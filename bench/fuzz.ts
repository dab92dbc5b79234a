/** Fuzzers in this process: `npm run fuzz:engine`, `npm run fuzz:plans`. */
import { fuzzEngine } from './fuzz/engine.js';
import { fuzzPlans } from './fuzz/plans.js';

const FUZZERS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  engine: fuzzEngine,
  plans: fuzzPlans,
};

const [name = '', ...args] = process.argv.slice(2);
const fuzzer = FUZZERS[name];
if (fuzzer === undefined) {
  console.log(`the names: ${Object.keys(FUZZERS).join(', ')}`);
  process.exitCode = 2;
} else {
  await fuzzer(args);
}
