/** Two processes of one node, one after the other: whatever of the first arrives late, the second is the one that all know. */
import { describe, expect, it } from 'vitest';
import { LogUnavailable } from '../../host/cluster/errors.js';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { MemberTable } from '../../host/cluster/inProcess/memberTable.js';
import { LivingMembers } from '../../host/cluster/livingMembers.js';
import type { MemberEntries, MemberEntry } from '../../host/cluster/memberEntries.js';
import type { Member } from '../../host/cluster/members.js';
import { OwnEntry } from '../../host/cluster/ownEntry.js';
import { VirtualClock } from './simulation/virtualClock.js';

const TTL_MS = 9000;
const LATE_MS = 900;
const member = (incarnation: string, details = {}): Member => ({ node: 'b', incarnation, details });

/** What becomes of a message of the first process, by milliseconds until each copy of it arrives. */
const FATES = { arrives: [0], late: [LATE_MS], doubled: [0, LATE_MS], lost: [] } as const;
type Fate = keyof typeof FATES;

/** How the first process ends, and when, and what the second one does. */
interface Course {
  fates: readonly Fate[];
  endsAfterMs: number;
  ends: 'killed' | 'leaves';
}

/** Plays two processes of b; tells what others, and the second process, know while it lives, and when it has left. */
async function play({ fates, endsAfterMs, ends }: Course) {
  const clock = new VirtualClock();
  let sent = 0;
  let isFirst = true;
  const network = {
    deliveries: (from: string) => (from === 'b' && isFirst ? FATES[fates[sent++] ?? 'arrives'] : [0]),
  };
  const cluster = new InProcessCluster({ clock, network, memberTtlMs: TTL_MS });
  const running = clock.run();
  const a = cluster.start('a');
  await a.members.watch();
  const first = cluster.start('b');
  const work = (async () => {
    await first.members.join(member('b1'));
    await first.members.update(member('b1', { said: 1 }));
  })();
  work.catch(() => {});
  await clock.sleep(endsAfterMs);
  if (ends === 'leaves') void first.members.leave().catch(() => {});
  // What it sends is sent before it ends.
  await clock.sleep(1);
  cluster.kill('b');
  isFirst = false;
  const second = cluster.start('b');
  await second.members.watch();
  await second.members.join(member('b2'));
  const seen = () => a.members.list().map(({ incarnation }) => incarnation);
  const atOnce = seen();
  await clock.sleep(2 * LATE_MS);
  const later = seen();
  await clock.sleep(2 * TTL_MS);
  const inTheEnd = seen();
  const isReplaced = second.members.replaced.aborted;
  const itself = second.members.list().map(({ incarnation }) => incarnation);
  await second.members.leave();
  const whenLeft = [...seen(), ...second.members.list()];
  await clock.sleep(2 * TTL_MS);
  const afterLeft = seen();
  clock.stop();
  await running;
  return { atOnce, later, inTheEnd, itself, isReplaced, whenLeft, afterLeft };
}

const WELL = {
  ...{ atOnce: ['b2'], later: ['b2'], inTheEnd: ['b2'], itself: ['b2'] },
  ...{ isReplaced: false, whenLeft: [], afterLeft: [] },
};

describe('a process of a node that was started after another', () => {
  it('is not replaced by what the one before announced, was killed, and arrives now', async () => {
    expect(await play({ fates: ['doubled', 'doubled'], endsAfterMs: 100, ends: 'killed' })).toEqual(WELL);
  });

  // Messages of the first: what it reads and stores as it joins, what it reads then, what it stores as it says more, and as it leaves.
  it.each(['killed', 'leaves'] as const)(
    'is known to all, whatever becomes of messages of the one before (%s)',
    async (ends) => {
      const names = Object.keys(FATES) as Fate[];
      const courses = (length: number): Fate[][] =>
        length === 0 ? [[]] : courses(length - 1).flatMap((fates) => names.map((fate) => [...fates, fate]));
      const bad: unknown[] = [];
      for (const fates of courses(4))
        for (const endsAfterMs of [0, 600]) {
          const course = { fates, endsAfterMs, ends };
          const seen = await play(course);
          if (JSON.stringify(seen) !== JSON.stringify(WELL)) bad.push({ course, seen });
        }
      expect(bad).toEqual([]);
    },
  );
});

/** All orders of some things. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe('the list of living members', () => {
  const entry = (incarnation: string, joined: number, revision: number, left = false): MemberEntry => ({
    ...{ member: member(incarnation, { said: revision }), joined, left, revision },
  });
  const stored = {
    joins: entry('b1', 1, 1),
    renews: entry('b1', 1, 2),
    leaves: entry('b1', 1, 3, true),
    next: entry('b2', 4, 4),
    renewsToo: entry('b2', 4, 5),
    leavesToo: entry('b2', 4, 6, true),
  };
  const { joins, renews, leaves, next, renewsToo, leavesToo } = stored;

  it.each([
    ['has joined', [joins, renews], ['b1']],
    ['has left', [joins, renews, leaves], []],
    ['was killed, and started', [joins, renews, next, renewsToo], ['b2']],
    ['has left, and was started', [joins, renews, leaves, next, renewsToo], ['b2']],
    ['was started, and has left', [joins, renews, leaves, next, renewsToo, leavesToo], []],
  ] as const)('shows a node that %s as it is, in whatever order that is heard', (_, heard, expected) => {
    for (const order of orders(heard)) {
      const living = new LivingMembers(new VirtualClock(), TTL_MS);
      for (const each of order) living.heard(each, undefined);
      expect(living.list().map(({ incarnation }) => incarnation)).toEqual(expected);
      for (const { details } of living.list()) expect(details.said).toBe(heard.at(-1)!.revision);
    }
  });

  it('tells a process of another that has joined later, in whatever order it hears of it', () => {
    const self = { member: member('b1'), joined: 1 };
    for (const order of orders([joins, renews, next, leavesToo])) {
      const [older, newer] = [1, 2].map(() => new LivingMembers(new VirtualClock(), TTL_MS)) as [
        LivingMembers,
        LivingMembers,
      ];
      for (const each of order) {
        older.heard(each, self);
        newer.heard(each, { member: member('b2'), joined: 4 });
      }
      expect(older.replaced.aborted).toBe(true);
      expect(newer.replaced.aborted).toBe(false);
    }
    // One that left before it joined is none.
    const living = new LivingMembers(new VirtualClock(), TTL_MS);
    living.heard(leaves, { member: member('b2'), joined: 4 });
    expect(living.replaced.aborted).toBe(false);
  });

  it('takes out whoever was not heard for too long, and in again who is heard', async () => {
    const clock = new VirtualClock();
    const running = clock.run();
    const living = new LivingMembers(clock, TTL_MS);
    const seen = () => living.list().map(({ incarnation }) => incarnation);
    living.heard(joins, undefined);
    await clock.sleep(TTL_MS + 1);
    expect(seen()).toEqual([]);
    living.heard(renews, undefined);
    expect(seen()).toEqual(['b1']);
    living.heard(next, undefined);
    await clock.sleep(TTL_MS - 1);
    expect(seen()).toEqual(['b2']);
    living.heard(leaves, undefined);
    expect(seen()).toEqual(['b2']);
    await clock.sleep(2);
    expect(seen()).toEqual([]);
    clock.stop();
    await running;
  });
});

describe('the entry of a node', () => {
  /** A service, whose list can be lost, and the entry of a process there. */
  function service() {
    const clock = new VirtualClock();
    let table = new MemberTable(TTL_MS);
    const last = (node: string) => table.last(node, clock.now());
    const entries: MemberEntries = {
      last: async (node) => last(node),
      put: async (entry, after) => table.put(entry, after, clock.now()),
    };
    const processOf = () => {
      const living = new LivingMembers(clock, TTL_MS);
      return { living, own: new OwnEntry(entries, living, clock) };
    };
    const lose = () => {
      table = new MemberTable(TTL_MS);
    };
    return { clock, entries, last, lose, processOf };
  }

  it('ends a process that another has joined after, though it never hears of it, and also when that has left', async () => {
    for (const leaves of [false, true]) {
      const { last, processOf } = service();
      const [older, newer] = [processOf(), processOf()];
      await older.own.join(member('b1'));
      await newer.own.join(member('b2'));
      if (leaves) await newer.own.leave();
      await older.own.renew();
      expect(older.living.replaced.aborted).toBe(true);
      expect(newer.living.replaced.aborted).toBe(false);
      expect(last('b').entry).toMatchObject({ member: { incarnation: 'b2' }, left: leaves });
      // What it says then is not stored, and nobody waits for it.
      await older.own.update(member('b1', { said: 1 }));
      await older.own.leave();
      expect(last('b').entry).toMatchObject({ member: { incarnation: 'b2' } });
    }
  });

  it('is there again when it was removed, or when the service has lost the list', async () => {
    const { clock, last, lose, processOf } = service();
    const running = clock.run();
    const { own, living } = processOf();
    const another = processOf();
    for (let i = 0; i < 5; i++) await another.own.join({ ...member('a1'), node: 'a' });
    await own.join(member('b1'));
    await clock.sleep(TTL_MS + 1);
    expect(last('b')).toEqual({ revision: 0 });
    await own.renew();
    expect(last('b').entry).toMatchObject({ joined: 6, left: false });
    lose();
    await own.update(member('b1', { said: 1 }));
    const { revision, entry } = last('b');
    expect(entry).toMatchObject({ member: { details: { said: 1 } }, left: false });
    // Others refuse an entry that says that it joined at a revision that hasn't been.
    expect(entry!.joined).toBeLessThanOrEqual(revision);
    expect(own.joined?.joined).toBe(entry!.joined);
    expect(living.replaced.aborted).toBe(false);
    clock.stop();
    await running;
  });

  it('is stored once where an answer was lost, and says so where another one is there each time', async () => {
    const { clock, entries, last } = service();
    const running = clock.run();
    const living = new LivingMembers(clock, TTL_MS);
    let losesAnswer = true;
    const put: MemberEntries['put'] = async (entry, after) => {
      const revision = await entries.put(entry, after);
      // As a service answers that has carried out what was sent once before.
      return losesAnswer ? undefined : revision;
    };
    const own = new OwnEntry({ ...entries, put }, living, clock);
    const joining = own.join(member('b1'));
    await Promise.resolve();
    losesAnswer = false;
    await joining;
    expect(own.joined?.joined).toBe(last('b').entry?.joined);
    const never = new OwnEntry({ ...entries, put: async () => undefined }, living, clock);
    await expect(never.join(member('b2'))).rejects.toThrow(LogUnavailable);
    clock.stop();
    await running;
  });
});
