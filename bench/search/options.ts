import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What one run of the search bench is asked to do. */
export interface Options {
  readonly corpus: string[];
  readonly queries: string;
  readonly spec: string | undefined;
  /** Folder of the Lucene oracle; undefined when it is not there or not wanted. */
  readonly oracle: string | undefined;
  readonly peers: boolean;
  /** Documents that the peers index. */
  readonly peerDocs: number;
  readonly rounds: number;
  /** Measured time per query and round. */
  readonly seconds: number;
  /** Documents read from the corpus. */
  readonly limit: number;
  /** Whether `hits` of the query file are of this corpus. */
  readonly totals: boolean;
  readonly check: boolean;
  /** Saved output of `oracle search`. */
  readonly expected: string | undefined;
  readonly name: string;
}

export const USAGE = `usage: npm run bench:search -- --corpus FILE.jsonl[.gz]... --queries FILE.jsonl [options]

  --corpus FILE     documents, one JSON object a line; may be given several times, or followed by several files
  --queries FILE    {"name", "category", "query", "hits"} per line; without it only indexing is measured
  --spec FILE       body of the create-index request with one type, and "id": the field that holds the id
                    (default: main-spec.json beside the corpus, else dynamic mapping)
  --oracle DIR      folder of the program that asks Lucene (default test/oracle where there is a JDK; --no-oracle leaves it out)
  --peers           MiniSearch, FlexSearch, Orama and Lunr as well
  --peer-docs N     documents for the peers and for Resilin beside them (default 25000)
  --rounds N        alternating rounds (default 3)
  --seconds S       measured time per query and round (default 0.1), after half as much of warming up
  --limit DOCS      only the first so many documents
  --no-totals       "hits" of the query file are those of another corpus: don't compare totals with them
  --check           compare totals, order and score bits of the top hits with the oracle's
  --expected FILE   saved output of "oracle search --top K" for --check
  --name NAME       of the file in bench/results/ (default search)
  --help`;

/** The repository's own, which needs a JDK. */
function usualOracle(): string | undefined {
  return spawnSync('javac', ['-version']).status === 0 ? 'test/oracle' : undefined;
}

/** Reads the command line; ends the process with a message when it is mistaken. */
export function readOptions(args: string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        corpus: { type: 'string', multiple: true, default: [] },
        queries: { type: 'string' },
        spec: { type: 'string' },
        oracle: { type: 'string' },
        'no-oracle': { type: 'boolean' },
        peers: { type: 'boolean', default: false },
        'peer-docs': { type: 'string', default: '25000' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '0.1' },
        limit: { type: 'string' },
        'no-totals': { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        expected: { type: 'string' },
        name: { type: 'string', default: 'search' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const corpus = [...values.corpus, ...positionals];
    if (corpus.length === 0) throw new Error('--corpus is required');
    for (const file of [...corpus, values.queries, values.spec, values.expected, values.oracle]) {
      if (file !== undefined && !existsSync(file)) throw new Error(`no such file: ${file}`);
    }
    if (values['no-oracle'] && values.oracle) throw new Error('--oracle and --no-oracle exclude each other');
    return {
      corpus,
      queries: values.queries ?? '',
      spec: values.spec ?? specBeside(corpus[0] ?? ''),
      oracle: values['no-oracle'] ? undefined : (values.oracle ?? usualOracle()),
      peers: values.peers,
      peerDocs: positive(values['peer-docs'], '--peer-docs'),
      rounds: Math.ceil(positive(values.rounds, '--rounds')),
      seconds: positive(values.seconds, '--seconds'),
      limit: values.limit === undefined ? Number.POSITIVE_INFINITY : positive(values.limit, '--limit'),
      totals: !values['no-totals'] && values.limit === undefined,
      check: values.check || values.expected !== undefined,
      expected: values.expected,
      name: values.name,
    };
  } catch (error) {
    console.error(`bench:search: ${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function specBeside(corpus: string): string | undefined {
  const file = corpus.replace(/[^/]*$/, 'main-spec.json');
  return existsSync(file) ? file : undefined;
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a positive number, not ${text}`);
  return value;
}
