import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';
import { bodyText } from '../../host/json/bigints.js';

it('bigints are written as numbers, and nothing else is touched', () => {
  const body = {
    a: 9223372036854775807n,
    b: [-9007199254740993n, '\0#5', '\0x', 'y:'],
    '\0#7': '":\0#1',
    c: 1,
  };
  expect(bodyText(body)).toBe(
    String.raw`{"a":9223372036854775807,"b":[-9007199254740993,"\u0000#5","\u0000x","y:"],"\u0000#7":"\":\u0000#1","c":1}`,
  );
  const texts = fc.oneof(fc.string(), fc.constantFrom('\0#1', '\0\0#1', '\0', '":', '\\"'));
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
      expect(bodyText(value)).toBe(JSON.stringify(value));
      const text = bodyText({ value, last: 1n });
      expect(text).toBe(`${JSON.stringify({ value }).slice(0, -1)},"last":1}`);
    }),
  );
});

it('bigints of a body keep their digits', async () => {
  const resilin = await createEngine();
  try {
    await resilin.request('PUT', '/i/t/1?refresh=true', { n: 9007199254740993n });
    const found = async (n: bigint) =>
      (await resilin.request('POST', '/i/_count', { query: { term: { n } } })).body as { count: number };
    expect((await found(9007199254740993n)).count).toBe(1);
    expect((await found(9007199254740992n)).count).toBe(0);
    const raw = await resilin.handle('GET', '/i/t/1/_source');
    expect(new TextDecoder().decode(raw.body as Uint8Array)).toBe('{"n":9007199254740993}');
  } finally {
    await resilin.close();
  }
});
