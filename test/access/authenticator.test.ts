import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';
import { Authenticator, readHeader } from '../../host/server/access/authenticator.js';
import { hashPassword, isCost, PasswordChecks } from '../../host/server/access/passwords.js';
import type { KeyEntry, UserEntry, Users } from '../../host/server/access/usersFile.js';

/** Weak, for tests to be quick. */
const COST = { N: 1024, r: 1, p: 1 };
const NO_GRANTS = { grants: [], cluster: 'none' as const };
const user = async (password: string): Promise<UserEntry> => ({
  password: await hashPassword(password, COST),
  ...NO_GRANTS,
});
const key = (secret: string): KeyEntry => ({
  name: 'k',
  created: '',
  sha256: createHash('sha256').update(secret).digest('hex'),
  ...NO_GRANTS,
});
const users = async (): Promise<Users> => ({
  users: new Map([
    ['ann', await user('correct horse')],
    ['bob:', await user('x')],
  ]),
  keys: new Map([['id', key('secret')]]),
});
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
const apiKey = (id: string, secret: string) => `ApiKey ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Counts the checks, and waits for nobody. */
class Counted extends PasswordChecks {
  count = 0;
  pauses = 0;

  constructor(limits?: ConstructorParameters<typeof PasswordChecks>[0]) {
    super(limits, async () => void this.pauses++);
  }

  override check(...args: Parameters<PasswordChecks['check']>): Promise<boolean> {
    this.count++;
    return super.check(...args);
  }
}

/** What became of a request: the principal's name, or status and text of the refusal. */
async function outcome(authenticator: Authenticator, header: string | undefined, source = '::1') {
  try {
    return (await authenticator.authenticate(header, '/a', source)).name;
  } catch (e) {
    if (!(e instanceof ElasticsearchError)) throw e;
    return `${e.status} ${e.render()}`;
  }
}

describe('the sender of a request', () => {
  it('is known by a name and its password, or by a key', async () => {
    const all = new Authenticator(await users());
    expect(await outcome(all, basic('ann', 'correct horse'))).toBe('ann');
    expect(await outcome(all, basic('ann', 'correct horse').replace('Basic', 'bAsIc '))).toBe('ann');
    expect(await outcome(all, apiKey('id', 'secret'))).toBe('id');
    expect(await outcome(all, undefined)).toBe(
      '401 AuthenticationException[missing authentication token for REST request [/a]]',
    );
    for (const header of ['', 'Basic', 'Basic ', 'Bearer abc', 'Basic YW5u', 'Basic a b', 'Basic ::'])
      expect(await outcome(all, header)).toBe(
        '401 AuthenticationException[missing authentication token for REST request [/a]]',
      );
    const wrong: [string, string][] = [
      [basic('ann', 'wrong'), 'ann'],
      [basic('nobody', 'wrong'), 'nobody'],
      [basic('id', 'secret'), 'id'],
      [apiKey('ann', 'correct horse'), 'ann'],
      [apiKey('id', ''), 'id'],
      [apiKey('nobody', 'secret'), 'nobody'],
      [basic('__proto__', ''), '__proto__'],
    ];
    for (const [header, name] of wrong)
      expect(await outcome(all, header)).toBe(
        `401 AuthenticationException[unable to authenticate user [${name}] for REST request [/a]]`,
      );
  });

  it('is checked once, however many requests come at once', async () => {
    const checks = new Counted();
    const all = new Authenticator(await users(), checks);
    const header = basic('ann', 'correct horse');
    const names = await Promise.all(Array.from({ length: 50 }, () => outcome(all, header)));
    expect(new Set(names)).toEqual(new Set(['ann']));
    expect(checks.count).toBe(1);
    expect(all.authenticate(header, '/', '::1')).not.toBeInstanceOf(Promise);
  });

  it('is checked again for other credentials, and after the users have changed', async () => {
    const checks = new Counted();
    const before = await users();
    const all = new Authenticator(before, checks);
    const header = basic('ann', 'correct horse');
    expect(await outcome(all, header)).toBe('ann');
    expect(await outcome(all, basic('ann', 'wrong'))).toMatch('401');
    all.use({ users: new Map([['ann', await user('another')]]), keys: new Map() });
    expect(await outcome(all, header)).toMatch('401');
    expect(await outcome(all, basic('ann', 'another'))).toBe('ann');
    expect(await outcome(all, apiKey('id', 'secret'))).toMatch('401');
    expect(checks.count).toBe(4);
  });

  it('is checked by the users that there are when the check is over', async () => {
    const all = new Authenticator(await users());
    const waiting = outcome(all, basic('ann', 'correct horse'));
    all.use({ users: new Map(), keys: new Map() });
    expect(await waiting).toMatch('401');
  });

  it('costs a check whether anybody has the name or not', async () => {
    const checks = new Counted();
    const all = new Authenticator(await users(), checks);
    await outcome(all, basic('nobody', 'wrong'));
    await outcome(all, basic('ann', 'wrong'));
    expect([checks.count, checks.pauses]).toEqual([2, 2]);
  });

  it('is refused with 429 where too many are waiting, and not longer', async () => {
    const all = new Authenticator(await users(), new Counted({ waiting: 3, perSource: 2 }));
    const flood = ['::1', '::1', '::1', '::2', '::3'].map((source, i) =>
      outcome(all, basic('ann', `wrong${i}`), source),
    );
    const found = (await Promise.all(flood)).map((each) => each.slice(0, 3));
    expect(found).toEqual(['401', '401', '429', '401', '429']);
    expect(await outcome(all, basic('ann', 'correct horse'))).toBe('ann');
  });

  it('is no surprise, whatever the header', async () => {
    const all = new Authenticator(await users(), new Counted());
    const payload = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('ann:', ':', 'id:secre'),
    );
    const header = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('Basic ', 'basic  ', 'ApiKey ', 'Bearer ', ''), payload)
        .map(([scheme, text]) => scheme + Buffer.from(text).toString('base64')),
      fc.tuple(fc.constantFrom('Basic ', 'ApiKey '), fc.string()).map(([scheme, text]) => scheme + text),
      fc.constant(`Basic ${'A'.repeat(20_000)}`),
    );
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        expect(await outcome(all, text)).toMatch(/^401 AuthenticationException\[/);
      }),
      { numRuns: 300 },
    );
  });
});

it('a header holds what stands before and behind its first colon', () => {
  expect(readHeader(basic('a', 'b:c'))).toEqual({ kind: 'basic', name: 'a', secret: 'b:c' });
  expect(readHeader(basic('é', 'ü'))).toEqual({ kind: 'basic', name: 'é', secret: 'ü' });
  expect(readHeader(apiKey('a', ''))).toEqual({ kind: 'apikey', name: 'a', secret: '' });
});

it('hashes may be neither weak nor beyond what a server can spare', () => {
  expect(isCost({ N: 16_384, r: 8, p: 5 })).toBe(true);
  for (const [N, r, p] of [
    [512, 8, 1],
    [16_383, 8, 1],
    [2 ** 30, 8, 1],
    [1024, 8, 1000],
    [1024, 0, 1],
    [Number.NaN, 8, 1],
    [2 ** 40, 8, 1],
    [-1024, 8, 1],
  ])
    expect(isCost({ N: N!, r: r!, p: p! })).toBe(false);
});
