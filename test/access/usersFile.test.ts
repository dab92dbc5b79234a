import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { PassThrough } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { askPassword } from '../../host/cli/password.js';
import { parseCommand } from '../../host/cli/options.js';
import { runUsersCommand } from '../../host/cli/usersCommand.js';
import { Authenticator } from '../../host/server/access/authenticator.js';
import { formatUsers, parseUsers, readUsers, UsersFileError } from '../../host/server/access/usersFile.js';

const folder = mkdtempSync(join(tmpdir(), 'resilin-users-'));
const file = join(folder, 'users.json');
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command prints, or what it is refused with. */
async function run(line: string, password = 'long enough'): Promise<string> {
  const parsed = parseCommand(line.split(' '), { RESILIN_USERS: file });
  if (parsed.kind === 'mistake') return `mistake: ${parsed.message}`;
  if (parsed.kind !== 'users') return parsed.kind;
  const lines: string[] = [];
  try {
    await runUsersCommand(parsed.command, {
      password: async () => password,
      print: (each) => lines.push(each),
    });
  } catch (e) {
    if (!(e instanceof UsersFileError)) throw e;
    return `refused: ${e.message}`;
  }
  return lines.join('\n');
}

const HASH = {
  N: 1024,
  r: 1,
  p: 1,
  salt: Buffer.alloc(16).toString('base64'),
  hash: Buffer.alloc(32).toString('base64'),
};
const GOOD = {
  format: 1,
  users: { ann: { password: HASH, grants: [{ indices: ['a*'], access: 'read' }], cluster: 'none' } },
  keys: {
    k: {
      name: 'n',
      created: '2026-01-01T00:00:00.000Z',
      sha256: '0'.repeat(64),
      grants: [{ indices: ['b'], access: 'manage' }],
      cluster: 'monitor',
    },
  },
};

describe('the commands', () => {
  it('add users and keys that a server knows, list and remove them', async () => {
    expect(await run('user add ann --grant logs-*,x:read --grant=own:manage --cluster monitor')).toBe(
      'user ann may read logs-*,x; manage own; monitor the cluster; a server that runs takes it when it is sent SIGHUP',
    );
    const added = await run('key add shipper --grant logs-*:write');
    const header = /^Authorization: (ApiKey \S+)$/m.exec(added)![1]!;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['users.json']);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('long enough');
    const [id, secret] = Buffer.from(header.slice(7), 'base64').toString().split(':');
    expect(text).not.toContain(secret);
    expect(Buffer.from(secret!, 'base64url')).toHaveLength(32);

    const all = new Authenticator(readUsers(file));
    const ann = await all.authenticate(`Basic ${Buffer.from('ann:long enough').toString('base64')}`, '/', '');
    expect(['logs-1', 'x', 'own', 'other'].map((name) => ann.covers(name, 'read'))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([ann.covers('own', 'manage'), ann.covers('x', 'write'), ann.mayCluster('monitor')]).toEqual([
      true,
      false,
      true,
    ]);
    const shipper = await all.authenticate(header, '/', '');
    expect([shipper.name, shipper.covers('logs-2', 'write'), shipper.mayCluster('monitor')]).toEqual([
      id,
      true,
      false,
    ]);

    expect(await run('user list')).toBe('ann  read logs-*,x; manage own; monitor the cluster');
    expect(await run('key list')).toMatch(new RegExp(`^${id}  shipper  \\S+  write logs-\\*$`));
    expect(await run('user add ann')).toBe('refused: there is a user ann already; see --replace');
    expect(await run('user add ann --replace')).toMatch('may do nothing');
    expect(await run('user add bob --replace')).toMatch('refused: there is no user bob');
    expect(await run(`key remove ${id}`)).toMatch('is removed');
    expect(await run('user remove ann')).toMatch('is removed');
    expect(await run('user remove ann')).toBe('refused: there is no user ann');
    expect(readUsers(file)).toEqual({ users: new Map(), keys: new Map() });
  });

  it('are refused where they lack something', async () => {
    expect(await run('user add')).toBe('mistake: resilin user add needs a name');
    expect(await run('user add a:b')).toMatch('mistake: "a:b" can\'t be a name');
    expect(await run('user add a --grant x')).toMatch('mistake: --grant must be names, a colon and one of');
    expect(await run('user add a --grant x:all')).toMatch('mistake: --grant');
    expect(await run('user add a --grant :read')).toMatch('mistake: --grant');
    expect(await run('user add a --cluster root')).toMatch(
      'mistake: --cluster must be one of none, monitor, manage',
    );
    expect(await run('user add a --password secret')).toBe('mistake: unknown argument --password');
    expect(await run('user add a b')).toBe('mistake: unknown argument b');
    expect(await run('key add a --replace')).toMatch('mistake: --replace is for users');
    expect(await run('user --help')).toBe('usersHelp');
    expect(parseCommand(['user', 'list'], {})).toMatchObject({ kind: 'mistake' });
    expect(await run('user add a', 'short')).toMatch('refused: a password must have at least 8 characters');
    expect(existsSync(file)).toBe(false);
  });

  it('leave the file alone that another is changing', async () => {
    await run('user add ann');
    writeFileSync(`${file}.new`, '');
    expect(await run('user add bob')).toMatch('another command is changing the users');
    expect([...readUsers(file).users.keys()]).toEqual(['ann']);
  });
});

describe('a password', () => {
  const ask = async (isTTY: boolean, ...typed: string[]) => {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), {
      isTTY,
      setRawMode: (raw: boolean) => void modes.push(raw),
    });
    const output = new PassThrough({ encoding: 'utf8' });
    let shown = '';
    output.on('data', (text: string) => {
      shown += text;
      if (text.endsWith(': ')) input.write(typed.shift()!);
    });
    if (!isTTY) input.end(typed.shift()!);
    const asked = askPassword(
      'ann',
      input as unknown as NodeJS.ReadStream,
      output as unknown as NodeJS.WriteStream,
    );
    const answer = await asked.catch((e: Error) => `refused: ${e.message}`);
    return [answer, shown, modes.at(-1) ?? false];
  };

  it('is typed twice and not shown at a terminal', async () => {
    const prompts = 'password of ann: \nonce more: \n';
    expect(await ask(true, 'corrx\x7fect\r', 'correct\r')).toEqual(['correct', prompts, false]);
    expect(await ask(true, 'one\r', 'other\r')).toEqual(['refused: these are two passwords', prompts, false]);
    expect(await ask(true, 'one\x03')).toEqual(['refused: nothing is changed', 'password of ann: \n', false]);
  });

  it('is the first line of what is piped in', async () => {
    expect(await ask(false, 'correct horse\r\nmore\n')).toEqual(['correct horse', '', false]);
    expect(await ask(false, '')).toEqual(['', '', false]);
  });
});

describe('a file', () => {
  it('of which others can read or write something is refused', async () => {
    await run('user add ann');
    for (const mode of [0o640, 0o602, 0o777]) {
      chmodSync(file, mode);
      expect(() => readUsers(file)).toThrow(/can be read or written by others .*; use chmod 600/);
    }
    chmodSync(file, 0o400);
    expect(readUsers(file).users.size).toBe(1);
    expect(() => readUsers(join(folder, 'none'))).toThrow(/can't be read: ENOENT/);
  });

  it('stays itself when it is read and written', () => {
    expect(JSON.parse(formatUsers(parseUsers(JSON.stringify(GOOD))))).toEqual(GOOD);
  });

  it('with anything in it that is not understood is refused', () => {
    const bad: [object | string, string][] = [
      ['{', 'it is no JSON'],
      ['[]', 'it must be an object'],
      [{ ...GOOD, format: 2 }, '"format" is not 1'],
      [{ ...GOOD, user: {} }, 'it has an unknown part "user"'],
      [{ ...GOOD, users: [] }, '"users" must be an object'],
      [{ ...GOOD, users: { 'a:b': GOOD.users.ann } }, '"a:b" can\'t be a name'],
      [{ ...GOOD, users: { a: { ...GOOD.users.ann, admin: true } } }, 'user a has an unknown part "admin"'],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, cluster: 'root' } } },
        '"cluster" of user a must be one of',
      ],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, password: 'x' } } },
        'the password of user a must be an object',
      ],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, password: { ...HASH, N: 2 ** 30 } } } },
        'hashed with a cost that isn',
      ],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, password: { ...HASH, hash: '' } } } },
        'the hash of user a must be',
      ],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, grants: [{ indices: ['a'], access: 'all' }] } } },
        '"access" of a grant of user a must be one of',
      ],
      [
        { ...GOOD, users: { a: { ...GOOD.users.ann, grants: [{ indices: [], access: 'read' }] } } },
        '"indices" of a grant of user a must be a list',
      ],
      [{ ...GOOD, keys: { k: { ...GOOD.keys.k, sha256: 'x' } } }, 'key k must have a "sha256" of 64'],
    ];
    for (const [content, message] of bad) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      expect(() => parseUsers(text)).toThrow(message);
    }
  });

  it('bent out of shape is refused or means no more than before', () => {
    const text = JSON.stringify(GOOD);
    const change = fc.record({ at: fc.nat(text.length), drop: fc.nat(8), put: fc.string({ maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let bent = text;
        for (const { at, drop, put } of changes) bent = bent.slice(0, at) + put + bent.slice(at + drop);
        try {
          const { users, keys } = parseUsers(bent);
          expect(users.size + keys.size).toBeLessThanOrEqual(4);
        } catch (e) {
          expect(e).toBeInstanceOf(UsersFileError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
