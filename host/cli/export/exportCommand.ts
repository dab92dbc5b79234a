/** `resilin export`: writes the documents of an index as JSON lines. */
import { wantsHelp } from '../flags.js';
import { metadataText, type Hit } from '../remote/hits.js';
import { PERCOLATOR } from '../remote/scroll.js';
import { readDocuments } from '../remote/reading.js';
import { askJson, encoded, type Requests } from '../remote/requests.js';
import { Server } from '../remote/server.js';
import { ended, INTERRUPTED } from '../terminal/exitStatus.js';
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

async function write(server: Requests, command: ExportCommand, terminal: Terminal): Promise<number> {
  const { output, hasMetadata, tries, isQuiet } = command;
  const stop = new AbortController();
  const signals = stoppedBy(() => stop.abort());
  let written = 0;
  let total = 0;
  const progress = isQuiet
    ? undefined
    : new Progress(terminal.status, 'documents', () => ({
        items: written,
        refused: 0,
        share: total === 0 ? undefined : written / total,
      }));
  const retrying = (reason: string) => progress?.tell(`resilin: ${reason}; trying again`);
  try {
    const out = await Output.open(output);
    try {
      // Without their type, percolator queries would be taken for documents.
      for (const type of hasMetadata ? [undefined, PERCOLATOR] : [undefined]) {
        const before = written;
        const began = (documents: number) => {
          total = before + documents;
        };
        const reading = { stop: stop.signal, tries, retrying, began };
        for await (const hits of readDocuments(server, { ...command, type }, reading)) {
          await out.write(Buffer.concat(hits.flatMap((hit) => lineOf(hit, hasMetadata))));
          written += hits.length;
        }
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
    signals.forget();
    progress?.stop();
  }
  if (signals.signal !== undefined) {
    terminal.complain(`resilin: stopped after ${written} of ${total} documents\n`);
    return INTERRUPTED;
  }
  if (!isQuiet && output !== undefined)
    terminal.print(`${written.toLocaleString('en')} documents in ${output}\n`);
  if (!isQuiet && !hasMetadata) await tellOfQueries(server, command.index, terminal);
  return 0;
}

/** Tells of percolator queries, which are left out. */
async function tellOfQueries(server: Requests, index: string, terminal: Terminal): Promise<void> {
  const path = `/${encoded(index)}/${PERCOLATOR}/_count`;
  const { count } = (await askJson(server, 'GET', path)) as { count: number };
  if (count > 0)
    terminal.complain(
      `resilin: percolator queries of ${index} are left out (${count}); --metadata writes them too\n`,
    );
}

function lineOf({ metadata, source }: Hit, hasMetadata: boolean): Buffer[] {
  if (!hasMetadata) return [source, LINE_FEED];
  return [Buffer.from(`{${metadataText(metadata)},"_source":`), source, OBJECT_END];
}
