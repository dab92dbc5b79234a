import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { COMMON_PARAMETERS, MASTER_TIMEOUTS } from '../../host/rest/endpoint.js';
import { ENDPOINTS } from '../../host/rest/routes.js';
import { Principal } from '../../host/security/principal.js';
import type { UserAdministration } from '../../host/security/userAdministration.js';
import { WorkLimit } from '../../host/workLimit.js';

/** A query string that writes down what is looked for in it. */
class Watched extends Map<string, string> {
  readonly asked = new Set<string>();

  override get(name: string): string | undefined {
    this.asked.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.asked.add(name);
    return super.has(name);
  }
}

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
});
beforeEach(async () => {
  await resilin.request('PUT', '/books', { mappings: { t: { properties: { title: { type: 'string' } } } } });
  await resilin.request('PUT', '/books/t/1?refresh=true', { title: 'rose' });
});
afterAll(() => resilin.close());

/** Nobody, whatever is done. */
const users: UserAdministration = {
  users: async () => new Map(),
  keys: async () => new Map(),
  putUser: async () => true,
  removeUser: async () => false,
  addKey: async () => ({ id: 'id', secret: 'secret' }),
  removeKey: async () => false,
};

const PATH = {
  index: 'books',
  type: 't',
  id: '1',
  name: 'x',
  repository: 'r',
  snapshot: 's',
  lang: 'mustache',
};
const BODIES = [
  '',
  '{}',
  '{"query":{"match_all":{}}}',
  '{"docs":[{"_index":"books","_type":"t","_id":"1"}]}',
  '{"index":{"_index":"books","_type":"t"}}\n{"title":"name"}\n',
];
/** Other spellings of parameters, which 1.7 takes and doesn't tell of. */
const SPELLINGS = new Map([
  ['_source_includes', '_source_include'],
  ['_source_excludes', '_source_exclude'],
  ['scriptId', 'script_id'],
  ['scriptFile', 'script_file'],
  ['min_word_len', 'min_word_length'],
  ['max_word_len', 'max_word_length'],
  ['fieldStatistics', 'field_statistics'],
  ['termStatistics', 'term_statistics'],
]);

describe('every endpoint', () => {
  it.each(
    ENDPOINTS.map((endpoint) => [`${endpoint.methods.join('|')} ${endpoint.paths[0]}`, endpoint] as const),
  )(
    '%s tells of the parameters that it reads',
    async (_, { methods, parameters, ignored = [], masterTimeout, handler }) => {
      const query = new Watched([['timeout', '1ms']]);
      for (const body of BODIES)
        for (const method of methods)
          for (const path of [PATH, { index: 'books' }, {}]) {
            const request = {
              method,
              uri: '/',
              query,
              body: new TextEncoder().encode(body),
              path: { ...path },
            };
            const node = { node: 'n', cluster: 'c', version: '0', users };
            try {
              const { unrestricted: principal } = Principal;
              await handler(resilin.engine, { ...request, limit: WorkLimit.none, principal, node });
            } catch {
              // What it has read up to there counts.
            }
          }
      const told = new Set([
        ...COMMON_PARAMETERS,
        ...parameters,
        ...ignored,
        ...(masterTimeout ? MASTER_TIMEOUTS : []),
      ]);
      const asked = [...query.asked].map((name) => SPELLINGS.get(name) ?? name);
      expect(asked.filter((name) => !told.has(name))).toEqual([]);
    },
  );
});
