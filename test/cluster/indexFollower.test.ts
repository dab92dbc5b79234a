/** A node without copies of an index whose log has been trimmed: it takes the mapping of another node. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogTrimmed } from '../../host/cluster/errors.js';
import type { Log } from '../../host/cluster/log.js';
import type { OpenIndex } from '../../host/metadata/openIndex.js';
import { type FollowerContext, IndexFollower } from '../../host/replication/indexFollower.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { VirtualClock } from './simulation/virtualClock.js';

const PLACE = { position: 8, checksum: 1 };
const LOG = 'index-u';
let clock: VirtualClock;
let running: Promise<void>;
let warnings: string[];
/** Whether the index can have the mapping that the other node has. */
let isUsable: boolean;
let follower: IndexFollower;

beforeEach(() => {
  clock = new VirtualClock();
  running = clock.run();
  warnings = [];
  isUsable = false;
  const nextAfter = async (after: number) => {
    if (after < PLACE.position) throw new LogTrimmed(LOG, after, PLACE.position + 1);
    await clock.sleep(1000);
    return { done: true, value: undefined };
  };
  const log = {
    name: LOG,
    lastPosition: async () => 10,
    read: (after: number) => ({
      [Symbol.asyncIterator]: () => ({ next: () => nextAfter(after) }),
    }),
  } as unknown as Log;
  const storage = new MemoryStorage();
  const index = {
    name: 'books',
    metadata: { uuid: 'u', settings: { flat: {} } },
    model: { save: () => ({}), joining: [] },
    shards: [],
    copies: [],
    ready: async () => {},
    joinOlder: async () => {},
    adoptMapping: () => {
      if (!isUsable) throw new Error('its analyzer is not known here');
    },
  } as unknown as OpenIndex;
  const context = {
    storage,
    clock,
    logs: { open: async () => log, list: async () => [LOG] },
    warn: (message: string) => void warnings.push(message),
    trimmed: () => true,
    fetchMapping: async () => ({ place: PLACE, mapping: { ...PLACE, uuid: 'u', mapping: {} } }),
    failed: () => {},
    remapped: () => {},
  } as unknown as FollowerContext;
  follower = new IndexFollower(index, context);
});

afterEach(async () => {
  await follower.stop(new Error('the test is over'));
  clock.stop();
  await running;
});

it('tells why that can not be used, takes no writes, and tries again', async () => {
  await clock.sleep(70_000);
  expect(warnings.join('\n')).toMatch(/\[books\] taking its mapping .*its analyzer is not known here/);
  expect(follower.failure).toMatch(/has been trimmed/);
  isUsable = true;
  await clock.sleep(10_000);
  expect(follower.failure).toBeUndefined();
  expect(follower.mappingPosition).toBe(PLACE.position);
});
