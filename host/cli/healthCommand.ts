/** `resilin health`: whether a server answers, for whoever starts it again if it doesn't; or the nodes of a cluster. */
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { UsageError } from './flags.js';
import { parseServe } from './options.js';
import { type Address, parseAddress } from './remote/address.js';
import { serverSettings } from './serverSettings.js';
import { readSettingsFile } from './settingsFile.js';

export const HEALTH_HELP = `resilin health - whether a server answers

  resilin health [--config FILE] [--port N] [--host H]
  resilin health --url URL[,URL]        nodes of a cluster: http://one:9200,two:9200

takes the settings that the server on this machine was started with, from flags, the environment and resilin.yml. Leaves with 0 if it
answers within 5 s, whatever the health of its indices, and with 1 if it doesn't. It sends no credentials: a server with users
that refuses the request answers. A node of a cluster answers when it has carried out all that was acknowledged before.

With --url every node is asked, and told of; it leaves with 0 if one of them answers. A user may stand in the address,
http://ann:secret@one:9200; other credentials in RESILIN_AUTHORIZATION.
`;

const PATIENCE_MS = 5000;
/** Answers are shorter. */
const MOST_BYTES = 64 * 1024;

/** Asks the server; returns the status to leave with. */
export async function runHealth(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  complain: (text: string) => void,
): Promise<number> {
  const urls = args.findIndex((arg) => arg === '--url' || arg.startsWith('--url='));
  if (urls >= 0) return askNodes(args, urls, env, print, complain);
  const command = parseServe('health', args, env);
  if (command.kind !== 'health') {
    print(HEALTH_HELP);
    return 0;
  }
  const { options, problems } = serverSettings(command.flags, env, await readSettingsFile(command.file, env));
  problems.unshift(...command.mistakes);
  for (const problem of problems) complain(`resilin: ${problem}; see resilin health --help\n`);
  if (problems.length > 0) return 2;
  const host = ownAddress(options.host);
  const where = `${host.includes(':') ? `[${host}]` : host}:${options.port}`;
  const url = `${options.tls === undefined ? 'http' : 'https'}://${where}`;
  return (await tell(url, where, undefined, print, complain)) ? 0 : 1;
}

/** Asks the nodes of `--url`, at that place of the arguments. */
async function askNodes(
  args: readonly string[],
  at: number,
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  complain: (text: string) => void,
): Promise<number> {
  const inline = args[at]!.startsWith('--url=') ? args[at]!.slice('--url='.length) : undefined;
  const typed = inline ?? args[at + 1];
  const rest = args.filter((_, i) => i !== at && (inline !== undefined || i !== at + 1));
  let address: Address;
  try {
    if (typed === undefined || typed === '') throw new UsageError('--url needs a value');
    if (rest.length > 0) throw new UsageError(`--url stands alone: what is ${rest[0]}?`);
    address = parseAddress(typed, env.RESILIN_AUTHORIZATION || undefined);
  } catch (e) {
    complain(`resilin: ${(e as Error).message}; see resilin health --help\n`);
    return 2;
  }
  const { url, others = [], authorization } = address;
  const nodes = [url, ...others];
  const answer = await Promise.all(
    nodes.map((each) => tell(each, new URL(each).host, authorization, print, complain)),
  );
  return answer.includes(true) ? 0 : 1;
}

/** Tells whether a server answers, and what it says. */
async function tell(
  url: string,
  where: string,
  authorization: string | undefined,
  print: (text: string) => void,
  complain: (text: string) => void,
): Promise<boolean> {
  try {
    const { status, body } = await ask(url, authorization);
    if (status !== 200 && status !== 401) {
      complain(`resilin: ${where} answers with ${status}\n`);
      return false;
    }
    print(`${where} answers${healthIn(body)}\n`);
    return true;
  } catch (e) {
    complain(`resilin: ${where} doesn't answer: ${(e as Error).message}\n`);
    return false;
  }
}

/** Where this machine reaches a server that listens there. */
function ownAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ask(url: string, authorization: string | undefined): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? tlsRequest : plainRequest;
    const asked = send(
      `${url}/_cluster/health`,
      {
        agent: false,
        headers: authorization === undefined ? {} : { authorization },
        // Its certificate may be for another name, as long as nothing secret is sent.
        rejectUnauthorized: authorization !== undefined,
      },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          if (body.length < MOST_BYTES) body += text;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
        answer.on('error', reject);
      },
    );
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('it takes more than 5 s')));
    asked.on('error', reject);
    asked.end();
  });
}

/** What an answer says of the indices, and of the nodes where there are several. */
function healthIn(body: string): string {
  const status = /"status":"(green|yellow|red)"/.exec(body)?.[1];
  if (status === undefined) return '';
  const number = (name: string) => Number(new RegExp(`"${name}":(\\d{1,9})`).exec(body)?.[1] ?? 0);
  const nodes = number('number_of_nodes');
  const shards = [
    [number('initializing_shards'), 'being made'],
    [number('relocating_shards'), 'moving'],
    [number('unassigned_shards'), 'not assigned'],
  ] as const;
  const told = nodes < 2 ? [] : shards.filter(([count]) => count > 0);
  return [
    `, its indices are ${status}`,
    nodes < 2 ? '' : `; ${nodes} nodes`,
    ...told.map(([count, what]) => `, ${count} copies ${what}`),
  ].join('');
}
