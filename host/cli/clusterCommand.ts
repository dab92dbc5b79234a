/** `resilin cluster repair`: an index whose log has lost messages goes on with the copies that are furthest, when somebody says so. */
import { createInterface } from 'node:readline/promises';
import { Flags, UsageError, wantsHelp } from './flags.js';
import { DEFAULT_URL, parseAddress } from './remote/address.js';
import { askJson, encoded, NoAnswer, Refused, type Requests } from './remote/requests.js';
import { Server } from './remote/server.js';
import type { Terminal } from './terminal/terminal.js';

export const CLUSTER_HELP = `resilin cluster repair - an index of a cluster takes writes again after its log was lost

  resilin cluster repair INDEX [--node URL] [--yes]

Where NATS has lost messages of an index's log, or all of it, or copies of a shard differ, the index takes no writes. This shows how far
the copies on all living nodes are, and asks. Then the index begins a new log; of each shard the copy counts that is furthest, and the other
nodes fetch theirs from it. What only other copies have is gone then: start all nodes that had copies first.

  --node URL   any node of the cluster                      (default ${DEFAULT_URL})
  --yes        does it without asking

A user may stand in the address, http://ann:secret@one:9200; other credentials in RESILIN_AUTHORIZATION. It takes the privilege cluster:manage.
`;

/** What a node says that a repair would do. */
interface Plan {
  uuid: string;
  reason: string;
  copies: string[];
  found: { node: string; shard: number; position: number }[];
}

/** Carries the command out; returns the status to leave with. @param answer what is answered to a question; asked at a terminal without */
export async function runCluster(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
  answer: ((question: string) => Promise<string>) | undefined = atTerminal(),
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(CLUSTER_HELP);
    return 0;
  }
  let server: Server | undefined;
  try {
    const flags = new Flags(args, { valued: ['node'], plain: ['yes'] });
    const [action, index, ...more] = flags.words;
    if (action !== 'repair' || index === undefined || more.length > 0)
      throw new UsageError('resilin cluster repair INDEX is what there is');
    const address = parseAddress(flags.value('node') ?? DEFAULT_URL, env.RESILIN_AUTHORIZATION || undefined);
    server = new Server(address, 1);
    return await repair(server, index, terminal, flags.has('yes') ? async () => 'yes' : answer);
  } catch (e) {
    if (!(e instanceof UsageError || e instanceof Refused || e instanceof NoAnswer)) throw e;
    terminal.complain(
      `resilin: ${e.message}${e instanceof UsageError ? '; see resilin cluster --help' : ''}\n`,
    );
    return e instanceof UsageError ? 2 : 1;
  } finally {
    await server?.close();
  }
}

async function repair(
  server: Requests,
  index: string,
  { print, complain }: Terminal,
  answer: ((question: string) => Promise<string>) | undefined,
): Promise<number> {
  const path = `/_cluster/repair/${encoded(index)}`;
  const plan = (await askJson(server, 'GET', path)) as Plan;
  print(`[${index}] takes no writes: ${plan.reason}\n\nshard  node                    position in its log\n`);
  plan.copies.forEach((best, shard) => {
    const copies = plan.found.filter((copy) => copy.shard === shard);
    copies.sort((a, b) => b.position - a.position);
    for (const { node, position } of copies) {
      const mark = node === best ? '  counts' : '';
      print(`${String(shard).padStart(5)}  ${node.padEnd(22)}  ${String(position).padStart(19)}${mark}\n`);
    }
  });
  print('\nThe copies that count go on with a new log; what only others have is gone then.\n');
  if (answer === undefined) {
    complain('resilin: nothing was done: say --yes where nobody can be asked\n');
    return 1;
  }
  const said = (await answer('Repair it? (yes/no) ')).trim().toLowerCase();
  if (said !== 'yes' && said !== 'y') {
    print('Nothing was done.\n');
    return 1;
  }
  await askJson(server, 'POST', path, JSON.stringify({ uuid: plan.uuid, copies: plan.copies }));
  print(`[${index}] takes writes again; the other nodes fetch their copies\n`);
  return 0;
}

/** Asks at a terminal; undefined where there is none. */
function atTerminal(): ((question: string) => Promise<string>) | undefined {
  if (!process.stdin.isTTY) return undefined;
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}
