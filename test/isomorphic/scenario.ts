import type { Caller } from '../../host/library/options.js';
import { DOCUMENTS, MAPPINGS, SEARCHES } from './scenarioData.js';

/** What the scenario found; equal on every platform. */
export interface ScenarioReport {
  checks: number;
  failures: string[];
  /** `name: total id:bits…` of every search. */
  answers: string[];
}

interface SearchBody {
  hits: { total: number; hits: { _id: string; _score: number; _source: { title?: string } }[] };
}

const bits = new DataView(new ArrayBuffer(4));

function floatBits(value: number): string {
  bits.setFloat32(0, value);
  return bits.getUint32(0).toString(16).padStart(8, '0');
}

/** Creates indices, loads them in bulk, searches, overwrites and deletes. The engine is empty before, and is left open. */
export async function runScenario({ request: call }: Pick<Caller, 'request'>): Promise<ScenarioReport> {
  const report: ScenarioReport = { checks: 0, failures: [], answers: [] };
  const check = (what: string, found: unknown, expected: unknown): void => {
    report.checks++;
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    if (a !== b) report.failures.push(`${what}: ${a}, expected ${b}`);
  };
  const total = async (index: string, query: unknown): Promise<number> =>
    ((await call('POST', `/${index}/_search`, { query })).body as SearchBody).hits.total;

  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const created = await call('PUT', `/${index}`, {
      settings: { number_of_shards: shards, number_of_replicas: 0 },
      mappings: MAPPINGS,
    });
    check(`create ${index}`, [created.status, created.body], [200, { acknowledged: true }]);
    const lines = DOCUMENTS.flatMap((source) => [{ index: { _id: source.id } }, source]);
    const bulk = await call(
      'POST',
      `/${index}/doc/_bulk`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const { errors, items } = bulk.body as { errors: boolean; items: unknown[] };
    check(`bulk ${index}`, [bulk.status, errors, items?.length], [200, false, DOCUMENTS.length]);
    check(`refresh ${index}`, (await call('POST', `/${index}/_refresh`)).status, 200);
    check(`count ${index}`, await total(index, { match_all: {} }), DOCUMENTS.length);
  }

  for (const search of SEARCHES) {
    const response = await call('POST', '/one/_search', { query: search.query });
    const { hits } = response.body as SearchBody;
    const found = hits?.hits.map((hit) => `${hit._id}:${floatBits(hit._score)}`);
    report.answers.push(`${search.name}: ${hits?.total} ${found?.join(' ')}`);
    check(`${search.name}, total`, hits?.total, search.total);
    check(`${search.name}, hits`, found, search.hits);
    check(`${search.name}, total over three shards`, await total('three', search.query), search.total);
  }

  const first = (
    (await call('POST', '/one/_search', { query: { match: { body: 'dragonflies' } } })).body as SearchBody
  ).hits.hits[0];
  check('source of a hit', first?._source, DOCUMENTS[4]);
  const got = await call('GET', '/three/doc/6');
  check('get', [got.status, (got.body as { _source?: unknown })._source], [200, DOCUMENTS[5]]);
  check('get of nothing', (await call('GET', '/three/doc/7')).status, 404);

  check('overwrite', (await call('PUT', '/three/doc/6', { title: 'Nothing', body: 'left' })).status, 200);
  check('delete', (await call('DELETE', '/three/doc/1')).status, 200);
  check('refresh', (await call('POST', '/three/_refresh')).status, 200);
  check('after a delete', await total('three', { match: { body: 'flea' } }), 1);
  check('after both', await total('three', { match_all: {} }), DOCUMENTS.length - 1);

  check('bad query', (await call('POST', '/one/_search', { query: { nosuchquery: {} } })).status, 400);
  check('no such index', (await call('POST', '/two/_search', { query: { match_all: {} } })).status, 404);
  return report;
}
