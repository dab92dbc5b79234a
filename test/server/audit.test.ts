/** The audit log: who did what to which index, refused or not. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { unauthenticated } from '../../host/errors.js';
import { createEngine } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { AuditFile } from '../../host/server/auditFile.js';
import { type AuditEntry, createHttp } from '../../host/server/http.js';

const folder = mkdtempSync(join(tmpdir(), 'resilin-audit-'));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server on which ann may read `open`, and those without a header are nobody. */
async function start(audit: (entry: AuditEntry) => void) {
  const resilin = await createEngine({ guarded: true });
  ends.push(() => resilin.close());
  const ann = new Principal('user', 'ann', {
    grants: [{ indices: ['open'], access: 'write' }],
    cluster: 'none',
  });
  const router = createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' });
  const known = (header: string | undefined, uri: string) => {
    if (header === undefined) throw unauthenticated(`missing authentication token for REST request [${uri}]`);
    return ann;
  };
  const app = createHttp(router, known, { audit });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ends.push(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return async (method: string, path: string, body?: string, header?: string) => {
    const headers = header === undefined ? { authorization: 'Basic x' } : undefined;
    const answer = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}

describe('the audit log', () => {
  it('tells of each request who sent it, from where, what it was to do to what, and what was answered', async () => {
    const entries: AuditEntry[] = [];
    const ask = await start((entry) => entries.push(entry));
    await ask('PUT', '/open/t/1?routing=secret', '{"password":"canary"}');
    await ask('GET', '/open,hidden/_search?q=canary');
    await ask('GET', '/open/t/1', undefined, 'nobody');
    await ask('DELETE', '/_search/scroll/c2Nhbjs');
    await ask('PATCH', '/no/such/route/at/all');
    expect(JSON.stringify(entries)).not.toMatch(/canary|secret|Basic|c2Nhbjs/);
    for (const { time, address } of entries) {
      expect(new Date(time).toISOString()).toBe(time);
      expect(address).toBe('127.0.0.1');
    }
    expect(entries.map(({ time, address, ...rest }) => rest)).toEqual([
      {
        principal: 'ann',
        method: 'PUT',
        path: '/open/t/1',
        action: 'indices:data/write/index',
        indices: ['open'],
        status: 201,
      },
      {
        principal: 'ann',
        method: 'GET',
        path: '/open,hidden/_search',
        action: 'indices:data/read/search',
        indices: ['open', 'hidden'],
        status: 403,
      },
      {
        principal: undefined,
        method: 'GET',
        path: '/open/t/1',
        action: 'indices:data/read/get',
        indices: ['open'],
        status: 401,
      },
      {
        principal: 'ann',
        method: 'DELETE',
        path: '/_search/scroll/{id}',
        action: expect.stringContaining('indices:'),
        indices: [],
        status: expect.any(Number),
      },
      {
        principal: 'ann',
        method: 'PATCH',
        path: '/no/such/route/at/all',
        action: undefined,
        indices: [],
        status: 400,
      },
    ]);
  });

  it('names the indices that bodies name, and not those that documents speak of', async () => {
    const entries: AuditEntry[] = [];
    const ask = await start((entry) => entries.push(entry));
    const lines = (...each: unknown[]) => each.map((line) => `${JSON.stringify(line)}\n`).join('');
    await ask(
      'POST',
      '/open/_bulk',
      lines(
        { index: { _index: 'a', _type: 't' } },
        { index: 'spoken of' },
        { delete: { _index: 'b', _type: 't', _id: '1' } },
        { create: { _type: 't' } },
        { _index: 'spoken of' },
      ),
    );
    await ask(
      'POST',
      '/_msearch',
      lines({ index: ['a', 'b'] }, { query: { index: 'spoken of' } }, { index: 'c,d' }, {}),
    );
    await ask('POST', '/_mget', JSON.stringify({ docs: [{ _index: 'e', _id: '1' }] }));
    await ask(
      'POST',
      '/_aliases',
      JSON.stringify({
        actions: [{ add: { index: 'f', alias: 'g' } }, { remove: { indices: ['h'], aliases: 'i' } }],
      }),
    );
    await ask('POST', '/_bulk', 'this is no bulk\n{"index"\n');
    expect(entries.map(({ indices }) => indices)).toEqual([
      ['open', 'a', 'b'],
      ['a', 'b', 'c', 'd'],
      ['e'],
      ['f', 'g', 'h', 'i'],
      [],
    ]);
  });
});

describe('the file of the audit log', () => {
  const read = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).n as number);

  it('is for its owner alone, is continued, and makes room by new names for what is in it', async () => {
    const path = join(folder, 'audit.log');
    const warnings: string[] = [];
    const limits = { fileBytes: 1000, kept: 3 };
    for (let round = 0; round < 2; round++) {
      const file = new AuditFile(path, (message) => warnings.push(message), limits);
      for (let n = 0; n < 100; n++) {
        file.line({ n: 100 * round + n, text: 'x'.repeat(20) });
        if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await file.close();
    }
    expect(warnings).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.4`)).toBe(false);
    const kept = [3, 2, 1].flatMap((i) => read(`${path}.${i}`)).concat(read(path));
    // None is missing between the oldest that is kept and the newest.
    expect(kept.at(-1)).toBe(199);
    expect(kept).toEqual(kept.map((_, i) => kept[0]! + i));
    expect(kept.length).toBeLessThan(120);
  });

  it('that can not be written any more fails nobody, and tells once', async () => {
    const place = join(folder, 'gone');
    mkdirSync(place);
    const warnings: string[] = [];
    const file = new AuditFile(join(place, 'audit.log'), (message) => warnings.push(message), {
      fileBytes: 100,
    });
    file.line({ n: 1, text: 'x'.repeat(80) });
    rmSync(place, { recursive: true });
    for (let n = 0; n < 50; n++) file.line({ n, text: 'x'.repeat(80) });
    await file.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^the audit log .*audit\.log can't be written: /);
  });

  it('that can not be made is refused at once', () => {
    expect(() => new AuditFile(join(folder, 'missing/audit.log'), () => {})).toThrow('ENOENT');
  });
});
