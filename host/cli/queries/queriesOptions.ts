/** `resilin bench URL` as it is typed. */
import { Flags, UsageError } from '../flags.js';
import { type Address, parseAddress, parseIndexAddress } from '../remote/address.js';

const CONNECTIONS = 1;
const SECONDS = 10;
const WARM_UP = 1;
const MOST_REQUESTS = 1_000_000_000;

export const QUERIES_HELP = `resilin bench URL - how fast a server answers one's own queries

  resilin bench http://127.0.0.1:9200/INDEX --queries FILE [--connections N] [--seconds N] [--svg FILE]

FILE has a query in each line: the body of a search, or {"name": …, "index": …, "body": …}. They are sent one
after the other, over and over; those of the same name are told together. Latencies are milliseconds from the
request to the last byte of the answer, to 1 %.

  --connections N   requests at once, each over its own connection   (default ${CONNECTIONS})
  --seconds N       in which requests are begun                      (default ${SECONDS})
  --warm-up N       seconds before, which don't count                (default ${WARM_UP})
  --requests N      ends after so many
  --svg FILE        also writes a chart: the 50th, 90th and 99th percentile of each query
  --json            prints JSON

Examples:

  resilin bench http://127.0.0.1:9200/books --queries queries.jsonl --connections 8 --seconds 30
  echo '{"query": {"match": {"title": "rose"}}}' > one.jsonl
  resilin bench https://ann:secret@search.example.org/books --queries one.jsonl --svg one.svg

resilin bench without a URL is about the core on this machine: resilin bench --help.
Exit status: 0 all were answered, 1 some failed, 2 wrong usage, 3 no answer came, 130 Ctrl-C.
`;

/** What is to be measured. */
export interface QueriesCommand {
  address: Address;
  /** Of queries that name none. */
  index: string | undefined;
  queries: string;
  connections: number;
  seconds: number;
  warmUp: number;
  requests: number;
  svg: string | undefined;
  isJson: boolean;
}

/** Whether the arguments behind `bench` are those of queries. */
export function isQueries(args: readonly string[]): boolean {
  return args.some((arg) => /^https?:\/\//.test(arg) || /^--queries(?:=|$)/.test(arg));
}

/** Reads the arguments behind `bench`; throws {@link UsageError}. */
export function parseQueries(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): QueriesCommand {
  const flags = new Flags(args, {
    valued: ['queries', 'connections', 'seconds', 'warm-up', 'requests', 'svg'],
    plain: ['json'],
  });
  const [url, more] = flags.words;
  if (url === undefined) throw new UsageError('which server? http://127.0.0.1:9200/books is an index of one');
  if (more !== undefined) throw new UsageError(`one URL: what is ${more}?`);
  const queries = flags.value('queries');
  if (queries === undefined) throw new UsageError('--queries FILE is missing');
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  const address = parseAddress(url, authorization);
  const hasIndex = new URL(address.url).pathname !== '/';
  const { index, ...server } = hasIndex
    ? parseIndexAddress(url, authorization)
    : { ...address, index: undefined };
  return {
    address: server,
    index,
    queries,
    connections: flags.number('connections', 1, 1024, CONNECTIONS),
    seconds: flags.number('seconds', 1, 86_400, SECONDS),
    warmUp: flags.number('warm-up', 0, 86_400, WARM_UP),
    requests: flags.number('requests', 1, MOST_REQUESTS, MOST_REQUESTS),
    svg: flags.value('svg'),
    isJson: flags.has('json'),
  };
}
