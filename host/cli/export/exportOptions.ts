/** `resilin export` as it is typed. */
import { Flags, UsageError } from '../flags.js';
import { type Address, DEFAULT_URL, parseAddress, parseIndexAddress } from '../remote/address.js';
import { TRIES } from '../remote/pauses.js';
import { parseQuery } from '../remote/query.js';
import { isServerUrl } from '../serverExport.js';

const PAGE = 100;

export const EXPORT_HELP = `resilin export - write the documents of an index as JSON lines

  resilin export INDEX [-o FILE] [--query Q] [--metadata] [--url URL]

Each line is a document's source, byte for byte; line feeds between its tokens become blanks. What is
written are all documents that there were when it began, in no order. Without -o they go to the standard
output. A scroll that breaks is begun again, and what has come isn't written twice.

  INDEX           also its URL: https://ann:secret@search.example.org/books
  -o FILE         --output; packed with gzip if its name ends with .gz. It is there when it is whole
  --query Q       those that match: a query in JSON, or words as in ?q=
  --metadata      each line is {"_id":…,"_type":…,"_routing":…,"_version":…,"_source":{…}}, with _parent,
                  _timestamp and _ttl where there are, which resilin import reads. _ttl counts from _timestamp.
                  Percolator queries come last, as documents of the type .percolator
  --page N        documents of each shard that are asked for at once         (default ${PAGE})
  --tries N       scrolls that may break one after the other without a new document  (default ${TRIES})
  --url URL       the server; nodes of a cluster with commas between,
                  http://one:9200,two:9200                           (default ${DEFAULT_URL})
                  RESILIN_AUTHORIZATION: what the header Authorization has to say
  --quiet         tells nothing but what went wrong

Examples:

  resilin export books -o books.jsonl.gz --metadata
  resilin export books --query 'year:[1900 TO 1950]' | grep -c rose
  resilin export https://ann:secret@search.example.org/books --query '{"term": {"author": "Eco"}}'

The file that browsers open is another: resilin package INDEX FILE, or as before resilin export INDEX FILE.
Exit status: 0 all were written, 2 wrong usage, 3 it ended before the end, 130 Ctrl-C.
`;

/** What is to be written. */
export interface ExportCommand {
  address: Address;
  index: string;
  query: unknown;
  output: string | undefined;
  hasMetadata: boolean;
  size: number;
  tries: number;
  isQuiet: boolean;
}

/** Reads the arguments behind `export`; throws {@link UsageError}. */
export function parseExport(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ExportCommand {
  const flags = new Flags(args, {
    valued: ['output', 'query', 'page', 'tries', 'url'],
    plain: ['metadata', 'quiet'],
    short: { o: 'output' },
  });
  const [index, more] = flags.words;
  if (index === undefined) throw new UsageError('export which index?');
  if (more !== undefined)
    throw new UsageError(
      `export one index, documents with -o ${more}; its file for browsers is resilin package`,
    );
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  const place = isServerUrl(index)
    ? parseIndexAddress(index, authorization)
    : { ...parseAddress(flags.value('url') ?? DEFAULT_URL, authorization), index };
  return {
    address: place,
    index: place.index,
    query: parseQuery(flags.value('query')),
    output: flags.value('output'),
    hasMetadata: flags.has('metadata'),
    size: flags.number('page', 1, 10_000, PAGE),
    tries: flags.number('tries', 1, 1000, TRIES),
    isQuiet: flags.has('quiet'),
  };
}

/** Whether the arguments behind `export` are those of a package: an index and a file, and no flag but --data. */
export function isPackage(args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg.startsWith('-'));
  return words.length > 1 && flags.every((flag) => flag === '--data' || flag.startsWith('--data='));
}
