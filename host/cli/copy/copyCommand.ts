/** `resilin copy`: an index of a server into another index. */
import { UsageError, wantsHelp } from '../flags.js';
import { BulkSender } from '../remote/bulkSender.js';
import { makeIndex } from '../remote/indexMaking.js';
import { RefusedFile } from '../remote/refusedFile.js';
import { encoded, type Requests } from '../remote/requests.js';
import { Server } from '../remote/server.js';
import { ended, INTERRUPTED, SOME_REFUSED } from '../terminal/exitStatus.js';
import { Progress } from '../terminal/progress.js';
import { stoppedBy } from '../terminal/signals.js';
import type { Terminal } from '../terminal/terminal.js';
import { copyDocuments } from './copying.js';
import { COPY_HELP, type CopyCommand, parseCopy } from './copyOptions.js';
import { indexToMake } from './indexSettings.js';

const BULK_BYTES = 4 * 1024 * 1024;

/** Carries it out; returns the exit status. */
export async function runCopy(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(COPY_HELP);
    return 0;
  }
  return ended('copy', terminal, async () => {
    const command = parseCopy(args, env);
    const from = new Server(command.from, 1);
    const to = new Server(command.to, command.connections);
    try {
      return await copy(from, to, command, terminal);
    } finally {
      await from.close();
      await to.close();
    }
  });
}

async function copy(from: Requests, to: Requests, command: CopyCommand, terminal: Terminal): Promise<number> {
  const { index } = command.to;
  const refused = new RefusedFile(command.refused, [`${from.name}/${command.from.index}`]);
  if (refused.isThere)
    throw new UsageError(`${refused.path} is there already; move it, or name another with --refused`);
  await makeIndex(to, index, await indexToMake(from, command.from.index));
  let settled = 0;
  let total = 0;
  const look = () => ({
    items: settled - refused.count,
    refused: refused.count,
    share: total === 0 ? undefined : settled / total,
  });
  const progress = command.isQuiet ? undefined : new Progress(terminal.status, 'documents', look);
  const retrying = (reason: string) => progress?.tell(`resilin: ${reason}; trying again`);
  const began = (documents: number) => {
    total = documents;
  };
  const sender = new BulkSender(to, {
    path: `/${encoded(index)}/_bulk`,
    lanes: command.connections,
    bulkBytes: BULK_BYTES,
    tries: command.tries,
    refuse: (action) => refused.add(action),
    done: (actions) => {
      settled += actions;
    },
    retrying,
  });
  const stop = new AbortController();
  const signals = stoppedBy(() => {
    stop.abort();
    void sender.stop();
  });
  try {
    const options = { ...command, index: command.from.index };
    const reading = { stop: stop.signal, tries: command.tries, retrying, began };
    await copyDocuments(from, options, sender, reading);
  } finally {
    await sender.stop();
    refused.close();
    signals.forget();
    progress?.stop();
  }
  if (signals.signal !== undefined) {
    terminal.complain(
      `resilin: stopped after ${settled} of ${total} documents; the same command begins anew\n`,
    );
    return INTERRUPTED;
  }
  const taken = (settled - refused.count).toLocaleString('en');
  const told = refused.count === 0 ? '' : `, ${refused.count.toLocaleString('en')} refused: ${refused.path}`;
  if (!command.isQuiet) terminal.print(`${taken} documents taken${told}\n`);
  return refused.count === 0 ? 0 : SOME_REFUSED;
}
