import type { Endpoint } from '../../host/rest/endpoint.js';
import { ENDPOINTS } from '../../host/rest/routes.js';
import type { Privilege } from '../../host/security/grants.js';
import type { Api } from '../support/api.js';
import { fieldTypes, filters, inside, parameters, queries, searchParts } from './examples.js';

/** Makes the compatibility page from the route table, and by asking an engine for everything else that 1.7 has, one by one. */

const FIELDS = {
  title: { type: 'string' },
  author: { type: 'string', index: 'not_analyzed' },
  year: { type: 'integer' },
  place: { type: 'geo_point' },
  area: { type: 'geo_shape' },
  cell: { type: 'geo_point', geohash_prefix: true },
  loans: { type: 'nested' },
};

type Answer = { status: number; body: unknown };

/** Offered, or refused as what is not there yet; anything else is a mistake of the example. */
function offered(name: string, { status, body }: Answer): boolean {
  if (status < 300) return true;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (text.includes('not offered yet') || text.includes('No handler found')) return false;
  throw new Error(`${name}: ${status} ${text}`);
}

interface Found {
  yes: string[];
  no: string[];
}

async function sort(names: readonly string[], ask: (name: string) => Promise<Answer>): Promise<Found> {
  const found: Found = { yes: [], no: [] };
  for (const name of names) (offered(name, await ask(name)) ? found.yes : found.no).push(name);
  return found;
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';
}

function section(title: string, { yes, no }: Found): string {
  return `## ${title}\n\nWork: ${list(yes)}.\n\nNot yet: ${list(no)}.\n`;
}

const PRIVILEGES: Record<Privilege, string> = {
  authenticated: 'anybody known',
  read: 'read',
  write: 'write',
  manage: 'manage',
  metadata: 'read, or monitor of the cluster',
  'cluster:monitor': 'monitor of the cluster',
  'cluster:manage': 'manage of the cluster',
};

/** Paths with their methods and, if wanted, what they ask of users, in the order of the endpoints. */
export function table(endpoints: readonly Endpoint[], withAccess = false): string {
  const byPath = new Map<string, Set<string>>();
  const access = new Map<string, Map<string, Set<string>>>();
  for (const { methods, paths, privilege } of endpoints) {
    for (const path of paths) {
      const byAccess = access.get(path) ?? new Map<string, Set<string>>();
      const known = byPath.get(path) ?? new Set();
      const those = byAccess.get(PRIVILEGES[privilege]) ?? new Set();
      for (const method of methods) {
        those.add(method);
        known.add(method);
      }
      access.set(path, byAccess.set(PRIVILEGES[privilege], those));
      byPath.set(path, known);
    }
  }
  // A path that is there for everything, for an index and for a type takes one row.
  const rows: string[] = [];
  for (const [path, methods] of byPath) {
    const all = [...methods].sort().join(' ');
    const taken = ['/{index}', '/{index}/{type}'].filter(
      (prefix) => path.startsWith('/_') && [...(byPath.get(prefix + path) ?? [])].sort().join(' ') === all,
    );
    for (const prefix of taken) byPath.delete(prefix + path);
    const places = ['', '[/{index}]', '[/{index}[/{type}]]'][taken.length]!;
    const asked = [...access.get(path)!];
    const shown =
      asked.length === 1
        ? asked[0]![0]
        : asked.map(([each, those]) => `${each} (${[...those].sort().join(' ')})`).join('; ');
    rows.push(`| \`${places}${path}\` | ${all} |${withAccess ? ` ${shown} |` : ''}`);
  }
  const head = withAccess
    ? ['| path | methods | what users need |', '|---|---|---|']
    : ['| path | methods |', '|---|---|'];
  return [...head, ...rows].join('\n');
}

/** What each line names must be refused. */
async function refusedInside(api: Api): Promise<string> {
  for (const [what, ...requests] of inside) {
    for (const [method, uri, body] of requests) {
      if (offered(what, await api.call(method, uri, body))) throw new Error(`${what}: ${uri} is offered`);
    }
  }
  return inside.map(([what]) => `- ${what}`).join('\n');
}

/** The page's text. */
export async function compatibilityPage(api: Api): Promise<string> {
  await api.call('PUT', '/books', {
    settings: { number_of_shards: 1 },
    mappings: { book: { properties: FIELDS }, review: { _parent: { type: 'book' } } },
  });
  await api.call('PUT', '/books/book/1?refresh=true', {
    title: 'The name of the rose',
    author: 'Eco',
    year: 1980,
  });
  const search = (body: unknown) => api.call('POST', '/books/_search', body);
  const found = {
    queries: await sort(Object.keys(queries), (name) => search({ query: { [name]: queries[name] } })),
    filters: await sort(Object.keys(filters), (name) =>
      search({ query: { filtered: { filter: { [name]: filters[name] } } } }),
    ),
    parts: await sort(Object.keys(searchParts), (name) => search({ [name]: searchParts[name] })),
    types: await sort(fieldTypes, (type) =>
      api.call('PUT', `/type-${type}`, {
        mappings: { t: { properties: { f: { type, analyzer: 'standard' } } } },
      }),
    ),
    parameters: await sort(Object.keys(parameters), (name) =>
      api.call('GET', `/books/_search?${name}=${parameters[name]}`),
    ),
  };
  return `# Compatibility with Elasticsearch 1.7

This page is generated from the route table, and by asking an engine for each of the other things (\`npm run docs\`); the test suite
fails when it is out of date. What is not there yet is refused with an error that says so; nothing is answered with made-up data.

## Endpoints

${table(ENDPOINTS)}

Everything else is answered with 400 and \`No handler found\`.

${section('Queries', found.queries)}
${section('Filters', found.filters)}
${section('Parts of a search body', found.parts)}
${section('Parameters of a search', found.parameters)}
${section('Field types', found.types)}
## Not yet, within what works

${await refusedInside(api)}

## Known differences

- An id and its type together, with a \`#\` between them, may have 1,800 bytes in UTF-8; longer ones are refused. 1.7 allows 32,766.
- Queries, and objects in documents, can be 64 levels deep. Clauses of one \`bool\` query: 1,024, as in 1.7.
- An index can have 1,024 shards and 65,535 fields.
- Repositories of snapshots are of the types \`fs\`, \`url\` (\`file\`, \`http\` and \`https\`) and \`s3\`, whose settings are those of the plugin cloud-aws; one with
  the setting \`readonly\` is never written to. Credentials in settings are not shown. A setting that \`s3\` doesn't know is refused.
- Patterns of analyzers can't refer back to their groups (\`\\1\`), and are refused: they are matched in linear time, which that rules out.
- An error repeats at most 95,000 characters of a search body, for all its shards together.
- A shard without memory left answers writes and refreshes with 429; what it acknowledged before is kept.
- One node alone is the default: replicas are counted there and live nowhere, so that the health of an index that wants some is yellow. In a cluster
  ([docs/cluster.md](cluster.md)) copies are placed by \`number_of_replicas\`; there is no primary, and what is shown as one is the first copy.
- Settings of allocation, of indices and of the cluster, are checked, kept and shown as in 1.7. They decide where the nodes of a cluster have copies, and
  keep no shard from one node that is alone; weights have no effect, and what copies that are being made will take of a disk isn't counted.
- A write waits for no copies: one that asks for more than live, by \`consistency\`, is refused at once; one that says nothing asks for none,
  where 1.7 wants a quorum of three copies and more.
- A \`%\` in a path that is not followed by two hexadecimal digits stands for itself, and answers to HTTP/1.0 are in HTTP/1.1.
- Paths and parameters are percent-encoded: bytes beyond ASCII as they are, which 1.7 takes for other characters, are refused with 400.
- No request ends the server: \`_shutdown\` is disabled, as in a 1.7 that is told so.
- \`error_trace\` adds the messages of an error and of its causes; there are no frames of Java below them.
- A \`term\` query of \`_field_names\` scores 1 for each document.
- Hits inside the hits of a scroll are those of the moment a page is asked for.
- Filters with the same \`_cache_key\` stay themselves; in 1.7 the second is answered with what the first had found.
- The \`timeout\` of a search begins when the request comes, and holds for all that is done for it: where it is over, the answer comes
  within 100 ms, with \`timed_out\`: the hits and the aggregations that are done by then, and none where even the query was not yet compiled.
  A search that names none has what reads have, \`search.default_search_timeout\`, 60 seconds. The pages of a scroll leave out no hit.
- A document that a limit on the mapping refuses leaves no field behind; in 1.7, and for what 1.7 refuses too, those before the error stay.
- An error of a limit of this server has its own status within suggestions and queries to percolate, where other errors have 500.
- In \`_all\`, a word that several fields with different boosts have counts with their plain mean.
- Scripts are Lucene expressions, and Groovy where it is switched on, [a part of it](scripts.md); other languages are refused, as by a 1.7 that nobody told otherwise.
- Points of \`fielddata\` in the format \`compressed\` are rounded when a document is indexed: another precision holds for later documents.
- A request with the \`Origin\` of another page is refused with 403 unless \`--cors\` lets it in, for the sake of security; 1.7 carries it out
  and leaves it to the browser to hide the answer.
- An empty list in the place of a \`term\` filter's value is refused; 1.7 takes it.
- An unknown path in the \`order\` of a histogram is refused in the words of \`terms\`.
- With \`highlight_filter\` the \`fvh\` highlighter marks the words of all filters; in 1.7 those of terms, of patterns and of \`bool\` around
  them, unless they were cached.
- Dates beyond the year 287396, and with them longs from 2^53 milliseconds on, are printed to the nearest even millisecond; their keys are exact.
- A filter of \`fielddata\` leaves a \`terms\` filter with \`execution\` \`fielddata\` as it is: it finds all terms.
- Types whose fields of one name have other \`norms\` or \`index_options\` share those of the first of them; in 1.7 a segment has the least of
  what its documents' types have.
- Segments are merged with their neighbours only, so equal scores always come in the order of writing.
- How documents lie in segments shows where it shows in 1.7: deleted documents count in frequencies until they are merged away, a
  \`bool\` query's explanation has no details of a required clause whose words the document's segment lacks, and nothing of a join that
  matches no document of that segment; a prefix at the end of a phrase stands for the first \`max_expansions\` words of one segment after
  the other; the phrase suggester smooths without the number of different words in a shard of several segments; of a word without
  positions and a document without a value, a search is refused for what its first segments have.
- Bodies in YAML are read up to 1 MB only, and by servers alone.
- Some texts have bounds that 1.7 doesn't have: highlighters mark the first 524,288 characters of a field's values, a query's text has at most
  262,144, as one to suggest for has, one for \`_analyze\` 524,288, a pattern or a fuzzy word 8,192 and a format of dates 4,096. A
  \`fuzzy_like_this\` has at most 1,024 different words. Nothing is suggested for words of more than 2,000. \`_source\` takes at most 1,000 patterns with \`*\`. JSON, CBOR and SMILE may be nested 1,000 levels
  deep, and a mapping's objects 64.
- A scroll keeps what its search found, a few bytes a hit, and not the segments; at most 1,000 scrolls and 512 MB of hits at once.
- The wording of JSON syntax errors follows 1.7's parser closely but not to the letter.
- A \`function_score\` with \`min_score\` finds what scores enough wherever it stands; in 1.7 the document after one that doesn't is found too
  where another clause of a \`bool\` or \`boosting\` leads.
- In a search of types, \`top_children\` finds parents of other types too, as 1.7 does in segments with one of the types among their
  first hundred documents.
- A \`dis_max\` of three or more clauses with a tie breaker may differ from Lucene in the last bit of a score where it is
  required beside other clauses.
`;
}
