/** What the command `resilin` does. */
import { DataFolderError, IN_MEMORY } from '../server/dataFolder.js';
import type { RunningServer } from '../server/options.js';
import { startServer } from '../server/server.js';
import { VERSION } from '../version.js';
import { openLog } from '../server/log.js';
import { UsersFileError } from '../server/access/usersFile.js';
import { TlsFilesError } from '../server/tls.js';
import { CHECK_HELP, runCheck } from './checkCommand.js';
import { EXPORT_HELP, runExport } from './exportCommand.js';
import { HELP, parseCommand } from './options.js';
import { askPassword } from './password.js';
import { runUsersCommand } from './usersCommand.js';
import { USERS_HELP, type UsersCommand } from './usersOptions.js';

/** Seconds that finishing may take. */
const CLOSE_SECONDS = 60;

const command = parseCommand(process.argv.slice(2), process.env);
switch (command.kind) {
  case 'help':
    process.stdout.write(HELP);
    break;
  case 'usersHelp':
    process.stdout.write(USERS_HELP);
    break;
  case 'checkHelp':
    process.stdout.write(CHECK_HELP);
    break;
  case 'check':
    process.exitCode = await runCheck(
      command.folder,
      (line) => process.stdout.write(`${line}\n`),
      (line) => process.stderr.write(`${line}\n`),
    );
    break;
  case 'exportHelp':
    process.stdout.write(EXPORT_HELP);
    break;
  case 'export':
    process.exitCode = await runExport(
      command.options,
      (line) => process.stdout.write(`${line}\n`),
      (line) => process.stderr.write(`${line}\n`),
    );
    break;
  case 'users':
    await keepUsers(command.command);
    break;
  case 'version':
    process.stdout.write(`${VERSION}\n`);
    break;
  case 'mistake':
    process.stderr.write(`resilin: ${command.message}; see resilin --help\n`);
    process.exitCode = 2;
    break;
  case 'serve':
    await serve(command);
}

async function keepUsers(command: UsersCommand): Promise<void> {
  try {
    await runUsersCommand(command, {
      password: (name) => askPassword(name, process.stdin, process.stderr),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (e) {
    process.stderr.write(`resilin: ${e instanceof Error ? e.message : e}\n`);
    process.exitCode = 1;
  }
}

async function serve({
  port,
  host,
  data,
  threads,
  coordinators,
  resultCache,
  cors,
  hosts,
  repositories,
  log,
  logFormat,
  users,
  audit,
  tls,
}: Extract<typeof command, { kind: 'serve' }>): Promise<void> {
  let server: RunningServer;
  try {
    server = await startServer({
      port,
      host,
      data,
      repositories,
      log: openLog(log, logFormat),
      ...(users === undefined ? {} : { users }),
      ...(audit === undefined ? {} : { audit }),
      ...(tls === undefined ? {} : { tls }),
      ...(threads === undefined ? {} : { threads }),
      ...(coordinators === undefined ? {} : { coordinators }),
      ...(resultCache === undefined ? {} : { resultCache }),
      http: { hosts, ...(cors === undefined ? {} : { cors: { allowOrigin: cors } }) },
    });
  } catch (e) {
    process.stderr.write(`resilin: ${explain(e, port, host)}\n`);
    process.exitCode = 1;
    return;
  }
  const kept = data === IN_MEMORY ? 'nothing is kept' : `data in ${data}`;
  process.stdout.write(`resilin ${VERSION} answers on ${server.url}, ${kept}\n`);
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) {
      process.stderr.write('resilin: stopping at once\n');
      process.exit(1);
    }
    stopping = true;
    process.stdout.write(`resilin: ${signal}, finishing\n`);
    // Whatever a disk does, the process ends.
    setTimeout(() => {
      process.stderr.write(`resilin: not finished after ${CLOSE_SECONDS} s, stopping at once\n`);
      process.exit(1);
    }, CLOSE_SECONDS * 1000).unref();
    server.close().then(
      () => process.exit(0),
      (e) => {
        process.stderr.write(`resilin: ${e instanceof Error ? e.message : e}\n`);
        process.exit(1);
      },
    );
  };
  // Without such files it ends the process, as it does by default.
  if (users !== undefined || tls !== undefined) process.on('SIGHUP', () => server.reload());
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
}

/** Why the server didn't start, and what helps. */
function explain(e: unknown, port: number, host: string): string {
  if (e instanceof DataFolderError || e instanceof UsersFileError || e instanceof TlsFilesError)
    return e.message;
  const { code, message } = e as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken; stop what listens there, or choose another with --port`;
    case 'EACCES':
      return `port ${port} may not be used by this user; choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine; see --host`;
    default:
      return message ?? String(e);
  }
}
