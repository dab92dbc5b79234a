/** `resilin import` as it is typed. */
import { Flags, UsageError } from '../flags.js';
import { type Address, DEFAULT_URL, parseAddress } from '../remote/address.js';
import { TRIES } from '../remote/pauses.js';
import { FORMATS, type Format } from './format.js';
import { STANDARD_INPUT } from './input.js';

const CONNECTIONS = 4;
const BULK_MB = 4;
const DOCUMENT_MB = 32;
const MEGABYTE = 1024 * 1024;
const DEFAULT_TYPE = 'doc';

export const IMPORT_HELP = `resilin import - read files into an index

  resilin import FILE... --index I [--type T] [--id FIELD] [--mapping FILE] [--url URL]

Files may be JSON lines, a JSON list, CSV or TSV with a header line, Elasticsearch's bulk format, or what
resilin export --metadata writes; packed with gzip or zstd. - is the standard input. They are told apart by
how they begin, then by their names.

  --index I         index or alias; a bulk's lines may name others, and need none
  --type T          type of the documents                                (default ${DEFAULT_TYPE})
  --id FIELD        the field that is a document's id; dots lead into objects. Without it, documents get one
  --mapping FILE    settings and mappings of the index, as for PUT /INDEX, or the mapping of the type
  --url URL         the server, also with https, a path, a user before the host; nodes of a
                    cluster with commas between, http://one:9200,two:9200     (default ${DEFAULT_URL})
                    RESILIN_AUTHORIZATION: what the header Authorization has to say
  --data FOLDER     instead of a server: straight into a data folder that none uses, made if need be
  --format F        ${FORMATS.join(', ')}
  --delimiter C     between the cells of a table
  --text            all cells of a table are texts
  --resume FILE     writes down there how far it is, and goes on from there
  --refused FILE    where documents go that were not taken               (default FILE.refused.jsonl)
  --connections N   requests at once                                     (default ${CONNECTIONS})
  --bulk MB         of a request                                         (default ${BULK_MB})
  --max-document MB of a line or a document                              (default ${DOCUMENT_MB})
  --tries N         of a request that is put off, or whose connection breaks   (default ${TRIES})
  --quiet           tells nothing but what went wrong

Examples:

  resilin import books.jsonl.gz --index library --type book --id isbn
  resilin import people.csv --index people --mapping people.mapping.json
  zcat dump.json.gz | resilin import - --index library
  resilin import books.jsonl --index library --data ./data && resilin --data ./data
  resilin import wiki.bulk.gz --index wiki --resume wiki.resume --url https://ann:secret@search.example.org

Ctrl-C stops; the same command with --resume goes on. So it does after a crash: nothing is lost or doubled.
Exit status: 0 all were taken, 1 some were refused, 2 wrong usage, 3 it ended before the end, 130 Ctrl-C.
`;

/** What is to be imported. */
export interface ImportCommand {
  files: readonly string[];
  index: string | undefined;
  type: string;
  id: string | undefined;
  mapping: string | undefined;
  address: Address;
  /** A data folder, in the place of a server. */
  data: string | undefined;
  format: Format | undefined;
  delimiter: string | undefined;
  isText: boolean;
  resume: string | undefined;
  refused: string | undefined;
  connections: number;
  bulkBytes: number;
  most: number;
  tries: number;
  isQuiet: boolean;
}

/** Reads the arguments behind `import`; throws {@link UsageError}. */
export function parseImport(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ImportCommand {
  const flags = new Flags(args, {
    valued: [
      ...['index', 'type', 'id', 'mapping', 'url', 'format', 'delimiter', 'resume', 'refused', 'data'],
      ...['connections', 'bulk', 'max-document', 'tries'],
    ],
    plain: ['text', 'quiet'],
  });
  const files = flags.words;
  if (files.length === 0) throw new UsageError('import which file? - is the standard input');
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice`);
  const given = flags.value('format');
  const format = FORMATS.find((each) => each === given);
  if (given !== undefined && format === undefined)
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not ${given}`);
  const delimiter = flags.value('delimiter')?.replace('\\t', '\t');
  if (delimiter !== undefined && (delimiter.length !== 1 || delimiter === '"'))
    throw new UsageError(`--delimiter must be one character, not ${delimiter}`);
  const index = flags.value('index');
  const mapping = flags.value('mapping');
  if (mapping !== undefined && index === undefined) throw new UsageError('--mapping needs --index');
  const resume = flags.value('resume');
  if (resume !== undefined && files.includes(STANDARD_INPUT))
    throw new UsageError('--resume needs files: the standard input is gone when it was read');
  const data = flags.value('data');
  if (data === ':memory:') throw new UsageError('--data :memory: keeps nothing');
  if (data !== undefined && flags.value('url') !== undefined)
    throw new UsageError('--url and --data are two places; give one');
  return {
    files,
    index,
    type: flags.value('type') ?? DEFAULT_TYPE,
    id: flags.value('id'),
    mapping,
    address: parseAddress(flags.value('url') ?? DEFAULT_URL, env.RESILIN_AUTHORIZATION || undefined),
    data,
    format,
    delimiter,
    isText: flags.has('text'),
    resume,
    refused: flags.value('refused'),
    connections: flags.number('connections', 1, 64, CONNECTIONS),
    bulkBytes: flags.number('bulk', 1, 64, BULK_MB) * MEGABYTE,
    most: flags.number('max-document', 1, 256, DOCUMENT_MB) * MEGABYTE,
    tries: flags.number('tries', 1, 1000, TRIES),
    isQuiet: flags.has('quiet'),
  };
}
