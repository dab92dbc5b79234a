/** What runs have covered: how often happened what a cluster has to withstand, so that people see what a run without failures means. */
import type { ClusterServices } from '../../../host/cluster/services.js';

/** How often each thing happened in one run, by `group: name`. */
export type Counts = Readonly<Record<string, number>>;

/** Counts what happens in one run. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  count(group: string, name: string, times = 1): void {
    if (times === 0) return;
    const key = `${group}: ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts);
  }

  /** The same services, of which it is counted which questions the node answers. */
  countAnswers(services: ClusterServices): ClusterServices {
    const { logs, members, peers, clock } = services;
    const counted: ClusterServices['peers'] = {
      ask: (node, kind, bytes, signal) => peers.ask(node, kind, bytes, signal),
      serve: (handler) =>
        peers.serve(async (kind, bytes, signal) => {
          const answer = await handler(kind, bytes, signal);
          this.count('questions answered', kind);
          return answer;
        }),
    };
    return { logs, members, peers: counted, clock, close: () => services.close() };
  }
}

/** A table of all that happened in so many runs: times altogether and in a run, and the share of the runs in which it did at all. */
export function coverageTable(runs: readonly Counts[]): string {
  const names = [...new Set(runs.flatMap((counts) => Object.keys(counts)))].sort();
  const rows = names.map((name) => {
    const times = runs.map((counts) => counts[name] ?? 0);
    const all = times.reduce((sum, each) => sum + each, 0);
    const share = times.filter((each) => each > 0).length / runs.length;
    return [name, String(all), (all / runs.length).toFixed(2), `${(100 * share).toFixed(1)} %`];
  });
  const table = [['', 'times', 'a seed', 'of seeds'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!);
  return table.map((row) => row.map(cell).join('  ')).join('\n');
}
