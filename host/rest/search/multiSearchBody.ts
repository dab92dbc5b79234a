/** The body of a multi-search: a line with what is searched, a line with the search, and so on. */
import { illegalArgument, toElasticsearchError } from '../../errors.js';
import { parseLax } from '../../json/laxJson.js';
import { isObject } from '../../json/values.js';
import { javaParse } from '../body.js';
import { bodyLines, headerText } from '../lines.js';
import type { RoutedRequest } from '../request.js';
import { readBody, readPlace, type SearchCall, searchCall } from './searchCall.js';

const utf8 = new TextDecoder();
/** More searches in one request are refused. */
const MAX_SEARCHES = 10_000;

/** Keys of a header under the names of the parameters they stand for. */
const HEADERS: Record<string, string> = {
  search_type: 'search_type',
  searchType: 'search_type',
  preference: 'preference',
  routing: 'routing',
  ignore_unavailable: 'ignore_unavailable',
  ignoreUnavailable: 'ignore_unavailable',
  allow_no_indices: 'allow_no_indices',
  allowNoIndices: 'allow_no_indices',
  expand_wildcards: 'expand_wildcards',
  expandWildcards: 'expand_wildcards',
};

/** The searches; the path and the parameters are defaults. A last line without a line feed is ignored, as in 1.7. */
export function readMultiSearch(body: Uint8Array, { path, query }: RoutedRequest): SearchCall[] {
  const calls: SearchCall[] = [];
  const lines = bodyLines(body);
  for (let i = 0; i + 1 < lines.length; i += 2) {
    if (calls.length === MAX_SEARCHES) throw illegalArgument(`more than ${MAX_SEARCHES} searches at once`);
    const header = readHeader(lines[i]!);
    const params = new Map(query);
    params.delete('scroll');
    for (const [key, value] of Object.entries(header)) {
      const name = Object.hasOwn(HEADERS, key) ? HEADERS[key] : undefined;
      if (name !== undefined) params.set(name, headerText(value) ?? '');
    }
    const index = headerText(header.index ?? header.indices) ?? path.index;
    const type = headerText(header.type ?? header.types) ?? path.type;
    const place = { ...(index ? { index } : {}), ...(type ? { type } : {}) };
    calls.push(searchCall(readPlace(place, params), readBody(utf8.decode(lines[i + 1]!), {})));
  }
  return calls;
}

function readHeader(line: Uint8Array): Record<string, unknown> {
  if (line.length === 0 || utf8.decode(line).trim() === '') return {};
  try {
    const header = parseLax(utf8.decode(line));
    return isObject(header) ? header : {};
  } catch (e) {
    throw javaParse(toElasticsearchError(e));
  }
}
