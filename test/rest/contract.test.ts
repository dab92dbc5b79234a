/** Sentences of the interface that no other file is about, each with what a client would see if it were otherwise. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const errorOf = async (method: string, uri: string, body?: unknown) => {
  const { status, body: answer } = await call(method, uri, body);
  return { status, error: (answer as { error: string }).error };
};
const ONE = { number_of_shards: 1, number_of_replicas: 0 };

describe('shards that can not run a search', () => {
  it('all say so, and show the whole body', async () => {
    await call('PUT', '/a', { number_of_shards: 3, number_of_replicas: 0 });
    const body = `{"query":{"nosuch":{"x":"${'long '.repeat(4000)}"}}}`;
    const { status, error } = await errorOf('GET', '/a/_search', body);
    expect(status).toBe(400);
    expect(error.match(/\{\[[\w-]+\]\[a\]\[\d\]: SearchParseException/g)).toHaveLength(3);
    expect(error.split(body)).toHaveLength(4);
    expect(error).toContain('; }{[');
  });

  it('are told one by one beside those that can', async () => {
    await call('PUT', '/a', { settings: ONE, mappings: { t: { properties: { n: { type: 'long' } } } } });
    await call('PUT', '/b', { number_of_shards: 3 });
    const { status, body } = await call('GET', '/_search', { sort: 'n' });
    expect(status).toBe(200);
    expect((body as { _shards: { failures: unknown[] } })._shards.failures).toHaveLength(3);
  });
});

it('a scroll of one shard ends as one of one shard', async () => {
  await call('PUT', '/a', ONE);
  const first = await call('GET', '/a/_search?scroll=1m');
  const id = (first.body as { _scroll_id: string })._scroll_id;
  await call('DELETE', `/_search/scroll/${id}`);
  expect((await errorOf('GET', `/_search/scroll/${id}`)).error).toMatch(
    /Failed to execute phase \[query_fetch\]/,
  );
});

describe('a write that wants more copies than live', () => {
  it('is refused', async () => {
    await call('PUT', '/a', { number_of_shards: 1, number_of_replicas: 1 });
    expect(await errorOf('PUT', '/a/t/1?consistency=all', { n: 1 })).toEqual({
      status: 503,
      error:
        'UnavailableShardsException[[a][0] Not enough active copies to meet write consistency of [ALL] (have 1, needed 2). Timeout: [1m], request: index {[a][t][1], source[{"n":1}]}]',
    });
    expect((await errorOf('DELETE', '/a/t/1?consistency=all&timeout=100ms')).error).toMatch(
      /Timeout: \[100ms\], request: delete \{\[a\]\[t\]\[1\]\}\]$/,
    );
    const { body } = await call('POST', '/a/t/_bulk?consistency=all', '{"index":{"_id":"1"}}\n{"n":1}\n');
    expect(body).toMatchObject({ errors: true, items: [{ index: { status: 503 } }] });
    expect((await call('GET', '/a/t/1')).status).toBe(404);
  });

  it('is done where one of two is enough, or nothing is asked', async () => {
    await call('PUT', '/a', { number_of_shards: 1, number_of_replicas: 1 });
    expect((await call('PUT', '/a/t/1?consistency=quorum', {})).status).toBe(201);
    await call('PUT', '/a/_settings', { number_of_replicas: 2 });
    expect((await call('PUT', '/a/t/2?consistency=quorum', {})).status).toBe(503);
    expect((await call('PUT', '/a/t/2', {})).status).toBe(201);
    expect((await call('POST', '/_bulk?consistency=most', '{"delete":{}}\n')).status).toBe(400);
  });
});

it('replicas grow and shrink with the nodes where they may', async () => {
  const replicas = async () => {
    const { body } = await call('GET', '/a/_settings?flat_settings=true');
    return (body as { a: { settings: Record<string, string> } }).a.settings['index.number_of_replicas'];
  };
  await call('PUT', '/a', { auto_expand_replicas: '0-1' });
  expect(await replicas()).toBe('0');
  expect((await call('GET', '/_cluster/health')).body).toMatchObject({ status: 'green' });
  await call('PUT', '/a/_settings', { number_of_replicas: 2 });
  expect(await replicas()).toBe('0');
  await call('PUT', '/a/_settings', { auto_expand_replicas: '1-3' });
  expect(await replicas()).toBe('1');
  await call('PUT', '/a/_settings', { auto_expand_replicas: false, number_of_replicas: 3 });
  expect(await replicas()).toBe('3');
  // None of these has a number for one node.
  for (const range of ['1-all', '2-all', '4-2', '0--1', 'all', '-1-2', '0-1-2', 'x']) {
    await call('PUT', '/a/_settings', { auto_expand_replicas: range });
    expect([range, await replicas()]).toEqual([range, '3']);
  }
  await call('PUT', '/a/_settings', { auto_expand_replicas: '0-all' });
  expect(await replicas()).toBe('0');
});

it('the documents of a type are gone with its mapping', async () => {
  await call('PUT', '/a/t/1?refresh=true', { n: 1 });
  await call('DELETE', '/a/_mapping/t');
  expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 0 });
});

it('an alias filters by fields that are mapped', async () => {
  await call('PUT', '/a', ONE);
  expect((await errorOf('PUT', '/a/_alias/x', { filter: { term: { n: 1 } } })).error).toBe(
    'ElasticsearchIllegalArgumentException[failed to parse filter for alias [x]]; nested: QueryParsingException[[a] Strict field resolution and no field mapping can be found for the field with name [n]]; ',
  );
  await call('PUT', '/a/_mapping/t', { properties: { n: { type: 'long' } } });
  expect((await call('PUT', '/a/_alias/x', { filter: { term: { n: 1 } } })).status).toBe(200);
});

it('parts of all indices are shown without a name', async () => {
  await call('PUT', '/a', ONE);
  const { body } = await call('GET', '/_aliases,_warmers');
  expect(body).toEqual({ a: { aliases: {}, warmers: {} } });
  expect((await errorOf('GET', '/_aliases,_nope')).error).toMatch(/No feature for name \[_nope\]/);
});

it('settings may be lines of YAML or of a properties file', async () => {
  const flat = async (index: string) => {
    const { body } = await call('GET', `/${index}/_settings?flat_settings=true`);
    return (body as Record<string, { settings: Record<string, string> }>)[index]!.settings;
  };
  const yaml = `# of two levels
index:
  number_of_shards: 2
  analysis:
    analyzer:
      folded:
        tokenizer: "keyword"
        filter:
          - lowercase
          - asciifolding
  number_of_replicas: 0
`;
  await call('PUT', '/a', yaml);
  expect(await flat('a')).toMatchObject({
    'index.number_of_shards': '2',
    'index.number_of_replicas': '0',
    'index.analysis.analyzer.folded.filter.1': 'asciifolding',
  });
  const { body } = await call('GET', '/a/_analyze?analyzer=folded', 'ÉTÉ Bis');
  expect(body).toMatchObject({ tokens: [{ token: 'ete bis' }] });
  await call('PUT', '/b', 'number_of_shards=3\nnumber_of_replicas 0\n');
  expect(await flat('b')).toMatchObject({ 'index.number_of_shards': '3', 'index.number_of_replicas': '0' });
  await call('PUT', '/b/_settings', 'index:\n  refresh_interval: 7s\n');
  // Whatever else is taken for the name of a setting.
  for (const odd of ['a b\u2028c', 'a: b\u2028c', 'a:\u2029', '\u0000=\u2028', '-', ':', '- :'])
    expect((await call('PUT', `/odd${odd.length}${odd.charCodeAt(0)}`, `x${odd}y`)).status).toBe(200);
  expect((await flat('b'))['index.refresh_interval']).toBe('7s');
});

describe('a wrapped query', () => {
  const wrapped = async (text: string) => {
    await call('PUT', '/a', ONE);
    const { error } = await errorOf('POST', '/a/_search', { query: { wrapper: { query: text } } });
    return /QueryParsingException\[\[a\] Failed to parse\]; (nested: .*)\n?( at .*?)?; \}\]$/s.exec(
      error,
    )?.[1];
  };

  it('that is no Base64 is told where it stops being some', async () => {
    expect(await wrapped('eyJh In0=')).toMatch(
      /^nested: ElasticsearchParseException\[Failed to derive|^nested: Json/,
    );
    expect(await wrapped('not base64 {')).toMatch(
      /\(MIME-NO-LINEFEEDS\): Illegal white space character \(code 0x20\) as character #4 of 4-char base64 unit: can only used between units\n at \[Source: \[B@[0-9a-f]+; line: 1, column: 35\]\]/,
    );
    expect(await wrapped('abc')).toMatch(
      /Illegal character '"' \(code 0x22\) in base64 content\n.*column: 35/,
    );
    expect(await wrapped('a=bc')).toMatch(
      /Unexpected padding character \('='\) as character #2 of 4-char base64 unit: padding only legal as 3rd or 4th character\n.*column: 33/,
    );
    expect(await wrapped('ab=c')).toMatch(
      /Illegal character 'c' .* content: expected padding character '='\n.*column: 35/,
    );
    expect(await wrapped('aGVsbG8=')).toBe('nested: ElasticsearchParseException[Failed to derive xcontent]');
  });
});

it('expressions are stored, checked, and used by their names', async () => {
  await call('PUT', '/a/t/1?refresh=true', { n: 4 });
  expect((await errorOf('PUT', '/_scripts/expression/bad', { script: '1+' })).error).toMatch(
    /Unable to parse \[1\+\] lang \[expression\]\]; nested: ExpressionScriptCompilationException/,
  );
  await call('PUT', '/_scripts/expression/half', { script: "doc['n'].value / parts" });
  const byId = { script_id: 'half', lang: 'expression', params: { parts: 2 } };
  const { body } = await call('POST', '/a/_search', { script_fields: { half: byId } });
  expect(body).toMatchObject({ hits: { hits: [{ fields: { half: [2] } }] } });
  const { error } = await errorOf('POST', '/a/_search', {
    script_fields: { x: { ...byId, script_id: 'none' } },
  });
  expect(error).toContain('Unable to find script [.scripts/expression/none]');
});

it('health waits for shards that live, and says that they do not', async () => {
  await call('PUT', '/a', { number_of_shards: 2, number_of_replicas: 1 });
  const wait = (n: number) => call('GET', `/_cluster/health?wait_for_active_shards=${n}&timeout=1ms`);
  expect((await wait(2)).body).toMatchObject({ timed_out: false });
  expect((await wait(3)).body).toMatchObject({ timed_out: true });
});

it('nothing is of a version that needs an upgrade', async () => {
  await call('PUT', '/a', ONE);
  const { body } = await call('GET', '/a/_upgrade?human');
  expect(body).toMatchObject({
    size_to_upgrade: '0b',
    size_to_upgrade_in_bytes: 0,
    size_to_upgrade_ancient_in_bytes: 0,
    indices: { a: { size_to_upgrade_in_bytes: 0 } },
  });
  expect((await call('POST', '/a/_upgrade')).body).toMatchObject({ upgraded_indices: { a: '4.10.4' } });
});

it('tables show the time when they were made, whatever ts says', async () => {
  const { body } = await call('GET', '/_cat/count?v&ts=false');
  expect(body).toMatch(/^epoch +timestamp count/);
});

it('parameters stand for parts of a path that it lacks', async () => {
  await call('PUT', '/a', {
    settings: ONE,
    mappings: { t: { properties: { f: { type: 'string', analyzer: 'simple' } } } },
  });
  await call('PUT', '/b', ONE);
  await call('POST', '/_bulk?index=a&type=t&refresh', '{"index":{"_id":"1"}}\n{"f":"x"}\n');
  expect((await call('POST', '/b/t?id=5&refresh', {})).body).toMatchObject({ _id: '5' });
  expect((await call('GET', '/_count?index=a')).body).toMatchObject({ count: 1, _shards: { total: 1 } });
  expect((await call('GET', '/_search?type=t&index=b')).body).toMatchObject({ hits: { total: 1 } });
  expect((await call('GET', '/_analyze?index=a&field=f', 'x1y')).body).toMatchObject({
    tokens: [{ token: 'x' }, { token: 'y' }],
  });
  expect((await call('GET', '/_cat/indices?index=b&h=index')).body).toBe('b \n');
  // What stands in the path counts.
  expect((await call('GET', '/a/_count?index=b')).body).toMatchObject({ count: 1 });
});

it('aliases are shown by their names alone', async () => {
  await call('PUT', '/a', ONE);
  await call('PUT', '/b', ONE);
  await call('PUT', '/a/_alias/x');
  expect((await call('GET', '/_aliases/x')).body).toEqual({ a: { aliases: { x: {} } }, b: { aliases: {} } });
});

it('the mappings of all fields show those about documents as well', async () => {
  const t = { _timestamp: { enabled: true }, properties: { f: { type: 'string' } } };
  await call('PUT', '/a', { settings: ONE, mappings: { t } });
  const fieldsOf = async (uri: string) => {
    const { body } = await call('GET', uri);
    return (body as { a: { mappings: { t: Record<string, { mapping: unknown }> } } }).a.mappings.t;
  };
  const found = await fieldsOf('/a/_mapping/field/*');
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(['_all', '_id', '_index', '_source', '_type', 'f']),
  );
  expect(found._source).toEqual({ full_name: '_source', mapping: {} });
  expect(found._timestamp).toEqual({ full_name: '_timestamp', mapping: { _timestamp: { enabled: true } } });
  const whole = await fieldsOf('/a/_mapping/t/field/_source,_timestamp?include_defaults=true');
  expect(whole._source!.mapping).toMatchObject({ _source: { enabled: true, includes: [] } });
  expect(whole._timestamp!.mapping).toMatchObject({ _timestamp: { enabled: true, default: 'now' } });
  expect(Object.keys(await fieldsOf('/a/_mapping/field/f*'))).toEqual(['f']);
});

it('a search may ask for no facets', async () => {
  await call('PUT', '/a/t/1?refresh=true', {});
  expect((await call('POST', '/a/_search', { facets: {}, version: true })).body).toMatchObject({
    hits: { total: 1 },
  });
});
