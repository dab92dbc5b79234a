/** Questions about a cluster of real processes: `npm run bench:cluster -- NAME [options]`; bench/README.md says which there are. */

import { allKilled } from './cluster/allKilled.js';
import { bulkCost } from './cluster/bulkCost.js';
import { drain } from './cluster/drain.js';
import { nodeLoss } from './cluster/nodeLoss.js';
import { searchLatency } from './cluster/searchLatency.js';
import { serverLoss } from './cluster/serverLoss.js';
import { writeLatency } from './cluster/writeLatency.js';

const QUESTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  allKilled,
  bulkCost,
  drain,
  nodeLoss,
  searchLatency,
  serverLoss,
  writeLatency,
};

const [name = '', ...args] = process.argv.slice(2);
const question = QUESTIONS[name];
if (question === undefined) {
  console.log(`npm run bench:cluster -- NAME [options]; the names: ${Object.keys(QUESTIONS).join(', ')}`);
  process.exitCode = 2;
} else await question(args);
