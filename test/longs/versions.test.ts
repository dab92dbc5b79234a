import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { getVersion, nextVersion, putVersion, versionFrom } from '../../host/storage/versions.js';
import { anyLong, openExact } from '../support/longs.js';

const MOST = 2n ** 63n - 1n;
const anyVersion = anyLong.map((value) => (value < 0n ? -(value + 1n) : value));

describe('versions in eight bytes', () => {
  it('come back as they were', () => {
    const view = new DataView(new ArrayBuffer(8));
    fc.assert(
      fc.property(anyVersion, (value) => {
        putVersion(view, 0, versionFrom(value));
        expect(getVersion(view, 0)).toBe(versionFrom(value));
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        putVersion(view, 0, value);
        expect(getVersion(view, 0)).toBe(value);
      }),
      { examples: [[-1], [-3], [Number.MIN_SAFE_INTEGER]] },
    );
    for (const wrapped of [-(2n ** 63n), 5n - 2n ** 63n]) {
      putVersion(view, 0, versionFrom(wrapped));
      expect(getVersion(view, 0)).toBe(wrapped);
    }
    // No version gets there: nothing is written that would be read as another.
    expect(() => putVersion(view, 0, -(2n ** 60n))).toThrow(RangeError);
  });

  it('are counted on as Java counts', () => {
    fc.assert(
      fc.property(anyVersion, (value) => {
        expect(BigInt(nextVersion(versionFrom(value)))).toBe(BigInt.asIntN(64, value + 1n));
      }),
    );
  });
});

describe('versions of documents', () => {
  it('are compared and kept with all their digits', async () => {
    const api = await openExact();
    await fc.assert(
      fc.asyncProperty(anyVersion, anyVersion, async (first, second) => {
        const to = (version: bigint, type: string) => `/a/t/1?version=${version}&version_type=${type}`;
        await api.call('DELETE', '/a');
        const made = await api.call('PUT', to(first, 'external'), '{}');
        expect(String(made.body._version)).toBe(String(first));
        const gte = await api.call('PUT', to(second, 'external_gte'), '{}');
        expect(gte.status).toBe(second >= first ? 200 : 409);
        const known = second >= first ? second : first;
        if (second < first) expect(gte.body.error).toContain(`current [${first}], provided [${second}]`);
        const again = await api.call('PUT', to(known, 'external'), '{}');
        expect(again.status).toBe(409);
        const bulk = `{"index":{"_id":1,"_version":${known - 1n},"_version_type":"external"}}\n{}\n`;
        const refused = await api.call('POST', '/a/t/_bulk', bulk);
        expect(refused.body.items[0].index.status).toBe(known === 0n ? 400 : 409);
        expect((await api.call('GET', `/a/t/1?version=${known}`)).status).toBe(200);
        const next = await api.call('PUT', `/a/t/1?version=${known}&refresh=true`, '{}');
        expect(String(next.body._version)).toBe(String(BigInt.asIntN(64, known + 1n)));
        const hits = await api.call('GET', '/a/_search?version=true');
        expect(String(hits.body.hits.hits[0]._version)).toBe(String(next.body._version));
      }),
      { numRuns: 60 },
    );
    await api.close();
  });

  it('go on after a restart', async () => {
    const [storage, blobs] = [new MemoryStorage(), new MemoryBlobs()];
    const before = await openExact({ storage, blobs });
    const lines = [MOST, 2n ** 53n + 1n].flatMap((version) => [
      `{"index":{"_id":${version},"_version":${version},"_version_type":"external"}}`,
      '{}',
    ]);
    const { body } = await before.call('POST', '/a/t/_bulk', `${lines.join('\n')}\n`);
    expect(body.items.map((item: { index: { _version: string } }) => item.index._version)).toEqual([
      String(MOST),
      String(2n ** 53n + 1n),
    ]);
    await before.call(
      'PUT',
      `/_search/template/mine?version=${MOST}&version_type=external`,
      '{"template":{"query":{"match_all":{}}}}',
    );
    await before.close();
    const after = await openExact({ storage, blobs });
    for (const version of [MOST, 2n ** 53n + 1n])
      expect((await after.call('GET', `/a/t/${version}`)).body._version).toBe(String(version));
    expect((await after.call('GET', '/_search/template/mine')).body._version).toBe(String(MOST));
    const { status } = await after.call('PUT', `/a/t/${MOST}?version=${MOST}&version_type=external`, '{}');
    expect(status).toBe(409);
    await after.close();
  });

  it('are refused where they leave the longs, and do not count for the source alone', async () => {
    const api = await openExact();
    await api.call('PUT', '/a/t/1', '{"a":1}');
    const refused = await api.call('PUT', `/a/t/1?version=${2n ** 63n}`, '{}');
    expect(refused.status).toBe(400);
    expect((await api.call('GET', '/a/t/1/_source?version=3')).body).toEqual({ a: 1 });
    const docs = `{"docs":[{"_index":"a","_type":"t","_id":"1","_version":${MOST}}]}`;
    expect((await api.call('GET', '/_mget', docs)).body.docs[0].error).toContain(`provided [${MOST}]`);
    await api.close();
  });
});
