import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  InvalidMember,
  InvalidName,
  LogDiffers,
  LogMissing,
  LogShortened,
  LogTrimmed,
  MessageTooLarge,
  PeerFailed,
  PeerRejected,
  PeerUnreachable,
  UnexpectedLast,
} from '../../host/cluster/errors.js';
import type { Log, LogMessage } from '../../host/cluster/log.js';
import type { Member } from '../../host/cluster/members.js';
import { MOST_OPEN_QUESTIONS, QUESTIONS_FULL } from '../../host/cluster/peers.js';
import type { ClusterServices } from '../../host/cluster/services.js';

/** An implementation under test. */
export interface ServicesUnderTest {
  /** Services of a new process of a node; all share one cluster. */
  start(node: string): Promise<ClusterServices>;
  /** Ends a node's process without a farewell. */
  kill(node: string): Promise<void>;
  /** Bytes above which a message goes in parts, if that is so. */
  partBytes: number;
  close(): Promise<void>;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (words: string) => new TextEncoder().encode(words);
const never = () => new AbortController().signal;

/** The next messages after a position. */
async function take(
  log: Log,
  count: number,
  after = 0,
  checksum?: number,
  subject?: string,
): Promise<LogMessage[]> {
  const messages: LogMessage[] = [];
  const stop = new AbortController();
  const options = {
    ...(checksum === undefined ? {} : { checksum }),
    ...(subject === undefined ? {} : { subject }),
  };
  for await (const message of log.read(after, stop.signal, options)) {
    messages.push(message);
    if (messages.length === count) stop.abort();
  }
  return messages;
}

const member = (node: string, incarnation: string, details: Record<string, unknown> = {}): Member => ({
  node,
  incarnation,
  details,
});

/** Resolves when the members that these services list are so. */
function membersAre(services: ClusterServices, test: (members: readonly Member[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!test(services.members.list())) return;
      end();
      resolve();
    };
    const end = services.members.onChange(look);
    look();
  });
}

const names = (services: ClusterServices) => services.members.list().map(({ node }) => node);

/** What each implementation must do. */
export function contract(open: () => Promise<ServicesUnderTest>): void {
  let tested: ServicesUnderTest;
  let a: ClusterServices;
  let b: ClusterServices;
  let logs = 0;
  const newLog = () => a.logs.open(`log-${++logs}`, { create: true });

  beforeAll(async () => {
    tested = await open();
    a = await tested.start('a');
    b = await tested.start('b');
  });
  afterAll(() => tested?.close());

  describe('a log', () => {
    it('gives ascending positions, and shows every reader the same', async () => {
      const log = await newLog();
      expect(await log.lastPosition()).toBe(0);
      expect(await log.firstPosition()).toBe(1);
      const positions: number[] = [];
      for (const word of ['one', 'two', 'three'])
        positions.push(
          await log.append(word === 'two' ? 'meta' : 'shard.0', bytes(word), { id: `id-${word}` }),
        );
      expect(positions).toEqual([1, 2, 3]);
      const there = await take(log, 3);
      expect(there.map(({ position, subject, id, bytes }) => [position, subject, id, text(bytes)])).toEqual([
        [1, 'shard.0', 'id-one', 'one'],
        [2, 'meta', 'id-two', 'two'],
        [3, 'shard.0', 'id-three', 'three'],
      ]);
      expect(await take(await b.logs.open(log.name), 2, 1)).toEqual(there.slice(1));
      expect(await log.lastPosition()).toBe(3);
      expect(await log.lastPosition('meta')).toBe(2);
      expect(await log.lastPosition('shard.7')).toBe(0);
    });

    it('keeps one order when several nodes append at once, and hands each message over once', async () => {
      const log = await newLog();
      const ofB = await b.logs.open(log.name);
      const reading = [take(log, 200), take(ofB, 200)];
      const appending = Array.from({ length: 200 }, (_, i) =>
        (i % 2 ? log : ofB).append(`shard.${i % 3}`, bytes(String(i))),
      );
      const positions = await Promise.all(appending);
      expect([...positions].sort((x, y) => x - y)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
      const [one, two] = await Promise.all(reading);
      expect(one).toEqual(two);
      for (const [i, position] of positions.entries())
        expect(text(one![position - 1]!.bytes)).toBe(String(i));
    });

    it('keeps bytes as they are, none too', async () => {
      const log = await newLog();
      const all = Uint8Array.from({ length: 256 }, (_, i) => i);
      await log.append('meta', all);
      await log.append('meta', new Uint8Array(0));
      const [first, second] = await take(log, 2);
      expect(new Uint8Array(first!.bytes)).toEqual(all);
      expect(second!.bytes).toHaveLength(0);
    });

    it('appends a repeated id once, and tells the first position', async () => {
      const log = await newLog();
      expect(await log.append('meta', bytes('first'), { id: 'same' })).toBe(1);
      expect(await log.append('meta', bytes('other'), { id: 'next' })).toBe(2);
      expect(await (await b.logs.open(log.name)).append('meta', bytes('first'), { id: 'same' })).toBe(1);
      expect(await log.lastPosition()).toBe(2);
    });

    it('appends nothing when the last message of the subject is another than expected', async () => {
      const log = await newLog();
      const first = await log.append('meta', bytes('1'), { expectLast: 0 });
      await log.append('shard.0', bytes('in between'));
      const second = await log.append('meta', bytes('2'), { expectLast: first });
      await expect(log.append('meta', bytes('3'), { expectLast: first })).rejects.toThrow(UnexpectedLast);
      await expect(log.append('meta', bytes('3'), { expectLast: 0 })).rejects.toThrow(UnexpectedLast);
      expect(await log.lastPosition()).toBe(second);
      expect((await take(log, 3)).map(({ after }) => after)).toEqual([0, undefined, first]);
      const many = Array.from({ length: 10 }, () => log.append('meta', bytes('4'), { expectLast: second }));
      const outcomes = await Promise.allSettled(many);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('takes long messages, in parts where it must, among others', async () => {
      const log = await newLog();
      const long = (seed: number) =>
        Uint8Array.from({ length: tested.partBytes * 3 + 17 }, (_, i) => (i * seed + (i >> 9)) & 255);
      const before = await log.append('meta', bytes('before'));
      const appended = await Promise.all([
        log.append('shard.0', long(3), { id: 'long-3' }),
        log.append('shard.1', long(5), { id: 'long-5' }),
        log.append('shard.0', bytes('short')),
      ]);
      expect(await log.append('shard.0', long(3), { id: 'long-3' })).toBe(appended[0]);
      const messages = await take(await b.logs.open(log.name), 4);
      expect(messages.map(({ position }) => position)).toEqual([before, ...appended].sort((x, y) => x - y));
      const at = (position: number) => messages.find((message) => message.position === position)!;
      expect(Buffer.compare(at(appended[0]).bytes, long(3))).toBe(0);
      expect(Buffer.compare(at(appended[1]).bytes, long(5))).toBe(0);
      expect(at(appended[0]).id).toBe('long-3');
      expect(await log.lastPosition()).toBe(Math.max(...appended));
      // A reader that begins after some of the parts gets the message nevertheless.
      const long5 = await take(log, 1, Math.max(...appended) - 1);
      expect(long5).toEqual([messages.at(-1)]);
    });

    it('goes on where a reader stopped, and waits for what comes', async () => {
      const log = await newLog();
      await log.append('meta', bytes('1'));
      const [first] = await take(log, 1);
      const rest = take(log, 2, first!.position, first!.checksum);
      await log.append('meta', bytes('2'));
      await log.append('meta', bytes('3'));
      expect((await rest).map((message) => text(message.bytes))).toEqual(['2', '3']);
    });

    it('ends reading when the signal aborts', async () => {
      const log = await newLog();
      const stop = new AbortController();
      const next = log.read(0, stop.signal)[Symbol.asyncIterator]().next();
      stop.abort();
      expect((await next).done).toBe(true);
      expect((await log.read(0, stop.signal)[Symbol.asyncIterator]().next()).done).toBe(true);
    });

    it('tells a reader that the log is shorter than what it has read', async () => {
      const log = await newLog();
      await log.append('meta', bytes('1'));
      await expect(take(log, 1, 2)).rejects.toThrow(LogShortened);
      await expect(take(log, 1, 7, 1234)).rejects.toThrow(LogShortened);
    });

    it('tells a reader that the log has another message than it has read', async () => {
      const log = await newLog();
      await log.append('meta', bytes('1'));
      await log.append('meta', bytes('2'));
      const [first, second] = await take(log, 2);
      await expect(take(log, 1, 1, first!.checksum ^ 1)).rejects.toThrow(LogDiffers);
      expect(await take(log, 1, 1, first!.checksum)).toEqual([second]);
    });

    it('forgets what is trimmed, and tells readers that want it', async () => {
      const log = await newLog();
      for (let i = 1; i <= 10; i++) await log.append(i === 2 ? 'meta' : 'shard.0', bytes(String(i)));
      const [, , third] = await take(log, 3);
      await log.trim(4);
      expect(await log.firstPosition()).toBe(4);
      expect((await take(log, 7, 3)).map(({ position }) => position)).toEqual([4, 5, 6, 7, 8, 9, 10]);
      expect(await take(log, 1, 3, third!.checksum)).toHaveLength(1);
      await expect(take(log, 1, 2)).rejects.toThrow(LogTrimmed);
      await log.trim(4);
      await log.trim(11);
      expect([await log.firstPosition(), await log.lastPosition()]).toEqual([11, 10]);
      expect(await log.append('shard.0', bytes('11'))).toBe(11);
      await log.trim(100);
      expect(await log.append('shard.0', bytes('12'))).toBe(12);
    });

    it('goes on after the last message of a subject when what came before that is trimmed', async () => {
      const log = await newLog();
      let last = 0;
      for (let i = 1; i <= 5; i++) {
        last = await log.append('meta', bytes(String(i)), { expectLast: last });
        await log.append('shard.0', bytes('a'.repeat(1000)));
      }
      const before = await log.extent();
      expect([before.first, before.last, before.bytes >= 5000]).toEqual([1, 10, true]);
      await log.trim(last);
      const after = await log.extent();
      expect([after.first, after.last, after.bytes < before.bytes]).toEqual([last, 10, true]);
      expect(await log.lastPosition('meta')).toBe(last);
      const ofB = await b.logs.open(log.name);
      await expect(ofB.append('meta', bytes('late'), { expectLast: 1 })).rejects.toThrow(UnexpectedLast);
      await expect(ofB.append('meta', bytes('late'), { expectLast: 0 })).rejects.toThrow(UnexpectedLast);
      const next = await ofB.append('meta', bytes('6'), { expectLast: last });
      expect((await take(log, 3, last - 1)).map(({ position, after }) => [position, after])).toEqual([
        [last, 7],
        [10, undefined],
        [next, last],
      ]);
    });

    it('shows a reader of one subject its messages alone, those too that come later', async () => {
      const log = await newLog();
      const long = new Uint8Array(tested.partBytes * 2 + 5).fill(7);
      let last = 0;
      for (let i = 1; i <= 3; i++) {
        last = await log.append('meta', i === 2 ? long : bytes(String(i)), { expectLast: last });
        for (let j = 0; j < 40; j++) await log.append(`shard.${j % 2}`, bytes('document'));
      }
      const ofB = await b.logs.open(log.name);
      const reading = take(ofB, 4, 0, undefined, 'meta');
      const [first, second, third] = await take(ofB, 3, 0, undefined, 'meta');
      expect([text(first!.bytes), second!.bytes.length, text(third!.bytes)]).toEqual(['1', long.length, '3']);
      await log.append('shard.0', bytes('document'));
      const fourth = await log.append('meta', bytes('4'), { expectLast: last });
      const all = await reading;
      expect(all.map(({ position, after }) => [position, after])).toEqual([
        [first!.position, 0],
        [second!.position, first!.position],
        [third!.position, second!.position],
        [fourth, third!.position],
      ]);
      expect(await take(ofB, 1, third!.position, third!.checksum, 'meta')).toEqual(all.slice(3));
      // What a reader of everything has read, one of a subject goes on from.
      const whole = await take(log, 5, third!.position);
      expect(whole.map(({ subject }) => subject)).toEqual([0, 1, 0, 1, 0].map((shard) => `shard.${shard}`));
      const { position, checksum } = whole[4]!;
      expect(await take(ofB, 1, position, checksum, 'meta')).toEqual(all.slice(3));
      await expect(take(ofB, 1, position, checksum ^ 1, 'meta')).rejects.toThrow(LogDiffers);
      await expect(take(ofB, 1, fourth + 1, undefined, 'meta')).rejects.toThrow(LogShortened);
    });

    it('tells a reader of one subject only what is trimmed of that', async () => {
      const log = await newLog();
      for (let i = 1; i <= 5; i++) await log.append('shard.0', bytes(String(i)));
      await log.trim(4);
      const early = take(log, 1, 0, undefined, 'meta');
      const first = await log.append('meta', bytes('first'), { expectLast: 0 });
      expect((await early)[0]!.position).toBe(first);
      await log.append('shard.0', bytes('6'));
      const second = await log.append('meta', bytes('second'), { expectLast: first });
      await log.append('shard.0', bytes('7'));
      await log.trim(second);
      const ofB = await b.logs.open(log.name);
      await expect(take(ofB, 1, 0, undefined, 'meta')).rejects.toThrow(LogTrimmed);
      expect((await take(ofB, 1, first, undefined, 'meta'))[0]!.position).toBe(second);
      expect((await take(ofB, 1, second - 1, undefined, 'meta'))[0]!.position).toBe(second);
      const waiting = take(ofB, 1, second, undefined, 'meta');
      const third = await log.append('meta', bytes('third'), { expectLast: second });
      expect((await waiting)[0]!.position).toBe(third);
    });

    it('is gone for all when it is deleted, and can be made anew', async () => {
      const log = await newLog();
      const ofB = await b.logs.open(log.name);
      await log.append('meta', bytes('1'));
      const reading = take(ofB, 2);
      await log.delete();
      await expect(reading).rejects.toThrow(LogMissing);
      await expect(log.append('meta', bytes('2'))).rejects.toThrow(LogMissing);
      await expect(b.logs.open(log.name)).rejects.toThrow(LogMissing);
      await log.delete();
      expect(await b.logs.list()).not.toContain(log.name);
      const anew = await b.logs.open(log.name, { create: true });
      expect(await anew.append('meta', bytes('new'))).toBe(1);
      expect(await b.logs.list()).toContain(log.name);
    });

    it('refuses names and messages that it could not keep', async () => {
      const log = await newLog();
      for (const name of ['', 'a.b', 'a b', 'ä', '*', '>', 'a/b', 'x'.repeat(129)])
        await expect(a.logs.open(name, { create: true })).rejects.toThrow(InvalidName);
      for (const subject of ['', 'a..b', '.', '*', 'a.>', 'a b', 'a.b.c.d.e.f.g.h.i'])
        await expect(log.append(subject, bytes(''))).rejects.toThrow(InvalidName);
      const tooLong = new Uint8Array(64 * 1024 * 1024 + 1);
      await expect(log.append('meta', tooLong)).rejects.toThrow(MessageTooLarge);
      await expect(a.logs.open('never-made')).rejects.toThrow(LogMissing);
    });
  });

  describe('members', () => {
    it('are known to all once they have joined, with what they say of themselves', async () => {
      await a.members.join(member('a', 'a1', { role: 'data' }));
      await b.members.join(member('b', 'b1'));
      expect(names(b)).toEqual(['a', 'b']);
      expect(b.members.list()[0]).toEqual(member('a', 'a1', { role: 'data' }));
      await membersAre(a, (members) => members.length === 2);
      await b.members.update(member('b', 'b1', { applied: 7 }));
      await membersAre(a, (members) => members[1]!.details.applied === 7);
      const many = Array.from({ length: 50 }, (_, i) => b.members.update(member('b', 'b1', { applied: i })));
      await Promise.all(many);
      await membersAre(a, (members) => members[1]!.details.applied === 49);
    });

    it('are gone when they leave', async () => {
      const c = await tested.start('c');
      await c.members.join(member('c', 'c1'));
      expect(names(c)).toEqual(['a', 'b', 'c']);
      await membersAre(a, (members) => members.length === 3);
      await c.members.leave();
      expect(names(c)).toEqual(['a', 'b']);
      await membersAre(a, (members) => members.length === 2);
      await c.close();
    });

    it('are gone some time after they have died', async () => {
      const c = await tested.start('c');
      await c.members.join(member('c', 'c1'));
      await membersAre(a, (members) => members.length === 3);
      await tested.kill('c');
      await membersAre(a, (members) => members.length === 2);
      expect(names(a)).toEqual(['a', 'b']);
    });

    it('are replaced by a newer process of the same node, which the older one hears of', async () => {
      const old = await tested.start('d');
      await old.members.join(member('d', 'd1'));
      const newer = await tested.start('d');
      await newer.members.join(member('d', 'd2'));
      await membersAre(a, (members) => members.some(({ incarnation }) => incarnation === 'd2'));
      expect(newer.members.replaced.aborted).toBe(false);
      await newer.members.leave();
      await newer.close();
      await old.close();
    });

    it('refuses what is no member', async () => {
      for (const wrong of [
        undefined,
        [],
        {},
        { node: 'c', incarnation: 7, details: {} },
        member('c', 'c', [] as never),
      ])
        await expect(a.members.join(wrong as Member)).rejects.toThrow(InvalidMember);
      await expect(a.members.join(member('a.b', 'c'))).rejects.toThrow(InvalidName);
      await expect(a.members.join(member('c', 'c', { long: 'x'.repeat(600_000) }))).rejects.toThrow(
        InvalidMember,
      );
    });
  });

  describe('questions', () => {
    let served: ClusterServices;
    const aborted: Promise<void>[] = [];
    let asked = () => {};

    beforeAll(async () => {
      served = await tested.start('served');
      await served.peers.serve(async (kind, question, signal) => {
        if (kind === 'fail') throw new Error(`no luck with ${text(question)}`);
        if (kind === 'size') return new Uint8Array(Number(text(question))).fill(7);
        if (kind === 'wait') {
          aborted.push(new Promise((resolve) => signal.addEventListener('abort', () => resolve())));
          asked();
          return new Promise<Uint8Array>(() => {});
        }
        return question;
      });
    });
    afterAll(() => served?.close());

    it('are answered, short and long ones', async () => {
      expect(text(await a.peers.ask('served', 'echo', bytes('hello'), never()))).toBe('hello');
      expect(await a.peers.ask('served', 'echo', new Uint8Array(0), never())).toHaveLength(0);
      const long = Uint8Array.from({ length: 5_000_003 }, (_, i) => (i * 7 + (i >> 8)) & 255);
      expect(Buffer.compare(await b.peers.ask('served', 'echo', long, never()), long)).toBe(0);
      const many = Array.from({ length: 100 }, (_, i) =>
        a.peers.ask('served', 'echo', bytes(`${i}`), never()),
      );
      expect((await Promise.all(many)).map(text)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
      expect(text(await served.peers.ask('served', 'echo', bytes('to myself'), never()))).toBe('to myself');
    });

    it('tell of the failure of the other side', async () => {
      const failing = a.peers.ask('served', 'fail', bytes('this'), never());
      await expect(failing).rejects.toThrow(PeerFailed);
      await expect(failing).rejects.toThrow('no luck with this');
    });

    it('fail at once where no node is, or one that answers nothing', async () => {
      await expect(a.peers.ask('nobody', 'echo', bytes(''), never())).rejects.toThrow(PeerUnreachable);
      await expect(a.peers.ask('b', 'echo', bytes(''), never())).rejects.toThrow(PeerUnreachable);
    });

    it('end on both sides when the asker gives up', async () => {
      const reached = new Promise<void>((resolve) => (asked = resolve));
      const stop = new AbortController();
      const asking = a.peers.ask('served', 'wait', bytes(''), stop.signal);
      await reached;
      stop.abort(new Error('enough'));
      await expect(asking).rejects.toThrow('enough');
      await aborted.at(-1);
      await expect(a.peers.ask('served', 'echo', bytes(''), stop.signal)).rejects.toThrow('enough');
    });

    it('fail when the node dies while it works', async () => {
      const dying = await tested.start('dying');
      const reached = new Promise<void>((resolve) =>
        dying.peers.serve(() => {
          resolve();
          return new Promise(() => {});
        }),
      );
      const asking = expect(a.peers.ask('dying', 'wait', bytes(''), never())).rejects.toThrow(
        PeerUnreachable,
      );
      await reached;
      await tested.kill('dying');
      await asking;
    });

    it('are rejected where a node answers as many as it may, until it has answered some', async () => {
      const busy = await tested.start('busy');
      const finish: (() => void)[] = [];
      const reached = new Promise<void>((resolve) =>
        busy.peers.serve((_, question) => {
          if (finish.length === MOST_OPEN_QUESTIONS) return Promise.resolve(question);
          return new Promise<Uint8Array>((answer) => {
            finish.push(() => answer(question));
            if (finish.length === MOST_OPEN_QUESTIONS) resolve();
          });
        }),
      );
      const ask = (services: ClusterServices) => services.peers.ask('busy', 'echo', bytes('hello'), never());
      const waiting = Promise.all(Array.from({ length: MOST_OPEN_QUESTIONS }, () => ask(a)));
      await reached;
      const rejected = ask(b);
      await expect(rejected).rejects.toThrow(PeerRejected);
      await expect(rejected).rejects.toMatchObject({ reason: QUESTIONS_FULL });
      for (const each of finish) each();
      expect(await waiting).toHaveLength(MOST_OPEN_QUESTIONS);
      expect(text(await ask(b))).toBe('hello');
      await busy.close();
    });

    it('end when the asker dies', async () => {
      const reached = new Promise<void>((resolve) => (asked = resolve));
      const dying = await tested.start('asking');
      const asking = dying.peers.ask('served', 'wait', bytes(''), never());
      asking.catch(() => {});
      await reached;
      await tested.kill('asking');
      await aborted.at(-1);
    });

    it('are refused where they are longer than their kind may be', async () => {
      const choosy = await tested.start('choosy');
      await choosy.peers.serve(
        async (_, question) => question,
        (kind) => (kind === 'short' ? 10 : 1000),
      );
      expect(await a.peers.ask('choosy', 'short', new Uint8Array(10), never())).toHaveLength(10);
      expect(await a.peers.ask('choosy', 'long', new Uint8Array(1000), never())).toHaveLength(1000);
      const tooLong = a.peers.ask('choosy', 'short', new Uint8Array(11), never());
      await expect(tooLong).rejects.toThrow(PeerFailed);
      await choosy.close();
    });

    it('and answers have an upper limit', async () => {
      const most = 64 * 1024 * 1024;
      const tooLong = new Uint8Array(most + 1);
      await expect(a.peers.ask('served', 'echo', tooLong, never())).rejects.toThrow(MessageTooLarge);
      await expect(a.peers.ask('served', 'size', bytes(String(most + 1)), never())).rejects.toThrow(
        PeerFailed,
      );
      for (const name of ['', 'a.b', '*', '>'])
        await expect(a.peers.ask(name, 'echo', bytes(''), never())).rejects.toThrow(InvalidName);
      await expect(a.peers.ask('served', 'a.b', bytes(''), never())).rejects.toThrow(InvalidName);
    });
  });
}
