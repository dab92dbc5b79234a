/** What changes in the mapping of many fields is written down in turns, and whatever changes meanwhile is not lost. */
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { jsonText } from '../../host/json/jsonText.js';
import { jsonBytesInTurns } from '../../host/json/longJsonText.js';
import { RawNumber } from '../../host/json/values.js';
import type { IndexMetadata } from '../../host/metadata/openIndex.js';
import { decodeJson, indexKey } from '../../host/storage/records.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { atOnce, WorkLimit } from '../../host/workLimit.js';
import { startNode } from './node.js';

const FIELDS = 3000;

afterEach(() => void vi.restoreAllMocks());

it('JSON in turns is the JSON that it is at once', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined));
  const number = fc.constantFrom('1.0', '12345678901234567890').map((text) => new RawNumber(text));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      number,
      fc.array(tie('value'), { maxLength: 100 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 100 }),
    ),
  }));
  fc.assert(
    fc.property(fc.record({ a: value, b: value }), (given) => {
      const bytes = atOnce(jsonBytesInTurns(given, () => true));
      expect(new TextDecoder().decode(bytes)).toBe(jsonText(given));
    }),
  );
});

/** A node with an index of many fields; the turns of whatever happens from then on are over at once. */
async function wideNode() {
  const storage = new MemoryStorage();
  const node = await startNode(storage);
  const names = Array.from({ length: FIELDS }, (_, i) => [`f${i}`, { type: 'string' }]);
  await node.call('PUT', '/a', {
    settings: { number_of_shards: 2 },
    mappings: { t: { properties: Object.fromEntries(names) } },
  });
  vi.spyOn(WorkLimit.prototype, 'due', 'get').mockReturnValue(true);
  vi.spyOn(WorkLimit.prototype, 'elapsed', 'get').mockReturnValue(Number.POSITIVE_INFINITY);
  const kept = () => decodeJson<IndexMetadata>(storage.get(indexKey('a'))!);
  return { node, storage, kept };
}

const fieldsOf = ({ mapping }: IndexMetadata): string[] => {
  const { t } = mapping!.mappings as Record<string, { properties: object }>;
  return Object.keys(t!.properties);
};

/** Searches from the beginning, in a node that knows nothing but the store. */
async function foundBy(storage: MemoryStorage, query: object): Promise<number> {
  vi.restoreAllMocks();
  const again = await startNode(storage);
  const { body } = await again.call('POST', '/a/_search', { query });
  await again.engine.close();
  return body.hits.total;
}

it('others have their turns while a field joins many', async () => {
  const { node, kept } = await wideNode();
  const yields = vi.spyOn(WorkLimit.prototype, 'yield');
  const short = async (id: string, body: object) => {
    const before = yields.mock.calls.length;
    expect((await node.call('PUT', `/a/t/${id}`, body)).status).toBe(201);
    return yields.mock.calls.length - before;
  };
  expect(await short('1', { f1: 'red' })).toBeLessThan(5);
  // Of 1,024 steps each turn has a few dozen fields.
  expect(await short('2', { more: 'red' })).toBeGreaterThan(20);
  expect(fieldsOf(kept())).toContain('more');
  await node.engine.close();
});

it('nothing is lost that changes while it is written', async () => {
  const { node, storage, kept } = await wideNode();
  const documents = Array.from({ length: 6 }, (_, i) =>
    node.call('PUT', `/a/t/${i}`, { [`more${i}`]: `word${i}`, n: i }),
  );
  const alias = node.call('PUT', '/a/_alias/b', { filter: { term: { f1: 'x' } } });
  const mapping = node.call('PUT', '/a/_mapping/t', { properties: { late: { type: 'long' } } });
  const answers = await Promise.all([...documents, alias, mapping]);
  expect(answers.map(({ status }) => status < 300)).not.toContain(false);
  const saved = kept();
  expect(fieldsOf(saved)).toEqual(expect.arrayContaining(['more0', 'more5', 'late', 'n', 'f0']));
  expect(saved.aliases).toEqual({ b: { filter: { term: { f1: 'x' } } } });
  await node.engine.close();
  for (let i = 0; i < 6; i++) expect(await foundBy(storage, { term: { [`more${i}`]: `word${i}` } })).toBe(1);
});

it('a document is in the store together with the fields that it has brought', async () => {
  const { node, storage, kept } = await wideNode();
  const commit = storage.commit.bind(storage);
  const missing: string[] = [];
  const seen = new Set<string>();
  vi.spyOn(storage, 'commit').mockImplementation(async (...args) => {
    await commit(...args);
    const fields = fieldsOf(kept());
    for (const [key, value] of storage.range(Uint8Array.of(0x64), Uint8Array.of(0x65))) {
      const name = /more\d+/.exec(new TextDecoder().decode(value))?.[0];
      if (name !== undefined) seen.add(name);
      if (name !== undefined && !fields.includes(name)) missing.push(`${name} of ${key.join()}`);
    }
  });
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => node.call('PUT', `/a/t/${i}`, { [`more${i % 7}`]: 'x' })),
  );
  expect(missing).toEqual([]);
  expect(seen.size).toBe(7);
  await node.engine.close();
});
