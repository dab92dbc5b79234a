/**
 * `resilin cluster repair`: what nodes share goes on with what the furthest of them have when its log has lost messages, and somebody says so: the
 * metadata, and indices.
 */
import { createInterface } from 'node:readline/promises';
import type { MetadataPlan } from '../replication/metadataRepair.js';
import { Flags, UsageError, wantsHelp } from './flags.js';
import { DEFAULT_URL, parseAddress } from './remote/address.js';
import { askJson, encoded, NoAnswer, Refused, type Requests } from './remote/requests.js';
import { Server } from './remote/server.js';
import type { Terminal } from './terminal/terminal.js';

export const CLUSTER_HELP = `resilin cluster repair - a cluster takes writes again after logs were lost

  resilin cluster repair [INDEX] [--node URL] [--from NODE] [--dry-run] [--yes]

Where NATS has lost messages of a log, or all of it, what it is of takes no changes any more: an index no writes, the metadata of the cluster
(indices, aliases, templates, settings) nothing. This shows what is wrong and how far all living nodes are, says what it would do, and asks.

The metadata go on with those of the node that is furthest: a new log begins with them, and the other nodes take them in the place of their own.
An index begins a new log, too; of each shard the copy counts that is furthest, and the other nodes fetch theirs from it. What only others have
is gone then: start all nodes first that were in the cluster.

  INDEX        this index alone; the metadata, then every index that takes no writes, without
  --node URL   any node of the cluster                      (default ${DEFAULT_URL})
  --from NODE  the node whose metadata count, by its name or id; the furthest without
  --dry-run    shows what would be done, and does nothing
  --yes        does it without asking

A user may stand in the address, http://ann:secret@one:9200; other credentials in RESILIN_AUTHORIZATION. It takes the privilege cluster:manage.
`;

/** What a node says that repairing an index would do. */
interface Plan {
  uuid: string;
  reason: string;
  copies: string[];
  found: { node: string; name?: string; shard: number; position: number }[];
}

/** What is wrong with a cluster. */
interface Overview {
  metadata?: MetadataPlan;
  indices: { index: string; reason: string }[];
}

/** How a repair goes on. */
interface Asking {
  terminal: Terminal;
  isDryRun: boolean;
  /** What is answered to a question; undefined where nobody can be asked. */
  answer: ((question: string) => Promise<string>) | undefined;
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
    const flags = new Flags(args, { valued: ['node', 'from'], plain: ['yes', 'dry-run'] });
    const [action, index, ...more] = flags.words;
    if (action !== 'repair' || more.length > 0)
      throw new UsageError('resilin cluster repair [INDEX] is what there is');
    const from = flags.value('from');
    if (index !== undefined && from !== undefined)
      throw new UsageError('--from chooses metadata, and an index goes on with the copies that are furthest');
    const address = parseAddress(flags.value('node') ?? DEFAULT_URL, env.RESILIN_AUTHORIZATION || undefined);
    server = new Server(address, 1);
    const isDryRun = flags.has('dry-run');
    const asking = { terminal, isDryRun, answer: flags.has('yes') ? async () => 'yes' : answer };
    const isDone =
      index === undefined ? await repairAll(server, from, asking) : await repairIndex(server, index, asking);
    return isDone || isDryRun ? 0 : 1;
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

/** Repairs the metadata, then every index that takes no writes; whether nothing is left to do. */
async function repairAll(server: Requests, from: string | undefined, asking: Asking): Promise<boolean> {
  const { print } = asking.terminal;
  const query = from === undefined ? '' : `?from=${encoded(from)}`;
  const look = async () => (await askJson(server, 'GET', `/_cluster/repair${query}`)) as Overview;
  let { metadata, indices } = await look();
  if (metadata === undefined && from !== undefined)
    print('The metadata can be changed: --from chooses nothing.\n');
  if (metadata !== undefined && !(await repairMetadata(server, metadata, from !== undefined, asking))) {
    for (const { index, reason } of indices) print(`[${index}] takes no writes either: ${reason}\n`);
    return false;
  }
  if (metadata !== undefined) ({ indices } = await look());
  else if (indices.length === 0) print('There is nothing to repair.\n');
  let isDone = true;
  for (const { index } of indices) isDone = (await repairIndex(server, index, asking)) && isDone;
  return isDone;
}

async function repairMetadata(
  server: Requests,
  { reason, from, position, split, found }: MetadataPlan,
  isChosen: boolean,
  asking: Asking,
): Promise<boolean> {
  const { print, complain } = asking.terminal;
  print(`The metadata of the cluster can't be changed: ${reason}\n\n`);
  print('node                    log    position in it\n');
  for (const { node, name, log, position: at, failure } of found) {
    const state = failure === undefined ? '' : `  ${failure}`;
    const mark = node === from ? '  counts' : '';
    print(`${name.padEnd(22)}  ${String(log).padStart(3)}  ${String(at).padStart(16)}${mark}${state}\n`);
  }
  const counting = found.find(({ node }) => node === from)?.name ?? from;
  print(`\nThis is done: a new log begins with the metadata of [${counting}], the others are deleted,\n`);
  print('and the other nodes take these metadata in the place of their own.\n');
  for (const { name, dropped } of found)
    if (dropped.length > 0)
      print(`[${name}] drops, since [${counting}] doesn't have them: ${dropped.join(', ')}\n`);
  if (split && !isChosen) {
    complain(
      'resilin: nodes have made different changes, and those of all but one are gone after this: say --from NODE for the one that counts\n',
    );
    return false;
  }
  if (!(await isAgreed(asking, 'Repair the metadata? (yes/no) '))) return false;
  const done = (await askJson(server, 'POST', '/_cluster/repair', JSON.stringify({ from, position }))) as {
    taken: string[];
    missing: string[];
  };
  print(`The metadata can be changed again; they are on ${done.taken.join(', ')}\n`);
  if (done.missing.length > 0)
    print(
      `not yet on ${done.missing.join(', ')}: these take them as soon as they can; their logs say more\n`,
    );
  return true;
}

/** Whether an index is repaired. */
async function repairIndex(server: Requests, index: string, asking: Asking): Promise<boolean> {
  const { print } = asking.terminal;
  const path = `/_cluster/repair/${encoded(index)}`;
  const plan = (await askJson(server, 'GET', path)) as Plan;
  print(`[${index}] takes no writes: ${plan.reason}\n\nshard  node                    position in its log\n`);
  plan.copies.forEach((best, shard) => {
    const copies = plan.found.filter((copy) => copy.shard === shard);
    copies.sort((a, b) => b.position - a.position);
    for (const { node, name = node, position } of copies) {
      const mark = node === best ? '  counts' : '';
      print(`${String(shard).padStart(5)}  ${name.padEnd(22)}  ${String(position).padStart(19)}${mark}\n`);
    }
  });
  print(
    '\nThis is done: the copies that count go on with a new log, and the other nodes fetch theirs from them.\n',
  );
  print('What only others have is gone then.\n');
  if (!(await isAgreed(asking, `Repair [${index}]? (yes/no) `))) return false;
  await askJson(server, 'POST', path, JSON.stringify({ uuid: plan.uuid, copies: plan.copies }));
  print(`[${index}] takes writes again; the other nodes fetch their copies\n`);
  return true;
}

async function isAgreed({ terminal, isDryRun, answer }: Asking, question: string): Promise<boolean> {
  const { print, complain } = terminal;
  if (isDryRun) {
    print('Nothing was done: this is a dry run.\n');
    return false;
  }
  if (answer === undefined) {
    complain('resilin: nothing was done: say --yes where nobody can be asked\n');
    return false;
  }
  const said = (await answer(question)).trim().toLowerCase();
  if (said === 'yes' || said === 'y') return true;
  print('Nothing was done.\n');
  return false;
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
