/**
 * `npm run torture:cluster -- [--rounds 300] [--seed 1] [--ms 1500] [--nodes 3] [--nats-servers 3] [--writers 8] [--server MAIN]`: loses
 * nodes, NATS servers and links between them again and again while clients write through all nodes, and compares what all of
 * them have with what was acknowledged. Ends with 1 if anything was lost, carried out twice, or differs between nodes.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { natsVersion } from '../harness/natsServers.js';
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
  },
});
if (natsVersion() === undefined) process.exitCode = 1;
else {
  const started = performance.now();
  const { problems, folder, searchFailures, ...figures } = await tortureCluster({
    main: resolve(values.server),
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    ms: Number(values.ms),
    nodes: Number(values.nodes),
    natsServers: Number(values['nats-servers']),
    writers: Number(values.writers),
    long: true,
    log: (line) => console.log(line),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log({ ...figures, problems: problems.length, seconds });
  for (const failure of searchFailures) console.log(`search failed ${failure}`);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) {
    console.log(`the data are in ${folder}`);
    process.exitCode = 1;
  }
}
