/** `resilin bench URL`: latency and throughput of one's own queries. */
import { writeFileSync } from 'node:fs';
import { wantsHelp } from '../flags.js';
import { Server } from '../remote/server.js';
import { ended, INTERRUPTED } from '../terminal/exitStatus.js';
import { stoppedBy } from '../terminal/signals.js';
import type { Terminal } from '../terminal/terminal.js';
import { latencyChart, latencyTable, summaryOf } from './latencyTable.js';
import { load } from './load.js';
import { parseQueries, QUERIES_HELP, type QueriesCommand } from './queriesOptions.js';
import { readQueries } from './queryFile.js';

const SOME_FAILED = 1;

/** Carries it out; returns the exit status. */
export async function runQueries(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(QUERIES_HELP);
    return 0;
  }
  return ended('bench http://HOST', terminal, async () => {
    const command = parseQueries(args, env);
    const server = new Server(command.address, command.connections);
    try {
      return await measure(server, command, terminal);
    } finally {
      await server.close();
    }
  });
}

async function measure(server: Server, command: QueriesCommand, terminal: Terminal): Promise<number> {
  const { connections, seconds, warmUp, requests, svg, isJson } = command;
  const queries = readQueries(command.queries, command.index);
  const stop = new AbortController();
  const signals = stoppedBy(() => stop.abort());
  const seen = await load(server, queries, {
    connections,
    ms: 1000 * seconds,
    warmUpMs: 1000 * warmUp,
    most: requests,
    stop: stop.signal,
  });
  signals.forget();
  const summary = summaryOf(seen);
  if (isJson) terminal.print(`${JSON.stringify({ connections, ...summary }, null, 2)}\n`);
  else terminal.print(latencyTable(summary, connections));
  if (svg !== undefined) writeFileSync(svg, latencyChart(summary));
  if (seen.error !== undefined) terminal.complain(`resilin: ${seen.error}\n`);
  if (signals.signal !== undefined) return INTERRUPTED;
  return seen.error === undefined ? 0 : SOME_FAILED;
}
