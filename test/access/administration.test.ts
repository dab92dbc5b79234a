/** Users and keys that are kept by requests: who may, what is refused, what is in force when it is answered, and two who write at once. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FileUsers } from '../../host/server/access/fileUsers.js';
import { hashPassword, type PasswordHash } from '../../host/server/access/passwords.js';
import {
  changeUsers,
  formatUsers,
  readUsers,
  type UserEntry,
  type Users,
} from '../../host/server/access/usersFile.js';
import type { RunningServer } from '../../host/server/options.js';
import { built } from '../support/server.js';

const { startServer } = (await import(
  join(await built(), 'js/host/server/server.js')
)) as typeof import('../../host/server/server.js');

const folder = mkdtempSync(join(tmpdir(), 'resilin-administration-'));
const file = join(folder, 'users.json');
const audit = join(folder, 'audit.log');
let cheap: PasswordHash;
let server: RunningServer;

const user = (cluster: UserEntry['cluster'], grants: UserEntry['grants'] = []): UserEntry => ({
  password: cheap,
  grants,
  cluster,
});
const save = (users: Record<string, UserEntry>) => {
  writeFileSync(file, formatUsers({ users: new Map(Object.entries(users)), keys: new Map() }), {
    mode: 0o600,
  });
};

beforeAll(async () => {
  cheap = await hashPassword('secret', { N: 1024, r: 1, p: 1 });
  save({ root: user('manage') });
  server = await startServer({ port: 0, data: ':memory:', threads: 1, users: file, audit, warn: () => {} });
});
beforeEach(() => {
  save({
    root: user('manage'),
    ann: user('monitor', [{ indices: ['open-*'], access: 'manage' }]),
  });
  server.reload();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever is answered.
  json: any;
  text: string;
}

async function as(credentials: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const authorization = credentials.startsWith('ApiKey ')
    ? credentials
    : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const root = (method: string, path: string, body?: unknown) => as('root:secret', method, path, body);

describe('who one is', () => {
  it('is told to everybody who is known, with what one may do', async () => {
    expect((await as('ann:secret', 'GET', '/_security/_authenticate')).json).toEqual({
      name: 'ann',
      kind: 'user',
      has_users: true,
      grants: [{ indices: ['open-*'], access: 'manage' }],
      cluster: 'monitor',
    });
    expect((await as('ann:wrong', 'GET', '/_security/_authenticate')).status).toBe(401);
  });

  it('is anybody on a server without users, which has none to keep', async () => {
    const open = await startServer({ port: 0, data: ':memory:', threads: 1, warn: () => {} });
    try {
      const who = await (await fetch(`${open.url}/_security/_authenticate`)).json();
      expect(who).toMatchObject({ name: 'unrestricted', has_users: false, cluster: 'manage' });
      for (const [method, path] of [
        ['GET', '/_security/user'],
        ['PUT', '/_security/user/eve'],
        ['POST', '/_security/api_key'],
        ['DELETE', '/_security/user/root'],
      ]) {
        const refused = await fetch(`${open.url}${path}`, {
          method: method!,
          ...(method === 'GET' ? {} : { body: '{"password":"long enough","name":"x"}' }),
        });
        expect([path, refused.status, (await refused.json()).error]).toEqual([
          path,
          400,
          expect.stringContaining('the server is not started with --users'),
        ]);
      }
    } finally {
      await open.close();
    }
  });
});

describe('users and keys', () => {
  it.each([
    ['GET', '/_security/user'],
    ['GET', '/_security/user/ann'],
    ['PUT', '/_security/user/ann'],
    ['DELETE', '/_security/user/root'],
    ['GET', '/_security/api_key'],
    ['POST', '/_security/api_key'],
    ['DELETE', '/_security/api_key/x'],
  ])('are for those alone who manage the cluster: %s %s', async (method, path) => {
    const before = readFileSync(file, 'utf8');
    const body = method === 'GET' ? undefined : { password: 'long enough', cluster: 'manage' };
    expect((await as('ann:secret', method, path, body)).status).toBe(403);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('are shown without their hashes', async () => {
    await root('POST', '/_security/api_key', { name: 'shipper' });
    const users = await root('GET', '/_security/user');
    expect(users.json).toEqual({
      root: { grants: [], cluster: 'manage' },
      ann: { grants: [{ indices: ['open-*'], access: 'manage' }], cluster: 'monitor' },
    });
    expect((await root('GET', '/_security/user/ann')).json).toEqual({ ann: users.json.ann });
    expect(await root('GET', '/_security/user/eve')).toMatchObject({ status: 404, json: { found: false } });
    const keys = await root('GET', '/_security/api_key');
    expect(Object.values(keys.json)).toEqual([
      { name: 'shipper', created: expect.stringMatching(/^\d{4}-.*Z$/), grants: [], cluster: 'none' },
    ]);
    for (const { hash, salt } of [cheap])
      for (const { text } of [users, keys]) {
        expect(text).not.toContain(hash);
        expect(text).not.toContain(salt);
      }
  });

  it('are let in as soon as they are there, and refused as soon as they are not', async () => {
    const body = { password: 'long enough', grants: [{ indices: ['logs-*'], access: 'read' }] };
    expect(await root('PUT', '/_security/user/eve', body)).toMatchObject({
      status: 201,
      json: { user: 'eve', created: true },
    });
    const who = () => as('eve:long enough', 'GET', '/_security/_authenticate');
    expect((await who()).json).toMatchObject({ grants: body.grants, cluster: 'none' });
    // What isn't given stays.
    const raised = await root('PUT', '/_security/user/eve', { cluster: 'monitor' });
    expect(raised).toMatchObject({ status: 200, json: { created: false } });
    expect((await who()).json).toMatchObject({ grants: body.grants, cluster: 'monitor' });
    await root('PUT', '/_security/user/eve', { password: 'another one' });
    expect((await who()).status).toBe(401);
    const changed = await as('eve:another one', 'GET', '/_security/_authenticate');
    expect(changed.json).toMatchObject({ grants: body.grants, cluster: 'monitor' });
    expect((await root('DELETE', '/_security/user/eve')).json).toEqual({ found: true });
    expect((await as('eve:another one', 'GET', '/')).status).toBe(401);
    expect((await root('DELETE', '/_security/user/eve')).status).toBe(404);
    expect([...readUsers(file).users.keys()]).toEqual(['root', 'ann']);
  });

  it('are given secrets that are shown once', async () => {
    const made = await root('POST', '/_security/api_key', {
      name: 'shipper',
      grants: [{ indices: ['logs-*'], access: 'write' }],
    });
    expect(made.status).toBe(201);
    const { id, api_key: secret, encoded } = made.json;
    expect(encoded).toBe(Buffer.from(`${id}:${secret}`).toString('base64'));
    expect((await as(`ApiKey ${encoded}`, 'GET', '/_security/_authenticate')).json).toMatchObject({
      name: id,
      kind: 'key',
      grants: [{ indices: ['logs-*'], access: 'write' }],
    });
    const shown = await root('GET', `/_security/api_key/${id}`);
    expect(shown.json[id].name).toBe('shipper');
    expect(shown.text + readFileSync(file, 'utf8')).not.toContain(secret);
    expect((await root('DELETE', `/_security/api_key/${id}`)).json).toEqual({ found: true });
    expect((await as(`ApiKey ${encoded}`, 'GET', '/')).status).toBe(401);
  });

  it.each([
    ['/_security/user/eve', {}, 400, 'a new one needs a "password"'],
    ['/_security/user/eve', { password: 'short' }, 400, 'at least 8 characters'],
    ['/_security/user/eve', { password: 'x'.repeat(2000) }, 400, '1024 characters at most'],
    ['/_security/user/eve', { password: 12345678 }, 400, 'must be a text'],
    ['/_security/user/eve', { password: 'long enough', cluster: 'all' }, 400, 'one of none, monitor, manage'],
    [
      '/_security/user/eve',
      { password: 'long enough', grants: [{ indices: ['a'], access: 'own' }] },
      400,
      'read, write, manage',
    ],
    [
      '/_security/user/eve',
      { password: 'long enough', grants: [{ access: 'read' }] },
      400,
      'names and patterns',
    ],
    ['/_security/user/eve', { password: 'long enough', grant: [] }, 400, '[grant] is unknown'],
    ['/_security/user/eve?op_type=other', { password: 'long enough' }, 400, 'op_type'],
    ['/_security/user/ann?op_type=create', { password: 'long enough' }, 409, 'there is a user [ann] already'],
    ['/_security/user/a%3Ab', { password: 'long enough' }, 400, "can't be the name of a user"],
    ['/_security/user/eve', 'nonsense', 400, ''],
    ['/_security/api_key', {}, 400, '"name" says what the key is for'],
    ['/_security/api_key', { name: 'x', password: 'long enough' }, 400, '[password] is unknown'],
  ])('are refused where they are not right: %s %j', async (path, body, status, text) => {
    const before = readFileSync(file, 'utf8');
    const refused = await root('PUT', path, body);
    expect([refused.status, refused.json.error]).toEqual([status, expect.stringContaining(text)]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('are never all without somebody who may keep them', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { cluster: 'monitor' }],
    ] as const) {
      const refused = await root(method, '/_security/user/root', body);
      expect([refused.status, refused.json.error]).toEqual([
        400,
        expect.stringContaining('nobody would be left who may manage the cluster'),
      ]);
    }
    await root('PUT', '/_security/user/ann', { cluster: 'manage' });
    expect((await root('DELETE', '/_security/user/root')).status).toBe(200);
    expect((await as('ann:secret', 'GET', '/_security/user')).json).toHaveProperty('ann');
  });

  it('are in the audit log without what is secret', async () => {
    await root('PUT', '/_security/user/logged', { password: 'not to be seen' });
    const key = await root('POST', '/_security/api_key', { name: 'logged key' });
    await server.close();
    const text = readFileSync(audit, 'utf8');
    expect(text).toContain('"action":"cluster:admin/security/user/put"');
    expect(text).toContain('/_security/user/logged');
    expect(text).not.toContain('not to be seen');
    expect(text).not.toContain(key.json.api_key);
    server = await startServer({ port: 0, data: ':memory:', threads: 1, users: file, warn: () => {} });
  });
});

describe('two who write at once', () => {
  it('both have what they wrote', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `key ${i}`);
    const made = await Promise.all(names.map((name) => root('POST', '/_security/api_key', { name })));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    const keys = (await root('GET', '/_security/api_key')).json as Record<string, { name: string }>;
    expect(Object.values(keys).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('make one new user of a name', async () => {
    const seen: Users[] = [];
    const writers = [1, 2].map(() => new FileUsers(file, (users) => seen.push(users)));
    const made = await Promise.allSettled(
      writers.map((writer, i) => writer.putUser('eve', { password: `password ${i}` }, true)),
    );
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } });
    expect(seen).toHaveLength(1);
  });

  it('are told so where the other one is a command', async () => {
    writeFileSync(`${file}.new`, '');
    try {
      const refused = await root('DELETE', '/_security/user/ann');
      expect([refused.status, refused.json.error]).toEqual([
        409,
        expect.stringContaining('another command is changing the users'),
      ]);
    } finally {
      rmSync(`${file}.new`);
    }
    expect((await root('DELETE', '/_security/user/ann')).status).toBe(200);
  });

  it('begin with what the file has, whoever wrote it last', async () => {
    save({ root: user('manage'), bob: user('none') });
    await root('PUT', '/_security/user/eve', { password: 'long enough' });
    expect([...readUsers(file).users.keys()]).toEqual(['root', 'bob', 'eve']);
    expect((await as('bob:secret', 'GET', '/')).status).toBe(200);
  });
});

it('a file that would be too long to be read again is not written', () => {
  const before = readFileSync(file, 'utf8');
  const indices = Array.from({ length: 70_000 }, (_, i) => `${i}-${'x'.repeat(240)}`);
  const many = user('none', [{ indices, access: 'read' }]);
  const add = () =>
    changeUsers(file, ({ users, keys }) => ({ users: new Map([...users, ['many', many]]), keys }));
  expect(add).toThrow('would have more than');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(`${file}.new`)).toBe(false);
});
