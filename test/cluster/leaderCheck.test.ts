/** Reading a stream of which a server has other messages than the one that leads it. */
import type { MsgHdrs } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import type { LogMessage, ReadOptions } from '../../host/cluster/log.js';
import { contentChecksum, headersOf, partsPayload } from '../../host/server/cluster/natsMessages.js';
import { type ReadStream, readStream } from '../../host/server/cluster/natsReader.js';

interface Kept {
  seq: number;
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs;
}

const PREFIX = 'log.';

/** A message that says a word. @param link the position that its writer had read before */
function message(seq: number, word: string, link?: number): Kept {
  const headers = headersOf(link === undefined ? undefined : { position: link, checksum: 1 }, false);
  headers.set('Nats-Msg-Id', word);
  return { seq, subject: `${PREFIX}shard.0.any`, data: new TextEncoder().encode(word), headers };
}

const messages = (...words: string[]) => words.map((word, i) => message(i + 1, word));

/** What is never over until it is closed. */
function open<T>(first: readonly T[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    async *[Symbol.asyncIterator]() {
      yield* first;
      await ended;
    },
    close: async () => end(),
    stop: end,
  };
}

/** What a server says of a stream and of those who have it. */
interface Answer {
  leader?: string;
  /** Nanoseconds since others were heard of. */
  replicas: readonly { active: number }[];
  /** The last position that it has, where that isn't the leader's. */
  last?: number;
}

const LED: Answer = { leader: 's0', replicas: [{ active: 2e9 }, { active: 60e9 }] };

/**
 * A stream whose leader has these messages, and the servers that sessions are with, one after the other, the last one of them from then on.
 * @param answers what is said of it first
 */
function stream(
  leader: Kept[],
  servers: readonly { name: string; has: readonly Kept[]; begins?: number }[],
  copies = 3,
  answers: Answer[] = [],
) {
  const warnings: string[] = [];
  const asked: number[] = [];
  let session = 0;
  const source = {
    log: 'books',
    stream: 'books',
    messagePrefix: PREFIX,
    partSubject: 'part',
    confirmMs: 200,
    connection: { isClosed: () => false, status: () => open([]) },
    choice: { watched: <T>(_: string, ask: Promise<T>) => ask },
    closing: new AbortController().signal,
    onRead: () => {},
    warn: (text: string) => void warnings.push(text),
    manager: {
      streams: {
        info: async () => {
          const { last = leader.length, ...cluster } = answers.shift() ?? LED;
          return {
            config: { num_replicas: copies },
            state: { first_seq: 1, last_seq: last, messages: last },
            cluster,
          };
        },
        getMessage: async (_: string, { seq }: { seq: number }) => {
          asked.push(seq);
          const found = leader.find((each) => each.seq === seq);
          return found === undefined ? null : { ...found, header: found.headers };
        },
      },
    },
    client: {
      consumers: {
        get: async (_: string, { opt_start_seq: from }: { opt_start_seq: number }) => {
          const { name, has, begins = from } = servers[Math.min(session++, servers.length - 1)]!;
          return {
            info: async () => ({ cluster: { leader: name } }),
            consume: async () => ({
              ...open(has.filter(({ seq }) => seq >= begins)),
              status: () => open([]),
            }),
            delete: async () => true,
          };
        },
      },
    },
  };
  const read = async (count: number, after = 0, options: ReadOptions = {}): Promise<string[]> => {
    const stop = new AbortController();
    const words: string[] = [];
    const of = (one: LogMessage) => new TextDecoder().decode(one.bytes);
    for await (const one of readStream(source as unknown as ReadStream, after, options, stop.signal)) {
      words.push(of(one));
      if (words.length === count) break;
    }
    stop.abort();
    return words;
  };
  return { read, warnings, asked };
}

it('a message in whose place the leader has another one is left out, and another server read from', async () => {
  const leader = messages('one', 'two', 'three', 'four');
  const { read, warnings } = stream(leader, [
    { name: 's2', has: messages('one', 'two', 'else', 'four') },
    { name: 's2', has: messages('one', 'two', 'else', 'four') },
    { name: 's0', has: leader },
  ]);
  expect(await read(4)).toEqual(['one', 'two', 'three', 'four']);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('the NATS server [s2] has another message at 3 of the log [books]');
});

it('one that the leader does not have is not taken before it has it', async () => {
  const leader = messages('one');
  const { read, warnings } = stream(leader, [
    { name: 's2', has: messages('one', 'else') },
    {
      name: 's0',
      get has() {
        leader.push(message(2, 'two'));
        return leader;
      },
    },
  ]);
  expect(await read(2)).toEqual(['one', 'two']);
  expect(warnings).toEqual([]);
});

it('messages of a server that goes on in the places of some that it lacks are known by what their writers had read', async () => {
  const leader = Array.from({ length: 200 }, (_, i) => message(i + 1, `w${i + 1}`));
  const lacking = leader.slice(0, 99).concat(message(100, 'w101', 100));
  const { read, warnings } = stream(leader, [
    { name: 's2', has: lacking },
    { name: 's0', has: leader },
  ]);
  expect((await read(120)).slice(98, 102)).toEqual(['w99', 'w100', 'w101', 'w102']);
  expect(warnings[0]).toContain('[s2] has another message at 100');
});

it('the leader is asked where reading goes on and near the end alone, of rare messages always, of one server never', async () => {
  const leader = Array.from({ length: 200 }, (_, i) => message(i + 1, `w${i + 1}`));
  const servers = [{ name: 's0', has: leader }];
  const often = stream(leader, servers);
  await often.read(200);
  expect(often.asked).toHaveLength(65);
  const rare = stream(leader, servers);
  await rare.read(200, 0, { isRare: true });
  expect(rare.asked).toHaveLength(200);
  const alone = stream(leader, servers, 1);
  await alone.read(200);
  expect(alone.asked).toEqual([]);
});

it('the leader is not asked for what comes into a log that was read from its beginning, until there is trouble', async () => {
  const leader: Kept[] = [];
  const fill = (count: number) => {
    while (leader.length < count) leader.push(message(leader.length + 1, `w${leader.length + 1}`));
    return [...leader];
  };
  const first = {
    name: 's0',
    get has() {
      return fill(100);
    },
  };
  const calm = stream(leader, [first]);
  await calm.read(100);
  expect(calm.asked).toEqual([]);
  leader.length = 0;
  // The first server has another message in the end, which its writer had read nothing before; another session begins.
  const parted = stream(leader, [
    {
      name: 's1',
      get has() {
        return [...fill(50), message(51, 'else', 7)];
      },
    },
    first,
  ]);
  expect(await parted.read(90)).toHaveLength(90);
  expect(parted.asked.filter((seq) => seq > 51).length).toBeGreaterThanOrEqual(31);
});

it.each([{}, { subject: 'shard.0' }])(
  'what has been read is not read again from a server that lags, with options %o',
  async (options) => {
    const leader = messages('one', 'two', 'three', 'four');
    const { read } = stream(leader, [
      { name: 's2', has: leader, begins: 2 },
      { name: 's0', has: leader },
    ]);
    expect(await read(2, 2, options)).toEqual(['three', 'four']);
  },
);

it('a log has not lost what a server lacks that is cut off from the others', async () => {
  const leader = messages('one', 'two', 'three');
  const away = [{ active: 5e9 }, { active: 60e9 }];
  const lacking = [
    { leader: 's2', replicas: away, last: 1 },
    { replicas: LED.replicas, last: 1 },
  ];
  // Each is asked again for longer than what is lost has to be so.
  const answers = lacking.flatMap((answer) => Array.from({ length: 3 }, () => answer));
  const { read } = stream(leader, [{ name: 's0', has: leader }], 3, answers);
  expect(await read(1, 2)).toEqual(['three']);
  const lost = stream(
    leader,
    [],
    3,
    Array.from({ length: 3 }, () => ({ ...LED, last: 1 })),
  );
  await expect(lost.read(1, 2)).rejects.toThrow('it ends at 1, and 2 was read from it before');
});

it('parts of a message are waited for that the leader does not have yet', async () => {
  const data = new TextEncoder().encode('long');
  const headers = headersOf(undefined, true);
  headers.set('Nats-Msg-Id', 'long');
  const payload = partsPayload({ positions: [1], bytes: data.length, checksum: contentChecksum(data) });
  const whole = { ...message(2, ''), data: payload, headers };
  const leader: Kept[] = [];
  const { read } = stream(leader, [
    { name: 's2', has: [whole] },
    {
      name: 's0',
      get has() {
        leader.push({ ...message(1, ''), subject: 'part', data }, whole);
        return [whole];
      },
    },
  ]);
  expect(await read(1, 0, { subject: 'shard.0' })).toEqual(['long']);
});
