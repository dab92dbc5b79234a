/** What the command `resilin` does. */

import { UsersFileError } from '../server/access/usersFile.js';
import { DataFolderError, IN_MEMORY } from '../server/dataFolder.js';
import { openLog } from '../server/log.js';
import type { RunningServer } from '../server/options.js';
import { startServer } from '../server/server.js';
import { TlsFilesError } from '../server/tls.js';
import { VERSION } from '../version.js';
import { CHECK_HELP, runCheck } from './checkCommand.js';
import { CONFIG_HELP, runConfig } from './configCommand.js';
import { HELP, parseCommand } from './options.js';
import { PACKAGE_HELP, runPackage } from './packageCommand.js';
import { askPassword } from './password.js';
import { type ServerSettings, serverSettings } from './serverSettings.js';
import { readSettingsFile } from './settingsFile.js';
import { runStandaloneCommand } from './standaloneCommands.js';
import { runUsersCommand } from './usersCommand.js';
import { USERS_HELP, type UsersCommand } from './usersOptions.js';

/** Seconds that finishing may take. */
const CLOSE_SECONDS = 60;

const status = await runStandaloneCommand(process.argv.slice(2));
const command =
  status === undefined
    ? parseCommand(process.argv.slice(2), process.env)
    : { kind: 'carriedOut' as const, status };
switch (command.kind) {
  case 'carriedOut':
    process.exitCode = command.status;
    break;
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
  case 'packageHelp':
    process.stdout.write(PACKAGE_HELP);
    break;
  case 'package':
    process.exitCode = await runPackage(
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
  case 'configHelp':
    process.stdout.write(CONFIG_HELP);
    break;
  case 'serve':
  case 'config': {
    const file = await readSettingsFile(command.file, process.env);
    const settings = serverSettings(command.flags, process.env, file);
    settings.problems.unshift(...command.mistakes);
    if (command.kind === 'config')
      process.exitCode = runConfig(
        settings,
        (line) => process.stdout.write(`${line}\n`),
        (line) => process.stderr.write(`${line}\n`),
      );
    else if (settings.problems.length === 0) await serve(settings);
    else {
      for (const problem of settings.problems)
        process.stderr.write(`resilin: ${problem}; see resilin --help\n`);
      process.exitCode = 2;
    }
  }
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

async function serve({ options, log: level, logFormat, warnings }: ServerSettings): Promise<void> {
  const { port, host, data, users, tls } = options;
  const log = openLog(level, logFormat, options.join === undefined ? undefined : options.node);
  for (const warning of warnings) log.warn(warning);
  let server: RunningServer;
  try {
    server = await startServer({ ...options, log });
  } catch (e) {
    process.stderr.write(`resilin: ${explain(e, port, host)}\n`);
    process.exitCode = 1;
    return;
  }
  const kept = data === IN_MEMORY ? 'nothing is kept' : `data in ${data}`;
  process.stdout.write(`resilin ${VERSION} answers on ${server.url}, ${kept}\n`);
  if (server.console !== undefined && process.stdout.isTTY)
    process.stdout.write(`for a look at it with a browser: ${server.console}\n`);
  let stopping = false;
  const stop = (reason: string, status = 0) => {
    if (stopping) {
      process.stderr.write('resilin: stopping at once\n');
      process.exit(1);
    }
    stopping = true;
    process.stdout.write(`resilin: ${reason}, finishing\n`);
    // Whatever a disk does, the process ends.
    setTimeout(() => {
      process.stderr.write(`resilin: not finished after ${CLOSE_SECONDS} s, stopping at once\n`);
      process.exit(1);
    }, CLOSE_SECONDS * 1000).unref();
    server.close().then(
      () => process.exit(status),
      (e) => {
        process.stderr.write(`resilin: ${e instanceof Error ? e.message : e}\n`);
        process.exit(1);
      },
    );
  };
  // A terminal that is closed ends the server, unless there is something to read again.
  const isReloaded = users !== undefined || tls !== undefined || !process.stdin.isTTY;
  process.on('SIGHUP', () => (isReloaded ? server.reload() : stop('SIGHUP')));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  const { replaced } = server;
  const give = () => {
    const { message } = replaced!.reason as Error;
    log.error(message);
    stop(message, 1);
  };
  if (replaced?.aborted === true) give();
  else replaced?.addEventListener('abort', give, { once: true });
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
