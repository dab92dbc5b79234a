/** `resilin health`: whether the server of these settings answers, for whoever starts it again if it doesn't. */
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { parseServe } from './options.js';
import { serverSettings } from './serverSettings.js';
import { readSettingsFile } from './settingsFile.js';

export const HEALTH_HELP = `resilin health - whether a server on this machine answers

  resilin health [--config FILE] [--port N] [--host H]

takes the settings that the server was started with, from flags, the environment and resilin.yml. Leaves with 0 if it answers
within 5 s, whatever the health of its indices, and with 1 if it doesn't. It sends no credentials: a server with users that
refuses the request answers.
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
  try {
    const { status, body } = await ask(host, options.port, options.tls !== undefined);
    if (status !== 200 && status !== 401) {
      complain(`resilin: ${where} answers with ${status}\n`);
      return 1;
    }
    print(`${where} answers${healthIn(body)}\n`);
    return 0;
  } catch (e) {
    complain(`resilin: ${where} doesn't answer: ${(e as Error).message}\n`);
    return 1;
  }
}

/** Where this machine reaches a server that listens there. */
function ownAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ask(host: string, port: number, tls: boolean): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const send = tls ? tlsRequest : plainRequest;
    // Its certificate may be for another name; nothing secret is sent.
    const asked = send(
      { host, port, path: '/_cluster/health', agent: false, rejectUnauthorized: false },
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

/** What an answer says of the indices. */
function healthIn(body: string): string {
  const status = /"status":"(green|yellow|red)"/.exec(body)?.[1];
  return status === undefined ? '' : `, its indices are ${status}`;
}
