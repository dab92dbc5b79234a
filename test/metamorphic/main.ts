/**
 * `npm run metamorphic -- [--seeds 20000] [--from 1] [--stop 1] [--shrink 30]`: asks random requests of the same documents in
 * many layouts of segments. Ends with 1 if any answer differed. `--stop` is how many differences are enough, `--shrink` for
 * how many seconds each is made smaller, `--core` another core than that of the build.
 */
import { parseArgs } from 'node:util';
import { compileCore } from '../../host/server/wasm.js';
import { describe } from './report.js';
import { REQUESTS, run } from './run.js';
import { shrink } from './shrink.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    stop: { type: 'string', default: '1' },
    shrink: { type: 'string', default: '30' },
    core: { type: 'string' },
  },
});
const module = await compileCore(values.core);
const started = performance.now();
let described = 0;
const outcome = await run({
  module,
  from: Number(values.from),
  seeds: Number(values.seeds),
  async progress({ requests, comparisons, refused, differences }, seed) {
    const seconds = Math.round((performance.now() - started) / 1000);
    const line = `seed ${seed - 1}: ${requests} requests, ${refused} refused, ${comparisons} comparisons, ${differences.length} differences, ${seconds} s`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
    else if (Math.floor(seed / REQUESTS) % 10 === 0) console.log(line);
    for (const each of differences.slice(described)) {
      console.log(`\n${describe(await shrink(module, each, Number(values.shrink) * 1000))}`);
      described++;
      if (described >= Number(values.stop)) return true;
    }
    return false;
  },
});
const { differences, ...figures } = outcome;
console.log({
  ...figures,
  differences: differences.length,
  seconds: Math.round((performance.now() - started) / 1000),
});
process.exitCode = differences.length === 0 ? 0 : 1;
