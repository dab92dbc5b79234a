/** `resilin import`: reads files into an index. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UsageError, wantsHelp } from '../flags.js';
import { indexBodyOf, makeIndex } from '../remote/indexMaking.js';
import { RefusedFile } from '../remote/refusedFile.js';
import { encoded, errorOf, type Requests } from '../remote/requests.js';
import { Server } from '../remote/server.js';
import {
  ALL_TAKEN,
  ENDED_EARLY,
  ended,
  INTERRUPTED,
  messageOf,
  SOME_REFUSED,
  USAGE,
} from '../terminal/exitStatus.js';
import { Progress } from '../terminal/progress.js';
import { stoppedBy } from '../terminal/signals.js';
import type { Terminal } from '../terminal/terminal.js';
import { Importing } from './importing.js';
import { IMPORT_HELP, type ImportCommand, parseImport } from './importOptions.js';
import { identityOf, STANDARD_INPUT } from './input.js';
import {
  type ImportIdentity,
  type ImportState,
  lockState,
  newState,
  readState,
  writeState,
} from './resumeFile.js';

const UNAUTHORIZED = 401;
/** Bytes of which the ids begin that are made here. */
const PREFIX_BYTES = 9;

/** Carries it out; returns the exit status. */
export async function runImport(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(IMPORT_HELP);
    return ALL_TAKEN;
  }
  return ended('import', terminal, async () => {
    const command = parseImport(args, env);
    const lock = command.resume === undefined ? undefined : await lockState(command.resume);
    try {
      const target = await open(command, terminal);
      try {
        return await runOn(target, command, terminal);
      } finally {
        await target.close();
      }
    } finally {
      lock?.release();
    }
  });
}

/** What takes the documents. */
async function open({ data, address, connections }: ImportCommand, terminal: Terminal): Promise<Requests> {
  if (data === undefined) return new Server(address, connections);
  // Its packages need not be there where documents go to a server.
  const { Folder } = await import('../remote/folder.js');
  return Folder.open(resolve(data), (warning) => terminal.complain(`resilin: ${warning}\n`));
}

async function runOn(requests: Requests, command: ImportCommand, terminal: Terminal): Promise<number> {
  const identity = identify(requests, command);
  const first = command.files[0]!;
  const isInput = first === STANDARD_INPUT;
  const resume = command.resume ?? (isInput ? undefined : `${first}.resume.json`);
  const found = command.resume === undefined ? undefined : readState(command.resume, identity);
  const state = found ?? newState(identity, randomBytes(PREFIX_BYTES).toString('base64url'));
  const names = identity.files.map(({ name }) => name);
  const refused = new RefusedFile(command.refused ?? `${isInput ? 'stdin' : first}.refused.jsonl`, names);
  if (found !== undefined) await refused.resume(state.place);
  else if (refused.isThere)
    throw new UsageError(
      `${refused.path} is there already, of another import; move it, or name another with --refused`,
    );
  await prepare(requests, command);
  const save = (next: ImportState) => {
    if (command.resume !== undefined) writeState(command.resume, next);
  };
  const total = identity.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let progress: Progress | undefined;
  const importing = new Importing(
    requests,
    {
      ...command,
      path: pathOf(command),
      isIndexNamed: command.index === undefined,
      retrying: (reason) => progress?.tell(`resilin: ${reason}; trying again`),
    },
    state,
    refused,
    save,
  );
  if (!command.isQuiet)
    progress = new Progress(terminal.status, 'documents', () => ({
      items: importing.settled - refused.count,
      refused: refused.count,
      share: total === 0 ? undefined : Math.min(1, importing.bytesSettled / total),
    }));
  const signals = stoppedBy((signal) => {
    progress?.tell(`resilin: ${signal}, waiting for what is under way`);
    void importing.stop();
  });
  const started = performance.now();
  let failure: unknown;
  try {
    await importing.run();
  } catch (e) {
    failure = e;
  } finally {
    signals.forget();
    progress?.stop();
  }
  const isEnd = failure === undefined && signals.signal === undefined;
  if (isEnd) {
    if (!command.isQuiet) terminal.print(`${summary(importing, refused, performance.now() - started)}\n`);
    return refused.count === 0 ? ALL_TAKEN : SOME_REFUSED;
  }
  if (failure !== undefined) terminal.complain(`resilin: ${messageOf(failure)}\n`);
  if (failure instanceof UsageError && importing.settled === 0) return USAGE;
  terminal.complain(`resilin: ${howToGoOn(importing, resume, command)}\n`);
  return failure === undefined ? INTERRUPTED : ENDED_EARLY;
}

function identify(requests: Requests, command: ImportCommand): ImportIdentity {
  const { files, index, type, format, id, delimiter, isText } = command;
  return {
    reading: JSON.stringify({ format, id, delimiter, isText }),
    target: `${requests.name}${index === undefined ? '' : `/${encoded(index)}/${encoded(type)}`}`,
    files: files.map((file) => {
      const name = file === STANDARD_INPUT ? file : resolve(file);
      return { name, ...(identityOf(name) ?? { bytes: 0, modifiedMs: 0 }) };
    }),
  };
}

function pathOf({ index, type }: ImportCommand): string {
  return index === undefined ? '/_bulk' : `/${encoded(index)}/${encoded(type)}/_bulk`;
}

/** Sees that there is a server, and makes the index where something is said of it. */
async function prepare(requests: Requests, { index, type, mapping }: ImportCommand): Promise<void> {
  const greeting = await requests.send('GET', '/');
  if (greeting.status === UNAUTHORIZED)
    throw new UsageError(`${requests.name} answers with 401: ${errorOf(greeting)}`);
  if (mapping === undefined || index === undefined) return;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(mapping, 'utf8'));
  } catch (e) {
    throw new UsageError(`--mapping ${mapping}: ${messageOf(e)}`);
  }
  const body = indexBodyOf(value, type);
  if (body === undefined) throw new UsageError(`--mapping ${mapping} is no JSON object`);
  await makeIndex(requests, index, body);
}

function summary({ settled }: Importing, refused: RefusedFile, ms: number): string {
  const taken = settled - refused.count;
  const told = refused.count === 0 ? '' : `, ${refused.count.toLocaleString('en')} refused: ${refused.path}`;
  return `${taken.toLocaleString('en')} documents taken${told} (${(ms / 1000).toFixed(1)} s)`;
}

/** Where nothing was written down yet, it is now. */
function howToGoOn({ state }: Importing, resume: string | undefined, command: ImportCommand): string {
  if (resume === undefined)
    return `stopped after ${state.place.documents} documents of the standard input; ids that are made differ the next time`;
  if (command.resume === undefined) writeState(resume, state);
  const { file, line } = state.place;
  const at = `${basename(state.files[file]?.name ?? '')}, line ${line}`;
  const how =
    command.resume === undefined ? `give the same command with --resume ${resume}` : 'give the same command';
  return `stopped at ${at}; to go on, ${how}`;
}
