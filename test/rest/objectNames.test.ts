/** Names that all objects of JavaScript have, given as names of everything that requests name. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { offeredRoutes } from '../../host/rest/routes.js';

const NAMES = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

let resilin: Resilin;
/** What stands in an answer under a path. */
const at = (value: unknown, ...path: string[]): object =>
  path.reduce((each, name) => (each as Record<string, unknown>)[name], value) as object;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
/** An object with one key, which may be `__proto__`. */
const keyed = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

/** Bodies that have the name in every place that there is one for names. */
function bodiesWith(name: string): unknown[] {
  const field = { field: name };
  return [
    keyed(name, { [name]: name }),
    { query: keyed(name, { [name]: {} }) },
    { query: { term: keyed(name, name) }, sort: [keyed(name, { order: name })], fields: [name] },
    { query: { match: keyed(name, { query: name, type: name, operator: name, zero_terms_query: name }) } },
    { query: { filtered: { query: { match_all: {} }, filter: keyed(name, { [name]: name }) } } },
    { query: { bool: { must: { range: keyed(name, { gte: name }) }, minimum_should_match: name } } },
    { query: { query_string: { query: `${name}:${name} x`, default_operator: name, rewrite: name } } },
    { query: { simple_query_string: { query: name, fields: [name], flags: name } } },
    { query: { function_score: { score_mode: name, boost_mode: name, functions: [keyed(name, {})] } } },
    { query: { function_score: { field_value_factor: { field: name, modifier: name } } } },
    {
      query: {
        function_score: keyed('gauss', {
          ...keyed(name, { origin: 1, scale: name }),
          multi_value_mode: name,
        }),
      },
    },
    { query: { has_child: { type: name, score_mode: name, query: { match_all: {} } } } },
    { query: { nested: { path: name, score_mode: name, query: { match_all: {} } } } },
    { query: { common: keyed(name, { query: name, minimum_should_match: keyed(name, 1) }) } },
    { query: { geo_shape: keyed(name, { shape: { type: name, coordinates: [1, 1] }, relation: name }) } },
    {
      query: {
        filtered: { filter: { geo_distance: { distance: `1${name}`, distance_type: name, [name]: [1, 1] } } },
      },
    },
    { query: { multi_match: { query: 'x', fields: [name], type: name } } },
    { query: { regexp: keyed(name, { value: name, flags: name }) } },
    { query: { template: { query: { match_all: {} }, params: keyed(name, name) } } },
    {
      query: { match_all: {} },
      sort: { _geo_distance: { [name]: [1, 1], unit: name, distance_type: name } },
    },
    { query: { match_all: {} }, sort: [{ n: { mode: name, missing: name, unmapped_type: name } }] },
    { rescore: keyed(name, { rescore_query: { match_all: {} } }) },
    { rescore: { query: { rescore_query: { match_all: {} }, score_mode: name } } },
    {
      indices_boost: keyed(name, 2),
      script_fields: keyed(name, { script: name, lang: name, params: keyed(name, 1) }),
    },
    { script_fields: keyed('s', { script: `${name} + doc['${name}'].value`, lang: 'expression' }), size: 1 },
    { partial_fields: keyed(name, { include: name }), fielddata_fields: [name], _source: [name] },
    { aggs: keyed(name, keyed(name, field)) },
    { aggs: keyed(name, { terms: { field: 'n', order: keyed(name, name), collect_mode: name, [name]: 1 } }) },
    { aggs: keyed(name, { filters: { filters: keyed(name, { match_all: {} }) } }) },
    { aggs: keyed(name, { date_histogram: { field: 'd', interval: name } }) },
    { aggs: keyed(name, { histogram: { field: 'n', interval: 1, order: name } }) },
    { aggs: keyed(name, { terms: { field: name, value_type: name, format: name, execution_hint: name } }) },
    {
      aggs: keyed(name, { terms: field, aggs: keyed(name, { top_hits: { sort: [name], [name]: [name] } }) }),
    },
    { aggs: keyed(name, { significant_terms: { ...field, [name]: {} } }) },
    {
      aggs: keyed(name, {
        geo_distance: { ...field, origin: name, unit: name, ranges: [{ key: name, to: 1 }] },
      }),
    },
    { aggs: keyed(name, { range: { field: 'n', keyed: true, ranges: [{ key: name, to: 5 }] } }) },
    { facets: keyed(name, keyed(name, field)) },
    { facets: keyed(name, { terms: { field: 'n', order: name } }) },
    { facets: keyed(name, { date_histogram: { field: 'd', interval: name } }) },
    { highlight: { fields: keyed(name, { type: name, order: name, encoder: name }), encoder: name } },
    { suggest: keyed(name, keyed(name, { field: name })) },
    {
      suggest: keyed(name, {
        text: 'x',
        term: { field: name, suggest_mode: name, sort: name, string_distance: name },
      }),
    },
    {
      suggest: keyed(name, {
        text: 'x',
        phrase: { field: name, smoothing: keyed(name, {}), direct_generator: [{ field: name }] },
      }),
    },
    { suggest: keyed(name, { text: 'x', completion: { field: 'sug', context: keyed(name, name) } }) },
    { docs: [{ _index: name, _type: name, _id: name, routing: name, fields: [name], version_type: name }] },
    {
      docs: [
        { _index: 'there', _type: 't', _id: '1', _source: [name], per_field_analyzer: keyed(name, name) },
      ],
    },
    {
      settings: keyed(name, { [name]: name }),
      mappings: keyed(name, { properties: keyed(name, { type: name }) }),
    },
    { settings: { analysis: { analyzer: keyed(name, { type: name, tokenizer: name, filter: [name] }) } } },
    { settings: { analysis: keyed(name, keyed(name, { type: name })) } },
    {
      settings: {
        analysis: {
          filter: keyed(name, { type: 'snowball', language: name }),
          analyzer: { a: { tokenizer: 'standard', filter: [name] } },
        },
      },
    },
    { settings: { similarity: keyed(name, { type: name }) } },
    {
      settings: {
        similarity: { s: { type: 'DFR', basic_model: name, after_effect: name, normalization: name } },
      },
    },
    {
      aliases: keyed(name, { filter: { term: keyed(name, name) }, [name]: name }),
      warmers: keyed(name, { source: {} }),
    },
    { properties: keyed(name, { type: 'string', [name]: name }), [name]: { [name]: name } },
    { t: { properties: keyed(name, { type: 'multi_field', fields: keyed(name, { type: 'string' }) }) } },
    {
      t: {
        properties: {
          f: { type: 'string', analyzer: name, similarity: name, index: name, fielddata: { format: name } },
        },
      },
    },
    { t: { properties: { f: { type: 'date', format: name, numeric_resolution: name } } } },
    {
      t: {
        dynamic_templates: [keyed(name, { match: name, mapping: { type: name, [name]: name } })],
        _meta: keyed(name, name),
      },
    },
    { t: keyed(name, keyed(name, name)) },
    { actions: [keyed(name, { index: name, alias: name })] },
    { actions: [{ add: { index: 'there', alias: name, [name]: name } }] },
    { index: name, alias: name },
    { transient: keyed(name, name), persistent: keyed(`indices.${name}`, name) },
    { commands: [keyed(name, { [name]: name })] },
    { doc: keyed(name, name), script: name, lang: name, params: keyed(name, name) },
    { template: name, settings: keyed(name, name), mappings: keyed(name, {}), params: keyed(name, name) },
    { type: name, settings: keyed(name, name) },
    {
      indices: name,
      rename_pattern: name,
      rename_replacement: name,
      index_settings: keyed(name, 1),
      ignore_index_settings: [name],
    },
    { text: 'x', [name]: keyed(name, field) },
    { fields: [name], index_constraints: keyed(name, keyed(name, { [name]: name })) },
    `{"${name}":{"${name}":"${name}"}}\n{"${name}":1}\n`,
    `{"index":{"_index":"there","_type":"${name}","_id":"${name}","${name}":1}}\n{"${name}":1}\n`,
    `{"index":"there","search_type":"${name}","${name}":1}\n{"query":{"match_all":{}}}\n`,
    `{"percolate":{"index":"there","type":"${name}","${name}":1}}\n{"doc":{"${name}":1}}\n`,
    name,
  ];
}

const PARTS: Record<string, string> = {
  index: 'there',
  indices: 'there',
  type: 't',
  id: '1',
  name: '*',
  repository: 'backup',
  snapshot: 'one',
  fields: 'n',
};
/** Parameters that take one of several words, or names of something. */
const PARAMETERS =
  'fields,_source,routing,parent,op_type,version_type,search_type,sort,default_operator,level,metric,bytes,time,h,format,timeout,' +
  'scroll,expand_wildcards,analyzer,tokenizer,filters,field,groups,types,completion_fields,consistency,replication,df,lang,mlt_fields,' +
  'suggest_field,suggest_mode,preference,size,from,allow_no_indices,wait_for_status,wait_for_events,stats,stored_fields';

const setUp = async () => {
  await call('PUT', '/there', {
    mappings: {
      t: { properties: { n: { type: 'long' }, d: { type: 'date' }, sug: { type: 'completion' } } },
    },
  });
  await call('PUT', '/there/t/1?refresh=true', { n: 1, d: '2015-01-01', s: 'x' });
  await call('PUT', '/_snapshot/backup', { type: 'fs', settings: { location: 'backup' } });
};

describe('names that all objects have', () => {
  it('are names like any others, in every route', async () => {
    const broken = new Set<string>();
    const ask = async (method: string, uri: string, body?: unknown) => {
      const { status, body: answer } = await call(method, uri, body);
      const told = JSON.stringify(answer) ?? '';
      if (
        /TypeError|RangeError|ReferenceError|\[native code\]|\[object Object\]|function /.test(told) ||
        (status === 500 && !told.includes('Exception'))
      )
        broken.add(
          `${method} ${uri.slice(0, 60)} ${JSON.stringify(body)?.slice(0, 200)}: ${told.slice(0, 160)}`,
        );
    };
    const routes = offeredRoutes().map(({ method, path }) => [method, path] as const);
    for (const name of NAMES) {
      const bodies = bodiesWith(name);
      const query = PARAMETERS.split(',').map((each) => `${each}=${name}`);
      for (const [i, [method, template]] of routes.entries()) {
        await setUp();
        const filled = (with_: (part: string) => string) =>
          `${template.replaceAll(/\{(\w+)\}/g, (_, part: string) => with_(part))}?timeout=1ms`;
        await ask(
          method,
          filled(() => name),
          bodies[i % bodies.length],
        );
        await ask(
          method,
          filled((part) => PARTS[part] ?? name),
          bodies[i % bodies.length],
        );
        await ask(
          method,
          filled((part) => PARTS[part] ?? '_all'),
          {},
        );
        if (method !== 'DELETE') {
          for (const each of query.slice((i * 7) % 35, ((i * 7) % 35) + 7))
            await ask(method, `${filled((part) => PARTS[part] ?? '_all')}&${each}`, {});
        }
      }
      await setUp();
      for (const body of bodies) {
        for (const uri of [
          '/there/_search',
          '/there/_validate/query?explain=true',
          '/there/_suggest',
          '/there/t/_percolate',
          '/_mget',
          '/_mtermvectors',
          '/_msearch',
          '/_bulk',
          '/_mpercolate',
          '/_aliases',
          '/_search/template',
          '/there/t',
          '/there/t/2/_update',
          '/_cluster/reroute',
          '/there/_field_stats',
        ])
          await ask('POST', uri, body);
        for (const uri of [
          '/made',
          '/there/_mapping/t',
          '/_template/made',
          '/there/_settings',
          '/_cluster/settings',
          '/there/_warmer/made',
          '/_snapshot/made',
        ])
          await ask('PUT', uri, body);
        for (const uri of ['/made', '/_template/made', '/_snapshot/made']) await call('DELETE', uri);
      }
    }
    expect([...broken]).toEqual([]);
  }, 120_000);

  it('come back from where they were put', async () => {
    for (const name of NAMES) {
      const source = keyed(name, keyed(name, 'fox'));
      const type = name.startsWith('_') ? 't' : name;
      const mapping = { _meta: keyed(name, name), properties: keyed(`${name}1`, { type: 'string' }) };
      await call('DELETE', '/kept');
      await call('DELETE', '/_template/kept');
      const settings = { number_of_shards: 1, ...keyed(name, name) };
      await call('PUT', '/_template/kept', {
        template: 'kept*',
        mappings: keyed(type, { _meta: { made: true } }),
        warmers: keyed(name, { source: { query: { match_all: {} } } }),
      });
      const made = await call('PUT', '/kept', {
        settings,
        mappings: keyed(type, mapping),
        aliases: keyed(name, { filter: { match_all: {} }, routing: name }),
      });
      expect(made.status).toBe(200);
      expect((await call('PUT', `/kept/${type}/${name}?refresh=true&routing=${name}`, source)).status).toBe(
        201,
      );
      const got = await call('GET', `/kept/${type}/${name}?routing=${name}`);
      expect(JSON.stringify(got.body)).toContain(JSON.stringify(source));
      const found = await call('POST', `/${name}/_search`, {
        query: { match: keyed(`${name}.${name}`, 'fox') },
        fields: [`${name}.${name}`],
        fielddata_fields: [`${name}.${name}`],
        script_fields: keyed(name, { script: '1', lang: 'expression' }),
        highlight: { fields: keyed(`${name}.${name}`, {}) },
        aggs: keyed(name, { terms: { field: `${name}.${name}` } }),
        facets: keyed(name, { terms: { field: `${name}.${name}` } }),
        suggest: keyed(name, {
          text: 'fix',
          term: { field: `${name}.${name}`, min_word_length: 3, prefix_length: 0 },
        }),
      });
      expect(found).toMatchObject({ status: 200 });
      const { hits, aggregations, facets, suggest } = found.body as Record<string, Record<string, unknown>>;
      const [hit] = (hits as { hits: Record<string, object>[] }).hits;
      // What begins with an underscore is metadata, which sources are not asked for.
      const values = name.startsWith('_') ? ['fox'] : ['fox', 'fox'];
      expect(Object.entries(hit!.fields!)).toEqual([
        [`${name}.${name}`, values],
        [name, [1]],
      ]);
      expect(Object.keys(hit!.highlight!)).toEqual([`${name}.${name}`]);
      for (const part of [aggregations, facets, suggest]) expect(Object.keys(part!)).toEqual([name]);
      const shown = JSON.stringify((await call('GET', '/kept')).body);
      for (const part of [keyed(name, name), { _meta: { made: true, ...keyed(name, name) } }])
        expect(shown).toContain(JSON.stringify(part).slice(1, -1));
      expect(shown).toContain(`"aliases":${JSON.stringify(keyed(name, {})).slice(0, -3)}`);
      expect(Object.keys(at((await call('GET', '/kept/_warmer')).body, 'kept', 'warmers'))).toEqual([name]);
      const vector = await call(
        'GET',
        `/kept/${type}/${name}/_termvector?routing=${name}&fields=${name}.${name}`,
      );
      expect(Object.keys(at(vector.body, 'term_vectors'))).toEqual([`${name}.${name}`]);
      const fields = await call('GET', `/kept/_mapping/field/${name}.${name}`);
      expect(Object.keys(at(fields.body, 'kept', 'mappings', type))).toEqual([`${name}.${name}`]);
    }
  });
});
