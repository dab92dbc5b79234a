/**
 * `npm run torture:cluster -- [--rounds 300] [--seed 1] [--ms 1500] [--nodes 3] [--nats-servers 3] [--writers 8] [--server MAIN]
 * [--secured] [--faults KIND,…]`: loses nodes, NATS servers and links between them again and again while clients write through all nodes, and compares what all of
 * them have with what was acknowledged. Ends with 1 if anything was lost, carried out twice, or differs between nodes.
 *
 * `-- --rolling TURNS [--upgrade-to MAIN]` ends one node after the other in order, and starts it again, under load of clients that retry
 * connections: no request may fail.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { natsVersion } from '../harness/natsServers.js';
import { FAULT_KINDS } from './faults.js';
import { rollingRestart } from './rolling.js';
import { tortureCluster } from './tortureCluster.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    ms: { type: 'string', default: '1500' },
    nodes: { type: 'string', default: '3' },
    'nats-servers': { type: 'string', default: '3' },
    writers: { type: 'string', default: '8' },
    server: { type: 'string', default: 'build/js/host/cli/main.js' },
    secured: { type: 'boolean', default: false },
    faults: { type: 'string' },
    rolling: { type: 'string' },
    'upgrade-to': { type: 'string' },
  },
});
const shared = {
  main: resolve(values.server),
  seed: Number(values.seed),
  nodes: Number(values.nodes),
  natsServers: Number(values['nats-servers']),
  writers: Number(values.writers),
  log: (line: string) => console.log(line),
};

async function faults(): Promise<readonly string[]> {
  const kinds = values.faults?.split(',');
  const unknown = kinds?.find((kind) => !FAULT_KINDS.includes(kind));
  if (unknown !== undefined) throw new Error(`[${unknown}] is none of: ${FAULT_KINDS.join(', ')}`);
  const { problems, folder, searchFailures, ...figures } = await tortureCluster({
    ...shared,
    ...(kinds === undefined ? {} : { faults: kinds }),
    ...{ rounds: Number(values.rounds), ms: Number(values.ms), long: true, secured: values.secured },
  });
  console.log({ ...figures, problems: problems.length });
  for (const failure of searchFailures) console.log(`search failed ${failure}`);
  if (problems.length > 0) console.log(`the data are in ${folder}`);
  return problems;
}

async function rolling(turns: number): Promise<readonly string[]> {
  const newer = values['upgrade-to'];
  const upgrade = newer === undefined ? {} : { upgradeTo: resolve(newer) };
  const { problems, ...figures } = await rollingRestart({ ...shared, ...upgrade, turns });
  console.log({ ...figures, problems: problems.length });
  return problems;
}

if (natsVersion() === undefined) process.exitCode = 1;
else {
  const started = performance.now();
  const problems = await (values.rolling === undefined ? faults() : rolling(Number(values.rolling)));
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
