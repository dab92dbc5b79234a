import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const number = (type: string, more: string) => `{"type":"${type}",${more}}`;
  const body = `{"mappings":{"t":{"properties":{
    "d":${number('double', '"null_value":6')},
    "s":${number('float', '"null_value":"2.5","store":true')},
    "l":${number('long', '"null_value":9007199254740993,"boost":2,"store":true')},
    "i":${number('integer', '"null_value":7.9')}}}}}`;
  await resilin.handle('PUT', '/a', new TextEncoder().encode(body.replace(/\s/g, '')));
});
afterEach(() => resilin.close());

const textOf = async (method: string, uri: string, body = '') =>
  new TextDecoder().decode((await resilin.handle(method, uri, new TextEncoder().encode(body))).body);

it('mappings show numbers as the type of the field has them', async () => {
  const shown = await textOf('GET', '/a/_mapping');
  expect(shown).toContain('"d":{"type":"double","null_value":6.0}');
  expect(shown).toContain('"null_value":2.5');
  expect(shown).toContain('"null_value":9007199254740993');
  expect(shown).toContain('"boost":2.0');
  expect(shown).toContain('"i":{"type":"integer","null_value":7}');
  expect(await textOf('GET', '/a/_mapping/field/d?include_defaults=true')).toContain('"boost":1.0');
});

it('a null value is indexed with all its digits', async () => {
  await textOf('PUT', '/a/t/1?refresh=true', '{"l":null}');
  for (const [value, count] of [
    ['9007199254740993', 1],
    ['9007199254740992', 0],
  ] as const) {
    const found = await textOf('GET', '/a/_search', `{"query":{"match":{"l":${value}}}}`);
    expect(JSON.parse(found).hits.total).toBe(count);
  }
});

it('sources that are written again have longs with all digits and doubles as Java prints them', async () => {
  await textOf('PUT', '/a/t/1', '{"x":9007199254740993,"y":1.50,"z":[1e3],"w":0.00001,"v":-0,"u":"1e3"}');
  const shown = '{"x":9007199254740993,"y":1.5,"z":[1000.0],"w":1.0E-5,"v":0,"u":"1e3"}';
  expect(await textOf('GET', '/a/t/1/_source?_source_exclude=none')).toBe(shown);
  expect(await textOf('GET', '/a/t/1?fields=x,y,z,w')).toContain(
    '"x":[9007199254740993],"y":[1.5],"z":[1000.0],"w":[1.0E-5]',
  );
  await textOf('POST', '/a/t/1/_update', '{"doc":{"t":2e0}}');
  expect(await textOf('GET', '/a/t/1/_source')).toBe(`${shown.slice(0, -1)},"t":2.0}`);
});

it('stored values are shown as their type has them', async () => {
  await textOf('PUT', '/a/t/1?refresh=true', '{"s":8,"l":"9223372036854775807"}');
  const shown = await textOf('GET', '/a/_search', '{"fields":["s","l"]}');
  expect(shown).toContain('"s":[8.0]');
  expect(shown).toContain('"l":[9223372036854775807]');
});
