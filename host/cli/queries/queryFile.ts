/**
 * A file of queries: JSON lines, each the body of a search, or `{"name":…,"index":…,"body":…}` with a name for the table and an index of its
 * own.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from '../flags.js';
import { encoded } from '../remote/requests.js';

/** A search that is sent. */
export interface NamedQuery {
  name: string;
  path: string;
  body: Buffer;
}

const MOST_QUERIES = 100_000;

/** Reads a file. Throws {@link UsageError}. @param index of queries that name none */
export function readQueries(file: string, index: string | undefined): NamedQuery[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (e) {
    throw new UsageError(`--queries ${file}: ${(e as Error).message}`);
  }
  const queries: NamedQuery[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    queries.push(queryOf(line, `${file}, line ${at + 1}`, `line ${at + 1}`, index));
  }
  if (queries.length === 0) throw new UsageError(`${file} has no queries`);
  if (queries.length > MOST_QUERIES) throw new UsageError(`${file} has more than ${MOST_QUERIES} queries`);
  return queries;
}

function queryOf(line: string, where: string, otherwise: string, index: string | undefined): NamedQuery {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (e) {
    throw new UsageError(`${where}: ${(e as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${where}: no JSON object`);
  const { name = otherwise, index: own = index, body } = value as Record<string, unknown>;
  const isNamed = typeof body === 'object' && body !== null;
  const at = isNamed ? own : index;
  if (isNamed && (typeof name !== 'string' || (at !== undefined && typeof at !== 'string')))
    throw new UsageError(`${where}: name and index must be texts`);
  return {
    name: isNamed ? (name as string) : otherwise,
    path: at === undefined ? '/_search' : `/${encoded(at as string)}/_search`,
    // The body's own digits.
    body: Buffer.from(isNamed ? JSON.stringify(body) : line),
  };
}
