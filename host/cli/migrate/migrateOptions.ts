/** `resilin migrate` as it is typed. */
import { Flags, UsageError } from '../flags.js';
import { type Address, DEFAULT_URL, parseAddress } from '../remote/address.js';
import { TRIES } from '../remote/pauses.js';

const CONNECTIONS = 4;
const PAGE = 100;

export const MIGRATE_HELP = `resilin migrate - move everything of an Elasticsearch 0.90 to 1.7 to a running Resilin

  resilin migrate OLD_URL [--to URL]

It tells what will differ, moves, compares both sides, and tells what isn't the same. The old server is only
read.

What is moved: settings, analyzers, mappings, aliases, warmers, templates, stored scripts and search
templates, percolator queries, and documents with routing, parents, versions, timestamps and times to live.

Given again, it moves what has changed since: a document that is there in the same or a newer version is
left alone. So: move while the old server is still in use, stop writing, move again, switch over.

  --to URL          the new server                                 (default ${DEFAULT_URL})
  --index PATTERN   these indices alone: names and *, with commas between. Templates and stored scripts
                    belong to no index, and are moved in any case
  --dry-run         tells what will differ, and changes nothing
  --delete          deletes documents that the new server has and the old one hasn't: those that were deleted
                    there since. Not once the new one is written to
  --force           what is on the old server takes the place of newer versions on the new one
  --queries FILE    asks both servers, and compares totals, hits and scores: JSON lines, each the body of a
                    search, or {"name":...,"index":...,"body":...}
  --no-comparison   doesn't read all documents again to compare them
  --refused FILE    where documents go that were not taken         (default migrate.refused.jsonl)
  --connections N   requests at once that write                    (default ${CONNECTIONS})
  --page N          documents of each shard that are read at once  (default ${PAGE})
  --tries N         of what is put off, or whose connection breaks (default ${TRIES})
  --quiet           no progress

A user stands before the host (https://ann:secret@old.example.org:9200); RESILIN_AUTHORIZATION has what the
header Authorization has to say to servers without one.

Examples:

  resilin migrate http://old.example.org:9200 --dry-run
  resilin migrate http://old.example.org:9200
  resilin migrate http://old.example.org:9200 --index 'logs-2015*,users' --to https://ann:secret@new.example.org
  resilin migrate http://old.example.org:9200 --delete --queries searches.jsonl

Exit status: 0 all was moved and is the same, 1 something differs or can't be moved, 2 wrong usage, 3 it ended
before the end, 130 Ctrl-C. After 3 and 130 the same command goes on.
`;

/** What is to be moved. */
export interface MigrateCommand {
  from: Address;
  to: Address;
  pattern: string;
  isDryRun: boolean;
  deletes: boolean;
  isForced: boolean;
  queries: string | undefined;
  compares: boolean;
  refused: string;
  connections: number;
  size: number;
  tries: number;
  isQuiet: boolean;
}

/** Reads the arguments behind `migrate`; throws {@link UsageError}. */
export function parseMigrate(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): MigrateCommand {
  const flags = new Flags(args, {
    valued: ['to', 'index', 'queries', 'refused', 'connections', 'page', 'tries'],
    plain: ['dry-run', 'delete', 'force', 'no-comparison', 'quiet'],
  });
  const [first, more] = flags.words;
  if (first === undefined) throw new UsageError('migrate from which server?');
  if (more !== undefined)
    throw new UsageError(`migrate from one server: what is ${more}? --to names the new one`);
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  const from = parseAddress(first, authorization);
  const to = parseAddress(flags.value('to') ?? DEFAULT_URL, authorization);
  if (from.url === to.url) throw new UsageError('both are the same server; --to names the new one');
  return {
    from,
    to,
    pattern: flags.value('index') ?? '_all',
    isDryRun: flags.has('dry-run'),
    deletes: flags.has('delete'),
    isForced: flags.has('force'),
    queries: flags.value('queries'),
    compares: !flags.has('no-comparison'),
    refused: flags.value('refused') ?? 'migrate.refused.jsonl',
    connections: flags.number('connections', 1, 64, CONNECTIONS),
    size: flags.number('page', 1, 10_000, PAGE),
    tries: flags.number('tries', 1, 1000, TRIES),
    isQuiet: flags.has('quiet'),
  };
}
