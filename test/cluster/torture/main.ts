/**
 * `npm run torture:cluster -- --help`: loses nodes, NATS servers and links between them again and again while clients write through all nodes, and
 * compares what all of them have with what was acknowledged.
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
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const HELP = `npm run torture:cluster -- [options]

Loses nodes, NATS servers and links again and again while clients write, and compares all nodes with what was
acknowledged. Ends with 1 if anything was lost, carried out twice, or differs.

  --rounds N         rounds of faults (300)
  --seed N           the same faults again (1)
  --ms N             milliseconds that a fault lasts, about (1500)
  --nodes N          nodes (3)
  --nats-servers N   servers of NATS (3); nats-server is looked for on the PATH
  --writers N        clients that write (8)
  --server FILE      the command line that is run (build/js/host/cli/main.js)
  --secured          with users, passwords and TLS
  --faults K1,K2     these kinds alone: ${FAULT_KINDS.join(', ')}
  --rolling TURNS    instead: end one node after the other, and start it again; no request may fail
  --upgrade-to FILE  start them again as this version
`;
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

if (values.help) process.stdout.write(HELP);
else if (natsVersion() === undefined) process.exitCode = 1;
else {
  const started = performance.now();
  const problems = await (values.rolling === undefined ? faults() : rolling(Number(values.rolling)));
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
