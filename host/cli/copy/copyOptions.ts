/** `resilin copy` as it is typed. */
import { Flags, UsageError } from '../flags.js';
import { type Address, parseIndexAddress } from '../remote/address.js';
import { TRIES } from '../remote/pauses.js';
import { parseQuery } from '../remote/query.js';

const CONNECTIONS = 4;
const PAGE = 100;

export const COPY_HELP = `resilin copy - copy an index of a server into another server, or under another name

  resilin copy FROM_URL/INDEX TO_URL/INDEX

What is copied: settings, analyzers and mappings, then the documents that there were when it began and the
percolator queries, with routing, parents, versions, timestamps and times to live. An index that is there already keeps its settings
and gets the mappings. Aliases and warmers are not copied. Copied again, newer versions of documents take
the place of older ones, and newer ones that are there stay, which are told as refused; what was deleted
meanwhile isn't deleted there.

  --query Q         documents that match: a query in JSON, or words as in ?q=
  --refused FILE    where documents go that were not taken         (default INDEX.refused.jsonl)
  --connections N   requests at once that write                    (default ${CONNECTIONS})
  --page N          documents of each shard that are read at once  (default ${PAGE})
  --tries N         of a request that is put off, or whose connection breaks   (default ${TRIES})
  --quiet           tells nothing but what went wrong

A user stands before the host; RESILIN_AUTHORIZATION has what the header Authorization has to say to servers
without one.

Examples:

  resilin copy http://old.example.org:9200/books http://127.0.0.1:9200/books
  resilin copy http://127.0.0.1:9200/books http://127.0.0.1:9200/books-2

Exit status: 0 all were taken, 1 some were refused, 2 wrong usage, 3 it ended before the end, 130 Ctrl-C.
`;

type IndexAddress = Address & { index: string };

/** What is to be copied. */
export interface CopyCommand {
  from: IndexAddress;
  to: IndexAddress;
  query: unknown;
  refused: string;
  connections: number;
  size: number;
  tries: number;
  isQuiet: boolean;
}

/** Reads the arguments behind `copy`; throws {@link UsageError}. */
export function parseCopy(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CopyCommand {
  const flags = new Flags(args, {
    valued: ['query', 'refused', 'connections', 'page', 'tries'],
    plain: ['quiet'],
  });
  const [first, second, more] = flags.words;
  if (first === undefined || second === undefined) throw new UsageError('copy which index to where?');
  if (more !== undefined) throw new UsageError(`copy one index to one other: what is ${more}?`);
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  const from = parseIndexAddress(first, authorization);
  const to = parseIndexAddress(second, authorization);
  if (from.url === to.url && from.index === to.index) throw new UsageError('both are the same index');
  return {
    from,
    to,
    query: parseQuery(flags.value('query')),
    refused: flags.value('refused') ?? `${to.index}.refused.jsonl`,
    connections: flags.number('connections', 1, 64, CONNECTIONS),
    size: flags.number('page', 1, 10_000, PAGE),
    tries: flags.number('tries', 1, 1000, TRIES),
    isQuiet: flags.has('quiet'),
  };
}
