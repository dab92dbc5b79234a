/** Scripts in requests: updates, fields of hits, scores, sorts, filters, aggregations; on an index that lives. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';
import { type Call, closeScripted, openScripted } from './scriptedEngine.js';

let folder: string;
let call: Call;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-scripts-'));
  writeFileSync(join(folder, 'count.groovy'), 'ctx._source.n += step\n');
  writeFileSync(join(folder, 'half.groovy'), "doc['n'].value / 2\n");
  call = await openScripted({ inline: true, indexed: true, folder });
});
afterAll(async () => {
  await closeScripted();
  rmSync(folder, { recursive: true, force: true });
});

const source = async (id: string) => (await call('GET', `/a/t/${id}/_source`)).text;
const update = (id: string, body: unknown, uri = '') => call('POST', `/a/t/${id}/_update${uri}`, body);

describe('an update', () => {
  it('by a script changes what the script changes, and keeps the rest digit by digit', async () => {
    await call('PUT', '/a', { mappings: { t: { properties: { big: { type: 'string' } } } } });
    await call(
      'PUT',
      '/a/t/1',
      '{"n":9007199254740993,"big":123456789012345678901234567890,"d":1.10,"tags":["x"],"o":{"p":1}}',
    );
    const answer = await update('1', {
      script: 'ctx._source.n += k; ctx._source.tags += tag; ctx._source.o.p = null',
      params: { k: 2, tag: 'y' },
    });
    expect(answer).toMatchObject({ status: 200, json: { _version: 2 } });
    expect(await source('1')).toBe(
      '{"n":9007199254740995,"big":123456789012345678901234567890,"d":1.1,"tags":["x","y"],"o":{"p":null}}',
    );
  });

  it('counts, adds to lists and removes, many times at once', async () => {
    await call('PUT', '/a/t/2', { n: 0, l: [] });
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        update('2', {
          script: 'ctx._source.n += 1; if (!(i % 5 in ctx._source.l)) ctx._source.l << i % 5',
          params: { i },
        }),
      ),
    );
    const { n, l } = JSON.parse(await source('2'));
    expect([n, l.sort()]).toEqual([50, [0, 1, 2, 3, 4]]);
    await update('2', { script: 'ctx._source.l.removeAll { it > 1 }; ctx._source.remove("n")' });
    expect(JSON.parse(await source('2'))).toEqual({ l: expect.arrayContaining([0, 1]) });
  });

  it('may delete the document, or do nothing', async () => {
    await call('PUT', '/a/t/3', { n: 1 });
    const script = { script: 'ctx.op = ctx._source.n > limit ? "none" : "delete"' };
    expect((await update('3', { ...script, params: { limit: 0 } })).json).toMatchObject({ _version: 1 });
    expect(await source('3')).toBe('{"n":1}');
    const deleted = await update('3', { ...script, params: { limit: 1 } });
    expect(deleted).toMatchObject({ status: 200, json: { _version: 2 } });
    expect((await call('GET', '/a/t/3')).json.found).toBe(false);
    expect((await update('3', script)).text).toContain('DocumentMissingException');
  });

  it('of a document that is missing makes it of upsert, by the script where that is asked for', async () => {
    const body = { script: 'ctx._source.n = (ctx._source.n ?: 0) + 5', upsert: { n: 1 } };
    expect(await update('4', body)).toMatchObject({ status: 201, json: { _version: 1 } });
    expect(await source('4')).toBe('{"n":1}');
    expect((await update('5', { ...body, scripted_upsert: true })).status).toBe(201);
    expect(await source('5')).toBe('{"n":6}');
    const none = await update('6', { script: 'ctx.op = "none"', upsert: {}, scripted_upsert: true });
    expect(none.status).toBe(200);
    expect((await call('GET', '/a/t/6')).json.found).toBe(false);
  });

  it('sees what the document is kept with', async () => {
    await call('PUT', '/times', {
      mappings: { t: { _timestamp: { enabled: true, store: true }, _ttl: { enabled: true } } },
    });
    await call('PUT', '/times/t/1?routing=r&timestamp=4102444800000&ttl=1h', { n: 1 });
    const script =
      'ctx._source.seen = [ctx._index, ctx._type, ctx._id, ctx._version, ctx._routing, ctx._timestamp]; ctx._ttl = "2h"; ctx._timestamp = 4102444805000';
    expect((await call('POST', '/times/t/1/_update?routing=r', { script })).status).toBe(200);
    const got = (await call('GET', '/times/t/1?routing=r&fields=_timestamp,_ttl,_source')).json;
    expect(got._source.seen).toEqual(['times', 't', '1', 1, 'r', 4102444800000]);
    expect(got._timestamp ?? got.fields._timestamp).toBe(4102444805000);
    expect(got._ttl ?? got.fields._ttl).toBeGreaterThan(3_600_000);
  });

  it('takes scripts of the URL, stored ones and those in files, and shows fields', async () => {
    await call('PUT', '/a/t/7', { n: 1 });
    await update('7', undefined, `?script=${encodeURIComponent('ctx._source.n = 10')}`);
    expect((await call('PUT', '/_scripts/groovy/add', { script: 'ctx._source.n += step' })).status).toBe(201);
    await update('7', { script_id: 'add', params: { step: 3 } });
    const { json } = await update('7', { script_file: 'count', params: { step: 4 } }, '?fields=n,_source');
    expect(json.get).toMatchObject({ _source: { n: 17 }, fields: { n: [17] } });
    expect((await call('PUT', '/_scripts/groovy/bad', { script: 'while (true) {}' })).text).toContain(
      'while loops',
    );
  });

  it('stands in bulks too', async () => {
    await call('PUT', '/a/t/8', { n: 1 });
    const lines = [
      { update: { _index: 'a', _type: 't', _id: '8' } },
      { script: 'ctx._source.n *= 2' },
      { update: { _index: 'a', _type: 't', _id: '8' } },
      { script: 'ctx._source.n += 1' },
      { update: { _index: 'a', _type: 't', _id: '8' } },
      { script: 'nothing.there' },
      { update: { _index: 'a', _type: 't', _id: '7' } },
      { script: 'ctx.op = "delete"' },
      { update: { _index: 'a', _type: 't', _id: '9' } },
      { script: 'ctx._source.n += 1', upsert: { n: 5 } },
    ];
    const { json } = await call('POST', '/_bulk', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(json.items.map(({ update: { status } }: { update: { status: number } }) => status)).toEqual([
      200, 200, 400, 200, 201,
    ]);
    expect(await source('8')).toBe('{"n":3}');
    expect((await call('GET', '/a/t/7')).json.found).toBe(false);
  });

  it('says what is wrong with a script', async () => {
    await call('PUT', '/a/t/10', { n: 1 });
    const failed = async (script: string) => {
      const { status, json } = await update('10', { script });
      return [status, json.error];
    };
    const start = 'ElasticsearchIllegalArgumentException[failed to execute script]; nested: ';
    expect(await failed('ctx._source.n +')).toEqual([
      400,
      `${start}GroovyScriptCompilationException[MultipleCompilationErrorsException[startup failed: Script1.groovy: 1: unexpected token: EOF @ line 1, column 16.]]; `,
    ]);
    expect(await failed('ctx._source.m += 1')).toEqual([
      400,
      `${start}GroovyScriptExecutionException[NullPointerException[Cannot execute null+1]]; `,
    ]);
    expect((await failed('for (int i = 0; i >= 0; i++) {}'))[1]).toContain(
      'the script takes more than 200000 steps',
    );
    expect((await failed('ctx._source = 1'))[1]).toContain('GroovyCastException');
    expect(await source('10')).toBe('{"n":1}');
    expect((await call('POST', '/a/t/10/_update', { script: 'x', lang: 'mvel' })).text).toContain(
      'script_lang not supported [mvel]',
    );
  });
});

describe('a search', () => {
  beforeAll(async () => {
    await call('PUT', '/s', {
      settings: { number_of_shards: 2 },
      mappings: {
        t: {
          properties: {
            n: { type: 'long' },
            x: { type: 'double' },
            tag: { type: 'string', index: 'not_analyzed' },
            at: { type: 'geo_point' },
          },
        },
      },
    });
    // Several segments, replaced and deleted documents.
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 8; i++)
        await call('PUT', `/s/t/${i}`, {
          n: i * 10 + round,
          x: i / 4,
          tag: ['b', 'a'],
          at: { lat: i, lon: 2 * i },
          o: { p: [`${i}`, 'q'] },
        });
      await call('POST', '/s/_refresh');
    }
    await call('DELETE', '/s/t/7');
    await call('PUT', '/s/t/none', {});
    await call('POST', '/s/_refresh');
  });

  const fields = async (id: string, scripts: Record<string, unknown>) => {
    const script_fields = Object.fromEntries(
      Object.entries(scripts).map(([name, script]) => [
        name,
        typeof script === 'string' ? { script } : script,
      ]),
    );
    const query = { ids: { values: [id] } };
    return (await call('POST', '/s/_search', { query, script_fields })).json.hits.hits[0].fields;
  };

  it('shows what scripts make of hits', async () => {
    const scripts = {
      long: "doc['n'].value",
      sum: { script: "doc['n'].value + k", params: { k: 5 } },
      half: "doc['n'].value / 4",
      text: "doc['tag'].value + doc['tag'].values.size()",
      all: "doc['tag'].values",
      source: '_source.o.p[1] + "!"',
      map: '[a: _source.o.p[0]]',
      point: "[doc['at'].value.lat, doc['at'].lon]",
      score: '_score > 0',
      file: { script_file: 'half' },
      missing: "doc.containsKey('nowhere') ? 1 : doc['x'].empty",
    };
    expect(await fields('3', scripts)).toEqual({
      long: [32],
      sum: [37],
      half: ['8'],
      text: ['a2'],
      all: ['a', 'b'],
      source: ['q!'],
      map: [{ a: '3' }],
      point: [3, 6],
      score: [true],
      file: ['16'],
      missing: [false],
    });
    expect(
      await fields('none', { n: "doc['n'].value", x: "doc['x'].value", tag: "doc['tag'].value" }),
    ).toEqual({
      n: [0],
      x: [0],
      tag: [null],
    });
  });

  it('has so much work for all fields of a hit together', async () => {
    const loop = (times: number) => ({ script: `def s = 0; for (i in 1..${times}) s += i; s` });
    const search = async (count: number, times: number) => {
      const script_fields = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`f${i}`, loop(times)]),
      );
      return (await call('POST', '/s/_search', { script_fields, size: 3 })).text;
    };
    expect(await search(1, 10_000)).toContain('50005000');
    expect(await search(20, 10_000)).toContain('the script takes more than 200000 steps');
  });

  it('scores, sorts, filters and aggregates by scripts over numbers', async () => {
    const ids = async (body: unknown) =>
      (await call('POST', '/s/_search', body)).json.hits.hits.map(({ _id }: { _id: string }) => _id);
    const script = "doc['n'].value > 30 ? -doc['n'].value : doc['n'].value * factor";
    const params = { factor: 2 };
    expect(
      await ids({ sort: { _script: { script, params, type: 'number', order: 'desc' } }, size: 3 }),
    ).toEqual(['2', '1', '0']);
    const scored = {
      function_score: { query: { match_all: {} }, script_score: { script: "_score * doc['n'].value" } },
    };
    expect(await ids({ query: scored, size: 2 })).toEqual(['6', '5']);
    const filter = {
      script: { script: "doc['n'].value % 20 == 2 && doc['x'].value >= limit", params: { limit: 0.5 } },
    };
    expect((await ids({ query: { filtered: { filter } } })).sort()).toEqual(['2', '4', '6']);
    const aggs = {
      s: { sum: { script: "doc['n'].value * 2" } },
      v: { max: { field: 'n', script: '_value + 1' } },
    };
    expect((await call('POST', '/s/_search?search_type=count', { aggs })).json.aggregations).toEqual({
      s: { value: 2 * (7 * 2 + 210) },
      v: { value: 63 },
    });
  });

  it('names what a script over all documents can not have', async () => {
    const sort = { _script: { script: "doc['tag'].value == 'a' ? 1 : 0", type: 'number' } };
    const { status, text } = await call('POST', '/s/_search', { sort });
    expect(status).toBe(400);
    expect(text).toContain("a text can't be used in a script that is worked out for every document");
    const aggs = { a: { terms: { script: "doc['n'].values.sum()" } } };
    expect((await call('POST', '/s/_search', { aggs })).text).toContain(
      ".sum() of a field can't be used in a script that is worked out for every document",
    );
  });
});

it('runs in an engine of a program that lets it', async () => {
  for (const groovy of [true, false]) {
    const engine = await createEngine({ groovy });
    await engine.index('a', 't', { n: 1 }, { id: '1' });
    const { status } = await engine.request('POST', '/a/t/1/_update', { script: 'ctx._source.n += 1' });
    expect([status, (await engine.get('a', 't', '1'))?._source]).toEqual(
      groovy ? [200, { n: 2 }] : [400, { n: 1 }],
    );
    await engine.close();
  }
});

describe('where scripts are off', () => {
  it('all are refused as 1.7 refuses them, and those that are on run', async () => {
    const off = await openScripted({});
    const stored = await openScripted({ indexed: true });
    for (const each of [off, stored]) await each('PUT', '/a/t/1?refresh=true', { n: 1 });
    const script_fields = { f: { script: '1' } };
    for (const each of [off, stored]) {
      expect((await each('POST', '/a/t/1/_update', { script: 'ctx.op = "delete"' })).text).toContain(
        'ScriptException[scripts of type [inline], operation [update] and lang [groovy] are disabled]',
      );
      expect((await each('POST', '/a/_search', { script_fields })).text).toContain(
        'ScriptException[scripts of type [inline], operation [search] and lang [groovy] are disabled]',
      );
      expect((await each('POST', '/a/t/1/_update', { script_file: 'x' })).text).toContain(
        'Unable to find on disk script x',
      );
      await each('PUT', '/_scripts/groovy/add', { script: 'ctx._source.n += 1' });
    }
    expect((await off('POST', '/a/t/1/_update', { script_id: 'add' })).text).toContain(
      'scripts of type [indexed]',
    );
    expect((await stored('POST', '/a/t/1/_update', { script_id: 'add' })).status).toBe(200);
  });
});

it('a search runs stored scripts: fields, scores, filters', async () => {
  await call('PUT', '/_scripts/groovy/double', { script: "doc['k'].value * 2" });
  await call('PUT', '/stored/t/1?refresh=true', { k: 21 });
  const { json, text } = await call('POST', '/stored/_search', {
    query: {
      function_score: {
        query: { filtered: { filter: { script: { script_id: 'double' } } } },
        script_score: { script_id: 'double' },
        boost_mode: 'replace',
      },
    },
    script_fields: { d: { script_id: 'double' } },
  });
  expect(json.hits?.hits, text).toMatchObject([{ _score: 42, fields: { d: [42] } }]);
});
