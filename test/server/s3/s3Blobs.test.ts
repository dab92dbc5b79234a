import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE } from '../../../host/server/s3/s3Client.js';
import { S3Repositories } from '../../../host/server/s3/s3Repositories.js';
import { parallel } from '../../../host/snapshot/parallel.js';
import type { FlatSettings } from '../../../host/settings/indexSettings.js';
import type { Blobs } from '../../../host/storage/storage.js';
import { BLOBS } from '../../storage/contract.js';
import { type Fault, KEY, SECRET, S3Server } from '../../support/s3/s3Server.js';

const MB = 1024 * 1024;
const PATIENT = { ...PATIENCE, backoffMs: 1 };
/** Where something hangs. A machine with much to do may take longer for an answer: then it is tried once more. */
const QUICK = { ...PATIENT, idleMs: 500 };

let server: S3Server;
beforeEach(async () => {
  server = await S3Server.start('bucket', 'other');
});
afterEach(() => server.stop());

const open = (settings: FlatSettings = {}, patience = PATIENT): Promise<Blobs> =>
  new S3Repositories([`${server.endpoint}/bucket/box`, `${server.endpoint}/gone`], patience).open({
    bucket: 'bucket',
    access_key: KEY,
    secret_key: SECRET,
    buffer_size: '5mb',
    ...settings,
  });
const bytesOf = (length: number, seed = 1) => {
  const out = new Uint8Array(length);
  for (let i = 0, n = seed; i < length; i++) {
    n = (Math.imul(n, 1_103_515_245) + 12_345) >>> 0;
    out[i] = n >>> 16;
  }
  return out;
};
const same = (a: Uint8Array | undefined, b: Uint8Array) => a !== undefined && Buffer.compare(a, b) === 0;

describe('blobs in S3', () => {
  it.each(Object.entries(BLOBS))('%s', async (_does, check) => check(await open()));

  it('are objects below the base_path, which is the allowed prefix without one', async () => {
    await (await open()).put('a', bytesOf(3));
    await (await open({ base_path: '/box/deep/er/' })).put('a', bytesOf(3));
    expect(server.paths('PUT')).toEqual(['/bucket/box/a', '/bucket/box/deep/er/a']);
    expect(await (await open()).list()).toEqual(['a']);
  });

  it('are listed in pages, and by a prefix', async () => {
    const blobs = await open();
    const names = Array.from({ length: 1001 }, (_, i) => `data-${i}`);
    await parallel(names, 16, (name) => blobs.put(name, bytesOf(1)));
    await blobs.put('snapshot-a', bytesOf(1));
    expect((await blobs.list()).length).toBe(1002);
    expect(await blobs.list('snapshot-')).toEqual(['snapshot-a']);
    expect(server.requests.filter(({ query }) => query.has('continuation-token'))).toHaveLength(1);
  });

  it('are put in parts where they are long, and come back whole', async () => {
    const blobs = await open();
    for (const length of [5 * MB, 5 * MB + 1, 12 * MB]) {
      server.requests.length = 0;
      const bytes = bytesOf(length);
      await blobs.put('long', bytes);
      expect(same(await blobs.get('long'), bytes)).toBe(true);
      const parts = server.requests.filter(({ query }) => query.has('partNumber')).map((each) => each.bytes);
      expect(parts.sort((a, b) => b - a)).toEqual(
        length === 5 * MB ? [] : length === 12 * MB ? [5 * MB, 5 * MB, 2 * MB] : [5 * MB, 1],
      );
    }
  });

  it('are known to be there without being read', async () => {
    const blobs = await open();
    const bytes = bytesOf(6 * MB);
    await blobs.put('a', bytes);
    expect(await blobs.holds!('a', bytes)).toBe(true);
    expect(await blobs.holds!('a', bytesOf(6 * MB, 2))).toBe(false);
    expect(await blobs.holds!('a', bytesOf(3))).toBe(false);
    expect(await blobs.holds!('b', bytes)).toBe(false);
    expect(server.paths('GET')).toEqual([]);
  });

  it('refuse names that lead elsewhere', async () => {
    await expect((await open()).put('../x', bytesOf(1))).rejects.toThrow('not a blob name');
  });
});

describe('what fails in between', () => {
  /** Fails the first calls that fit, in these ways. */
  const fail = (method: string, ...faults: Fault[]) => {
    server.fault = (request) => (request.method === method ? faults.shift() : undefined);
  };
  const down = { status: 503, code: 'SlowDown' };
  const broken = { status: 500, code: 'InternalError' };

  it('is tried again: errors of the server, resets, calls that hang', async () => {
    const blobs = await open({ max_retries: '10' }, QUICK);
    const bytes = bytesOf(1000);
    fail('PUT', down, broken, 'reset');
    await blobs.put('a', bytes);
    fail('GET', broken, 'hang', 'reset');
    expect(same(await blobs.get('a'), bytes)).toBe(true);
    fail('PUT', 'resetAfter');
    await blobs.put('a', bytes);
    fail('GET', down);
    expect(await blobs.list()).toEqual(['a']);
    fail('DELETE', 'resetAfter', broken);
    await blobs.delete('a');
    expect(await blobs.list()).toEqual([]);
  });

  it('is tried again for parts of a blob, and for the end of an upload whose answer was lost', async () => {
    const blobs = await open();
    const bytes = bytesOf(11 * MB);
    fail('PUT', down, 'reset', broken, 'resetAfter');
    await blobs.put('a', bytes);
    expect(same(await blobs.get('a'), bytes)).toBe(true);
    let ended = 0;
    server.fault = ({ method, query }) =>
      method === 'POST' && query.has('uploadId') && ended++ === 0 ? 'resetAfter' : undefined;
    await blobs.put('b', bytes);
    expect(same(await blobs.get('b'), bytes)).toBe(true);
    expect(ended).toBe(2);
  });

  it('of a body is read from where it was cut off or came no further', async () => {
    const blobs = await open({ max_retries: '10' }, QUICK);
    const bytes = bytesOf(300_000);
    await blobs.put('a', bytes);
    fail('GET', { cut: 100_000 }, { stall: 50_000 }, { cut: 0 });
    expect(same(await blobs.get('a'), bytes)).toBe(true);
    expect(server.paths('GET').length).toBeGreaterThanOrEqual(4);
  });

  it('is given up after max_retries', async () => {
    const blobs = await open({ max_retries: '1' });
    const hurried = await open({ max_retries: '0' }, QUICK);
    await blobs.put('a', bytesOf(3));
    server.fault = () => down;
    server.requests.length = 0;
    await expect(blobs.get('a')).rejects.toThrow(
      /can't read \[a\]: .* answered 503, SlowDown: .*, tried 2 times/,
    );
    expect(server.requests).toHaveLength(2);
    server.fault = () => ({ cut: 1 });
    await expect(blobs.get('a')).rejects.toThrow("can't read [a]: the connection to");
    expect(server.requests).toHaveLength(4);
    server.fault = () => 'hang';
    await expect(hurried.put('a', bytesOf(3))).rejects.toThrow("can't be reached or doesn't answer in time");
  });

  it('ends an upload of parts without leaving them', async () => {
    const blobs = await open({ max_retries: '0' });
    server.fault = ({ query }) => (query.get('partNumber') === '2' ? broken : undefined);
    await expect(blobs.put('a', bytesOf(16 * MB))).rejects.toThrow('answered 500');
    expect(
      server.requests.filter(({ method, query }) => method === 'DELETE' && query.has('uploadId')),
    ).toHaveLength(1);
    expect(await blobs.get('a')).toBeUndefined();
  });

  it('ends when it is given up', async () => {
    const blobs = await open();
    const abort = new AbortController();
    server.fault = () => {
      abort.abort();
      return 'hang';
    };
    await expect(blobs.put('a', bytesOf(3), abort.signal)).rejects.toThrow("can't write [a]: given up");
    await expect(blobs.get('a', abort.signal)).rejects.toThrow('given up');
    await expect(blobs.list('', abort.signal)).rejects.toThrow('given up');
  });
});

describe('what S3 refuses', () => {
  it.each([
    [
      'a wrong secret',
      { secret_key: 'open barley' },
      "doesn't accept the credentials",
      'SignatureDoesNotMatch',
    ],
    ['an unknown key', { access_key: 'AKOTHER' }, "doesn't accept the credentials", 'InvalidAccessKeyId'],
    ['a bucket that is not there', { bucket: 'gone' }, 'there is no bucket [gone] at', ''],
  ])('%s', async (_name, settings, problem, code) => {
    const blobs = await open(settings);
    for (const call of [blobs.list(), blobs.get('a'), blobs.put('a', bytesOf(1))]) {
      const message = await call.then(
        () => '',
        (e: Error) => e.message,
      );
      expect(message).toContain(problem);
      expect(message).toContain(code);
      expect(message).not.toContain('open barley');
    }
  });

  it('is told in words: what is not allowed, another region', async () => {
    const blobs = await open();
    server.fault = () => ({ status: 403, code: 'AccessDenied' });
    await expect(blobs.put('a', bytesOf(1))).rejects.toThrow(
      `${server.endpoint} doesn't allow it with these credentials in the bucket [bucket] (AccessDenied)`,
    );
    await expect(blobs.holds!('a', bytesOf(1))).rejects.toThrow("doesn't allow it with these credentials");
    server.fault = () => ({
      status: 301,
      code: 'PermanentRedirect',
      headers: { 'x-amz-bucket-region': 'eu-west-1', location: 'http://127.0.0.1:1/' },
    });
    await expect(blobs.list()).rejects.toThrow(
      'bucket [bucket] is in eu-west-1, not in us-east-1: set region',
    );
    await expect(blobs.holds!('a', bytesOf(1))).rejects.toThrow('set region');
  });

  it('is told in words: a server that is not there', async () => {
    const gone = new S3Repositories(['http://127.0.0.1:1/bucket'], PATIENT);
    const blobs = await gone.open({
      bucket: 'bucket',
      access_key: KEY,
      secret_key: SECRET,
      max_retries: '0',
    });
    await expect(blobs.list()).rejects.toThrow(
      /can't list the bucket \[bucket\]: http:\/\/127.0.0.1:1 can't be reached or doesn't answer in time \(ECONNREFUSED/,
    );
  });
});
