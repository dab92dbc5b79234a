/** `resilin bench` as it is typed. */

/** What is to be measured. */
export type BenchCommand =
  | { kind: 'kernels'; seconds: number; only: readonly string[]; json: boolean }
  | { kind: 'help' }
  | { kind: 'mistake'; message: string };

const SECONDS = 0.15;
const MOST_SECONDS = 60;

export const BENCH_HELP = `resilin bench - how fast the core's innermost functions are on this machine

  resilin bench [--only PATTERN]... [--seconds N] [--json]

Each line is a case: nanoseconds for an item (the median), items and bytes in a second, and
the margin of error. Questions that are asked as searches build an index first, which takes
some seconds. All take about half a minute.

  --only PATTERN  the questions with this in their titles, and behind a colon the cases with
                  that in their names; * is anything: --only union --only 'unpack: 1* bits'
  --seconds N     for each case, from 0.001 to 60               (default ${SECONDS})
  --json          print JSON: the machine, and all figures

One's own queries against a server: resilin bench http://127.0.0.1:9200/INDEX --queries FILE (--help).

In Deno: deno run --allow-read --allow-env --allow-sys npm:resilin bench
In a browser: serve the folder node_modules/resilin/dist and open kernels.html.
`;

/** Reads the arguments behind `bench`. */
export function parseBench(args: readonly string[]): BenchCommand {
  let [seconds, json] = [SECONDS, false];
  const only: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const [flag, inline] = at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
    if (flag === '--help' || flag === '-h') return { kind: 'help' };
    if (flag === '--json' && inline === undefined) {
      json = true;
      continue;
    }
    if (flag !== '--only' && flag !== '--seconds') return mistake(`unknown argument ${arg}`);
    const value = inline ?? args[++i];
    if (value === undefined || value === '') return mistake(`${flag} needs a value`);
    if (flag === '--only') only.push(value);
    else seconds = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  }
  if (!(seconds >= 0.001 && seconds <= MOST_SECONDS))
    return mistake(`--seconds must be a number from 0.001 to ${MOST_SECONDS}`);
  return { kind: 'kernels', seconds, only, json };
}

function mistake(message: string): BenchCommand {
  return { kind: 'mistake', message };
}
