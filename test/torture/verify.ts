/** Compares a server that has started with what was acknowledged before. */
import type { Ledger, Register } from './ledger.js';
import { CHANGES, INDICES, TAGS } from './load.js';
import type { Peer } from './peer.js';

const BATCH = 500;

interface Found {
  _id: string;
  found: boolean;
  _version: number;
  _source: Record<string, unknown>;
}

/** Makes the first indices; what they start from is in the registers. */
export async function prepare(server: Peer): Promise<void> {
  const aliases: Record<string, string> = { 'data-a': 'live', 'data-b': 'side' };
  for (const index of INDICES) {
    const body = {
      settings: { number_of_shards: 2 },
      mappings: { t: { properties: { tag: { type: 'string', index: 'not_analyzed' } } } },
      aliases: { [aliases[index]!]: {} },
    };
    const { status } = await server.send('PUT', `/${index}`, body);
    if (status !== 200) throw new Error(`an index can't be made: ${status}`);
  }
}

/** What is wrong; empty if nothing is. What the server says is the truth from now on. */
export async function verify(
  server: Peer,
  ledger: Ledger,
  registers: ReadonlyMap<string, Register>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const change of CHANGES) {
    const wrong = registers.get(change.register)!.settle(await change.read(server));
    if (wrong !== undefined) problems.push(wrong);
  }
  await server.send('POST', '/_refresh');
  for (const index of INDICES) {
    problems.push(...(await verifyStored(server, ledger, index)));
    problems.push(...(await verifySearched(server, ledger, index)));
    problems.push(...(await verifyMapped(server, ledger, index)));
  }
  return problems;
}

/** Every document by its id. */
async function verifyStored(server: Peer, ledger: Ledger, index: string): Promise<string[]> {
  const problems: string[] = [];
  const ids = idsOf(ledger.keys(), index);
  for (let at = 0; at < ids.length; at += BATCH) {
    const wanted = ids.slice(at, at + BATCH);
    const { body } = await server.send('POST', `/${index}/t/_mget`, { ids: wanted });
    const { docs } = body as { docs: Found[] };
    docs.forEach((doc, i) => {
      const found = doc.found ? { version: doc._version, source: doc._source } : undefined;
      const wrong = ledger.settle(`${index}/${wanted[i]}`, found, Date.now());
      if (wrong !== undefined) problems.push(wrong);
    });
  }
  return problems;
}

/** The same documents, their versions and sources, by searching. */
async function verifySearched(server: Peer, ledger: Ledger, index: string): Promise<string[]> {
  const problems: string[] = [];
  const missing = new Set(ledger.live(index));
  let answer = await server.send('POST', `/${index}/_search?scroll=1m&size=${BATCH}`, { version: true });
  for (;;) {
    const { _scroll_id, hits } = answer.body as { _scroll_id: string; hits: { hits: Found[] } };
    if (hits.hits.length === 0) break;
    for (const { _id, _version, _source } of hits.hits) {
      const key = `${index}/${_id}`;
      const { version, source } = ledger.state(key);
      if (!missing.delete(key)) problems.push(`${key}: a search finds it twice, or though it is deleted`);
      else if (_version !== version || source?.n !== _source.n)
        problems.push(`${key}: a search finds version ${_version}, not ${version}`);
    }
    answer = await server.send('POST', '/_search/scroll?scroll=1m', _scroll_id);
  }
  for (const key of missing) problems.push(`${key}: no search finds it`);
  for (const tag of TAGS) {
    const { body } = await server.send('POST', `/${index}/_count`, { query: { term: { tag } } });
    const { count } = body as { count: number };
    const wanted = ledger.live(index).filter((key) => ledger.state(key).source?.tag === tag).length;
    if (count !== wanted) problems.push(`${index}: ${count} documents have the tag ${tag}, not ${wanted}`);
  }
  return problems;
}

/** The mapping knows the fields of every document. */
async function verifyMapped(server: Peer, ledger: Ledger, index: string): Promise<string[]> {
  const { body } = await server.send('GET', `/${index}/_mapping/t`);
  const { properties } = (body as Record<string, { mappings: { t: { properties: object } } }>)[index]!
    .mappings.t;
  const used = new Set(ledger.live(index).flatMap((key) => Object.keys(ledger.state(key).source!)));
  return [...used]
    .filter((field) => !(field in properties))
    .map((field) => `${index}: ${field} is not mapped`);
}

function idsOf(keys: readonly string[], index: string): string[] {
  return keys.filter((key) => key.startsWith(`${index}/`)).map((key) => key.slice(index.length + 1));
}
