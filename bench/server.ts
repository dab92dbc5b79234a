/** Questions about the whole server, over HTTP: `npm run bench:server -- NAME [options]`; bench/README.md says which there are. */

import { adversary } from './cost/adversary.js';
import { attacks } from './server/attacks.js';
import { besideHeavy } from './server/besideHeavy.js';
import { bulkSpeed } from './server/bulkSpeed.js';
import { coldCache } from './server/coldCache.js';
import { fuzzHttp } from './server/fuzzHttp.js';
import { hugeBulk } from './server/hugeBulk.js';
import { importSpeed } from './server/importSpeed.js';
import { manyShards } from './server/manyShards.js';
import { reindex } from './server/reindex.js';
import { searchLatency } from './server/searchLatency.js';
import { sizing } from './server/sizing.js';
import { throughput } from './server/throughput.js';

const QUESTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  attacks,
  adversary,
  besideHeavy,
  bulkSpeed,
  coldCache,
  fuzzHttp,
  hugeBulk,
  importSpeed,
  manyShards,
  reindex,
  searchLatency,
  sizing,
  throughput,
};

const [name = '', ...args] = process.argv.slice(2);
const question = QUESTIONS[name];
if (question === undefined) {
  console.log(`npm run bench:server -- NAME [options]; the names: ${Object.keys(QUESTIONS).join(', ')}`);
  process.exitCode = 2;
} else {
  await question(args);
}
