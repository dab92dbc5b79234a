/** `resilin migrate`: everything of an old server to a new one, compared afterwards. */
import { existsSync, renameSync } from 'node:fs';
import { wantsHelp } from '../flags.js';
import { readQueries } from '../queries/queryFile.js';
import { isIndex } from '../remote/indexMaking.js';
import { Patient } from '../remote/patient.js';
import { RefusedFile } from '../remote/refusedFile.js';
import { askJson, encoded, type Requests } from '../remote/requests.js';
import { Server } from '../remote/server.js';
import { ended, INTERRUPTED, SOME_REFUSED } from '../terminal/exitStatus.js';
import { Progress } from '../terminal/progress.js';
import { stoppedBy } from '../terminal/signals.js';
import type { Terminal } from '../terminal/terminal.js';
import { answersText, compareAnswers } from './answers.js';
import { compared, comparisonText, examplesOf, tallyOf, type TypeComparison } from './comparison.js';
import { deleteGone } from './deletions.js';
import { Moved, moveDocuments, type MoveOptions } from './documents.js';
import { type Finding, findingsText } from './finding.js';
import { hasRouting } from './findings.js';
import { type Inventory, type OldIndex, readInventory } from './inventory.js';
import { MIGRATE_HELP, type MigrateCommand, parseMigrate } from './migrateOptions.js';
import { type Part, partsOf } from './part.js';
import { reportOf, reportText } from './report.js';
import { moveScript, moveStructure, moveTemplates, scriptFinding, storedScripts } from './structure.js';
import { Tally } from './tally.js';

/** Documents that are named where an index differs. */
const EXAMPLES = 10;

/** Carries it out; returns the exit status. */
export async function runMigrate(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  if (wantsHelp(args)) {
    terminal.print(MIGRATE_HELP);
    return 0;
  }
  return ended('migrate', terminal, async () => {
    const command = parseMigrate(args, env);
    const migration = new Migration(command, terminal);
    const signals = stoppedBy(() => migration.stop());
    try {
      const isSame = await migration.run();
      if (signals.signal === undefined) return isSame ? 0 : SOME_REFUSED;
    } catch (e) {
      // What is stopped in the middle fails somehow.
      if (signals.signal === undefined) throw e;
    } finally {
      signals.forget();
      await migration.close();
    }
    terminal.complain('resilin: stopped; the same command goes on, and leaves alone what is there already\n');
    return INTERRUPTED;
  });
}

class Migration {
  readonly #command: MigrateCommand;
  readonly #terminal: Terminal;
  readonly #stop = new AbortController();
  readonly #servers: readonly Server[];
  readonly #from: Requests;
  /** The new server, for bulks, which are sent again by those who send them. */
  readonly #bulks: Requests;
  readonly #to: Requests;
  readonly #options: MoveOptions;
  readonly #refused: RefusedFile;
  /** What losses were told of. */
  readonly #told = new Set<string>();
  #progress: Progress | undefined;
  /** All was moved, and is the same. */
  #isSame = true;

  constructor(command: MigrateCommand, terminal: Terminal) {
    const { from, to, connections, size, tries, isForced, refused } = command;
    const stop = this.#stop.signal;
    const retrying = (reason: string) => this.#tell(`resilin: ${reason}; trying again`);
    this.#command = command;
    this.#terminal = terminal;
    const [old, own] = [new Server(from, 2), new Server(to, connections)];
    this.#servers = [old, own];
    this.#from = new Patient(old, { tries, stop, retrying });
    this.#bulks = own;
    this.#to = new Patient(own, { tries, stop, retrying });
    this.#options = { connections, size, tries, isForced, stop, retrying };
    this.#refused = new RefusedFile(refused, [from.url]);
  }

  /** Whether all was moved and is the same. */
  async run(): Promise<boolean> {
    const { pattern, queries: file, isDryRun, compares } = this.#command;
    const queries = file === undefined ? [] : readQueries(file, pattern === '_all' ? undefined : pattern);
    // An address where nobody is, or somebody who isn't trusted, is told at once.
    for (const server of this.#servers) await server.send('GET', '/');
    const inventory = await readInventory(this.#from, pattern);
    await askJson(this.#to, 'GET', '/');
    await this.#report(inventory);
    if (isDryRun || this.#isStopped) return this.#isSame;
    // That of an earlier run.
    if (existsSync(this.#refused.path)) renameSync(this.#refused.path, `${this.#refused.path}.before`);
    const rows: TypeComparison[] = [];
    const examples: string[] = [];
    for (const index of inventory.indices) {
      if (index.isClosed || index.missingShards > 0) continue;
      const parts = partsOf(index, inventory);
      const tally = await this.#move(index, parts);
      if (this.#isStopped) return false;
      if (tally === undefined || !compares) continue;
      const own = await this.#compare(index, parts, tally);
      rows.push(...own);
      if (own.some(({ isSame }) => !isSame)) examples.push(...(await this.#examples(parts)));
    }
    this.#found(await moveTemplates(this.#to, inventory));
    if (inventory.hasScripts) await this.#moveScripts();
    if (this.#isStopped) return false;
    if (rows.length > 0) this.#terminal.print(`\n${comparisonText(rows)}`);
    if (examples.length > 0) this.#terminal.print(`${examples.map((line) => `  ${line}\n`).join('')}`);
    if (rows.some(({ isSame }) => !isSame)) this.#isSame = false;
    if (queries.length > 0) {
      const answers = await compareAnswers(this.#from, this.#to, queries, this.#stop.signal);
      if (answers.some(({ difference }) => difference !== undefined)) this.#isSame = false;
      this.#terminal.print(`\n${answersText(answers)}`);
    }
    if (this.#refused.count > 0) {
      this.#isSame = false;
      this.#terminal.print(`\nWhat was not taken, with reasons: ${this.#refused.path}\n`);
    }
    const same = compares ? '\nAll is moved, and documents are the same.\n' : '\nAll is moved.\n';
    this.#terminal.print(this.#isSame ? same : '\nNot all is moved and the same: see above.\n');
    return this.#isSame;
  }

  stop(): void {
    this.#stop.abort();
  }

  async close(): Promise<void> {
    this.#progress?.stop();
    this.#refused.close();
    for (const server of this.#servers) await server.close();
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #report(inventory: Inventory): Promise<void> {
    const there = new Set<string>();
    for (const { name } of inventory.indices) if (await isIndex(this.#to, name)) there.add(name);
    const findings = await reportOf(this.#from, inventory, there, this.#stop.signal);
    for (const { about, isLoss } of findings) if (isLoss) this.#told.add(about);
    if (findings.some(({ isLoss }) => isLoss)) this.#isSame = false;
    this.#terminal.print(reportText(this.#from.name, inventory, findings));
    if (this.#command.isDryRun) this.#terminal.print('Nothing was changed (--dry-run).\n');
  }

  /** Moves an index; what was read of it, or undefined where it can't be made. */
  async #move(index: OldIndex, parts: readonly Part[]): Promise<Tally | undefined> {
    const { isThere, findings } = await moveStructure(this.#to, index);
    this.#found(findings);
    if (!isThere) {
      this.#terminal.print(`${index.name}: not moved\n`);
      return undefined;
    }
    const tally = new Tally();
    const counts = { taken: 0, alreadyThere: 0, refused: 0, withoutSource: 0, expired: 0, deleted: 0 };
    for (const part of parts) {
      if (this.#isStopped) return tally;
      const moved = new Moved();
      const look = () => ({
        items: moved.settled - moved.refused,
        refused: moved.refused,
        share: moved.total === 0 ? undefined : moved.settled / moved.total,
      });
      if (!this.#command.isQuiet)
        this.#progress = new Progress(this.#terminal.status, `documents of ${index.name}`, look);
      try {
        await moveDocuments(this.#from, this.#bulks, part, moved, this.#refused, this.#options);
        await askJson(this.#to, 'POST', `/${encoded(index.name)}/_refresh`);
        if (this.#command.deletes && hasRouting(index) && !this.#isStopped)
          counts.deleted += await deleteGone(this.#from, this.#to, part, this.#refused, this.#options);
      } finally {
        this.#progress?.stop();
        this.#progress = undefined;
      }
      tally.take(moved.tally);
      counts.taken += moved.taken;
      for (const name of ['alreadyThere', 'refused', 'withoutSource', 'expired'] as const)
        counts[name] += moved[name];
    }
    await askJson(this.#to, 'POST', `/${encoded(index.name)}/_refresh`);
    if (!this.#isStopped) this.#terminal.print(countsText(index.name, counts));
    return tally;
  }

  async #moveScripts(): Promise<void> {
    let [taken, alreadyThere] = [0, 0];
    for await (const script of storedScripts(this.#from, this.#options)) {
      const { isNew, error } = await moveScript(this.#to, script);
      if (error !== undefined) this.#found([scriptFinding(script, error)]);
      else if (isNew) taken++;
      else alreadyThere++;
    }
    this.#terminal.print(countsText('stored scripts', { taken, alreadyThere }));
  }

  async #compare({ name }: OldIndex, parts: readonly Part[], tally: Tally): Promise<TypeComparison[]> {
    const own = new Tally();
    const places = new Map(parts.map((part) => [JSON.stringify(part.here), part]));
    for (const part of places.values()) await tallyOf(this.#to, part, this.#options, own);
    return this.#isStopped ? [] : compared(name, tally, own);
  }

  async #examples(parts: readonly Part[]): Promise<string[]> {
    const lines: string[] = [];
    for (const part of parts)
      if (!this.#isStopped && lines.length < EXAMPLES)
        lines.push(...(await examplesOf(this.#from, this.#to, part, this.#options, EXAMPLES - lines.length)));
    return lines;
  }

  #found(findings: readonly Finding[]): void {
    if (findings.some(({ isLoss }) => isLoss)) this.#isSame = false;
    const untold = findings.filter(({ about }) => !this.#told.has(about));
    if (untold.length > 0) this.#terminal.print(findingsText(untold));
  }

  /** A line beside the progress. */
  #tell(line: string): void {
    if (this.#progress === undefined) this.#terminal.complain(`${line}\n`);
    else this.#progress.tell(line);
  }
}

/** `books: 12 moved, 3 already there`. */
function countsText(name: string, counts: Readonly<Record<string, number>>): string {
  const words: Record<string, string> = {
    taken: 'moved',
    alreadyThere: 'already there',
    refused: 'refused',
    withoutSource: 'without a stored source',
    expired: 'expired meanwhile',
    deleted: 'deleted',
  };
  const told = Object.entries(words).filter(([key]) => key === 'taken' || (counts[key] ?? 0) > 0);
  return `${name}: ${told.map(([key, word]) => `${counts[key]!.toLocaleString('en')} ${word}`).join(', ')}\n`;
}
