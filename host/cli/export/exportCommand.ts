/** `resilin export`: writes the documents of an index as JSON lines. */
import { wantsHelp } from '../flags.js';
import { metadataText, type Hit } from '../remote/hits.js';
import { Scroll } from '../remote/scroll.js';
import { Server } from '../remote/server.js';
import { ended, ENDED_EARLY, INTERRUPTED } from '../terminal/exitStatus.js';
import { Progress } from '../terminal/progress.js';
import { stoppedBy } from '../terminal/signals.js';
import type { Terminal } from '../terminal/terminal.js';
import { EXPORT_HELP, type ExportCommand, parseExport } from './exportOptions.js';
import { Output, OutputClosed } from './output.js';

const LINE_FEED = Buffer.from('\n');
const OBJECT_END = Buffer.from('}\n');

/** Carries it out; returns the exit status. */
export async function runExport(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(EXPORT_HELP);
    return 0;
  }
  return ended('export', terminal, async () => {
    const command = parseExport(args, env);
    const server = new Server(command.address, 1);
    try {
      return await write(server, command, terminal);
    } finally {
      await server.close();
    }
  });
}

async function write(server: Server, command: ExportCommand, terminal: Terminal): Promise<number> {
  const { output, hasMetadata, isQuiet } = command;
  const scroll = await Scroll.open(server, command);
  const stop = new AbortController();
  const signals = stoppedBy(() => stop.abort());
  let written = 0;
  const progress = isQuiet
    ? undefined
    : new Progress(terminal.status, 'documents', () => ({
        items: written,
        refused: 0,
        share: scroll.total === 0 ? undefined : written / scroll.total,
      }));
  try {
    const out = await Output.open(output);
    try {
      for await (const hits of scroll.pages(stop.signal)) {
        await out.write(Buffer.concat(hits.flatMap((hit) => lineOf(hit, hasMetadata))));
        written += hits.length;
      }
      if (signals.signal === undefined) await out.finish();
    } finally {
      await out.close();
    }
  } catch (e) {
    // Whoever read it has enough.
    if (e instanceof OutputClosed) return 0;
    throw e;
  } finally {
    await scroll.close();
    signals.forget();
    progress?.stop();
  }
  if (signals.signal !== undefined) {
    terminal.complain(`resilin: stopped after ${written} of ${scroll.total} documents\n`);
    return INTERRUPTED;
  }
  if (!isQuiet && output !== undefined)
    terminal.print(`${written.toLocaleString('en')} documents in ${output}\n`);
  return written === scroll.total ? 0 : ENDED_EARLY;
}

function lineOf({ metadata, source }: Hit, hasMetadata: boolean): Buffer[] {
  if (!hasMetadata) return [source, LINE_FEED];
  return [Buffer.from(`{${metadataText(metadata)},"_source":`), source, OBJECT_END];
}
