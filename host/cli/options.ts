/** Flags and environment of the command. */

import type { ExportOptions } from './exportCommand.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../server/log.js';
import type { TlsFiles } from '../server/tls.js';
import { type ParsedUsersCommand, parseUsersCommand } from './usersOptions.js';

/** What the command was asked for. */
export type Command =
  | {
      kind: 'serve';
      port: number;
      host: string;
      data: string;
      /** Data workers. */
      threads: number | undefined;
      coordinators: number | undefined;
      /** Megabytes for each data worker. */
      resultCache: number | undefined;
      cors: string | undefined;
      hosts: readonly string[];
      repositories: readonly string[];
      log: LogLevel;
      /** By whether stderr is a terminal without it. */
      logFormat: LogFormat | undefined;
      users: string | undefined;
      audit: string | undefined;
      tls: TlsFiles | undefined;
    }
  | ParsedUsersCommand
  | { kind: 'check'; folder: string }
  | { kind: 'checkHelp' }
  | { kind: 'export'; options: ExportOptions }
  | { kind: 'exportHelp' }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'mistake'; message: string };

export const HELP = `resilin - a search server that speaks the Elasticsearch 1.7 interface

  resilin [--port 9200] [--host 127.0.0.1] [--data ./data] [--threads N[,M]] [--cors ORIGIN]
          [--allow-host NAME[,NAME]] [--repo FOLDER[,FOLDER]] [--log LEVEL] [--log-format text|json]
          [--users FILE] [--tls-cert FILE --tls-key FILE] [--audit FILE]
  resilin user add|list|remove ...     who may ask for what; see resilin user --help
  resilin key add|list|remove ...
  resilin check FOLDER                 what of a stopped server's folder is damaged
  resilin export INDEX|URL FILE        an index as one file, for browsers; see resilin export --help
  resilin bench                        how fast the core is on this machine; see resilin bench --help

  --port N       port to listen on                                  (RESILIN_PORT, default 9200)
  --host H       address to listen on; 0.0.0.0 opens it to others,
                 who may do everything without --users              (RESILIN_HOST, default 127.0.0.1)
  --data FOLDER  where everything is kept; :memory: keeps nothing   (RESILIN_DATA, default ./data)
  --threads N,M  data workers, and threads that accept connections  (RESILIN_THREADS, default half of the
                                                                     cores each; cores - 1 and 1 below 4)
  --result-cache MB
                 for results of searches that come again, in each data
                 worker; 0 computes all of them                (RESILIN_RESULT_CACHE, default 4)
  --repo FOLDERS where snapshots may be kept, as path.repo; several with
                 commas between                        (RESILIN_REPO, default DATA/repositories)
  --cors ORIGIN  let pages of other origins in: *, an origin, or
                 /a regular expression/; nobody by default          (RESILIN_CORS)
  --allow-host N a name that requests may be addressed to, besides
                 localhost, addresses and --host; several with commas
                 between; *.example.org is all below it    (RESILIN_ALLOW_HOST)
  --log LEVEL    of the log on stderr: silent, error, warn, info,
                 debug (every answer) or trace                      (RESILIN_LOG, default info)
  --log-format F text for people, json for programs   (RESILIN_LOG_FORMAT, default text on a terminal,
                                                                     json elsewhere)
  --users FILE   let only these users and API keys in, as far as their
                 grants go; read again at SIGHUP                    (RESILIN_USERS)
  --audit FILE   write down who did what to which index, refused or not:
                 lines of JSON, a new file every 64 MB                (RESILIN_AUDIT)
  --tls-cert F   speak https with this certificate, a PEM file that may
                 hold its issuers' too; read again at SIGHUP        (RESILIN_TLS_CERT)
  --tls-key F    the certificate's key, a PEM file                  (RESILIN_TLS_KEY)
  --version      print the version and leave
  --help         print this and leave

A first conversation:

  curl -XPUT  localhost:9200/books
  curl -XPUT  localhost:9200/books/book/1?refresh=true -d '{"title": "The name of the rose"}'
  curl        'localhost:9200/books/_search?pretty' -d '{"query": {"match": {"title": "rose"}}}'

Ctrl-C (SIGINT) or SIGTERM finishes what is under way and stops. What was acknowledged is on disk in any case.
`;

/** Reads the arguments; flags win over the environment. */
export function parseCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const [topic, ...rest] = args;
  if (topic === 'check') return parseCheck(rest);
  if (topic === 'export') return parseExport(rest, env);
  if (topic === 'user' || topic === 'key') return parseUsersCommand(topic, rest, env);
  const given: Record<string, string | undefined> = {
    port: env.RESILIN_PORT,
    host: env.RESILIN_HOST,
    data: env.RESILIN_DATA,
    threads: env.RESILIN_THREADS,
    'result-cache': env.RESILIN_RESULT_CACHE,
    cors: env.RESILIN_CORS,
    'allow-host': env.RESILIN_ALLOW_HOST,
    repo: env.RESILIN_REPO,
    log: env.RESILIN_LOG,
    'log-format': env.RESILIN_LOG_FORMAT,
    users: env.RESILIN_USERS,
    audit: env.RESILIN_AUDIT,
    'tls-cert': env.RESILIN_TLS_CERT,
    'tls-key': env.RESILIN_TLS_KEY,
  };
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = splitFlag(args[i]!);
    if (flag === '--help' || flag === '-h') return { kind: 'help' };
    if (flag === '--version') return { kind: 'version' };
    const name = flag.slice(2);
    if (!flag.startsWith('--') || !Object.hasOwn(given, name)) return mistake(`unknown argument ${args[i]}`);
    const value = inline ?? args[++i];
    if (value === undefined || value === '') return mistake(`${flag} needs a value`);
    given[name] = value;
  }
  const port = given.port === undefined || given.port === '' ? 9200 : whole(given.port, 0, 65_535);
  if (port === undefined) return mistake(`--port must be a number from 0 to 65535, not ${given.port}`);
  const [threads, coordinators] = given.threads?.split(/,(.*)/s).map((n) => whole(n, 1, 256)) ?? [];
  if (given.threads && (threads === undefined || (given.threads.includes(',') && coordinators === undefined)))
    return mistake(notThreads(given.threads));
  const cache = given['result-cache'] || undefined;
  const resultCache = cache === undefined ? undefined : whole(cache, 0, 1024);
  if (cache !== undefined && resultCache === undefined)
    return mistake(`--result-cache must be a number of megabytes from 0 to 1024, not ${cache}`);
  const log = LOG_LEVELS.find((level) => level === (given.log || 'info'));
  if (log === undefined) return mistake(`--log must be one of ${LOG_LEVELS.join(', ')}, not ${given.log}`);
  const logFormat = LOG_FORMATS.find((format) => format === given['log-format']);
  if (given['log-format'] && logFormat === undefined)
    return mistake(`--log-format must be one of ${LOG_FORMATS.join(', ')}, not ${given['log-format']}`);
  const cors = given.cors || undefined;
  if (cors !== undefined && !isOrigin(cors))
    return mistake(`--cors must be an origin or a /pattern/, not ${cors}`);
  const [cert, key] = [given['tls-cert'], given['tls-key']];
  if (!cert !== !key) return mistake('--tls-cert and --tls-key go together');
  return {
    kind: 'serve',
    port,
    host: given.host || '127.0.0.1',
    data: given.data || './data',
    threads,
    coordinators,
    resultCache,
    cors,
    log,
    logFormat,
    users: given.users || undefined,
    audit: given.audit || undefined,
    tls: cert && key ? { cert, key } : undefined,
    hosts: listOf(given['allow-host']),
    repositories: listOf(given.repo),
  };
}

/** The parts between commas. */
function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function splitFlag(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return arg.startsWith('--') && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, undefined];
}

/** A pattern must be one that can be compiled. */
function isOrigin(text: string): boolean {
  const pattern = /^\/(.+)\/$/.exec(text)?.[1];
  if (pattern === undefined) return !text.startsWith('/');
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

function whole(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
}

function mistake(message: string): Command {
  return { kind: 'mistake', message };
}

/** Reads the arguments behind `check`. */
function parseCheck(args: readonly string[]): Command {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'checkHelp' };
  const [folder, ...more] = args;
  if (folder === undefined || folder.startsWith('--'))
    return { kind: 'mistake', message: 'check which folder?' };
  if (more.length > 0) return { kind: 'mistake', message: `check one folder: what is ${more[0]}?` };
  return { kind: 'check', folder };
}

/** Reads the arguments behind `export`. */
function parseExport(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  let data = env.RESILIN_DATA || './data';
  const names: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = splitFlag(args[i]!);
    if (flag === '--help' || flag === '-h') return { kind: 'exportHelp' };
    if (!flag.startsWith('--')) {
      names.push(args[i]!);
      continue;
    }
    if (flag !== '--data') return mistake(`unknown argument ${args[i]}`);
    const value = inline ?? args[++i];
    if (value === undefined || value === '') return mistake('--data needs a value');
    data = value;
  }
  const [index, file, ...more] = names;
  if (index === undefined || file === undefined) return mistake('export which index to which file?');
  if (more.length > 0) return mistake(`export one index to one file: what is ${more[0]}?`);
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  return {
    kind: 'export',
    options: { index, file, data, ...(authorization === undefined ? {} : { authorization }) },
  };
}

function notThreads(given: string): string {
  return `--threads must be a number from 1 to 256, or two of them with a comma between, not ${given}`;
}
