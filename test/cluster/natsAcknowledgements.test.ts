/** What servers of NATS acknowledge, and what counts. */
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { BytesInFlight } from '../../host/server/cluster/bytesInFlight.js';
import { NatsLog } from '../../host/server/cluster/natsLog.js';
import { NatsNames } from '../../host/server/cluster/natsOptions.js';
import type { Asked, ServerChoice } from '../../host/server/cluster/serverChoice.js';

/** A log whose servers answer one message after the other with these. */
function answering(answers: readonly object[], last?: StoredMsg) {
  const sent: { id: string | undefined; bytes: number }[] = [];
  const left = [...answers];
  const connection = {
    info: { max_payload: 1024 * 1024 },
    options: {},
    async request(_subject: string, data: Uint8Array, { headers }: { headers: Map<string, string> }) {
      sent.push({ id: headers.get('Nats-Msg-Id'), bytes: data.length });
      const answer = left.shift();
      if (answer === undefined) throw new Error('nothing more is asked');
      const bytes = new TextEncoder().encode(JSON.stringify({ stream: 'resilin_c_books', ...answer }));
      return { data: bytes, json: () => JSON.parse(new TextDecoder().decode(bytes)) };
    },
  };
  const manager = { streams: { getMessage: async () => last ?? null } };
  const log = new NatsLog('books', {
    connection: connection as unknown as NatsConnection,
    manager: manager as unknown as JetStreamManager,
    names: new NatsNames('c'),
    choice: { watched: <T>(_asked: Asked, ask: Promise<T>) => ask } as ServerChoice,
    inFlight: new BytesInFlight(1 << 20),
    confirmMs: 100,
    closing: new AbortController().signal,
    newId: () => 'one',
    warn: () => {},
  });
  return { log, sent };
}

const bytes = new Uint8Array(3);
const beingStored = { code: 409, err_code: 10158, description: 'duplicate message id is in process' };

it('an acknowledgement without a position says that the message is being stored: it is sent again, with its id', async () => {
  const { log, sent } = answering([
    { seq: 0, duplicate: true },
    { seq: 7, duplicate: true },
  ]);
  expect(await log.append('0', bytes)).toBe(7);
  expect(sent).toEqual(Array(2).fill({ id: 'one', bytes: 3 }));
});

it('so is one that is refused for that', async () => {
  const { log, sent } = answering([{ error: beingStored }, { seq: 7, duplicate: true }]);
  expect(await log.append('0', bytes)).toBe(7);
  expect(sent).toHaveLength(2);
});

it('so is one that expects what comes before it', async () => {
  const { log } = answering([
    { seq: 0, duplicate: true },
    { seq: 7, duplicate: true },
  ]);
  expect(await log.append('meta', bytes, { expectLast: 0 })).toBe(7);
});

it("one that has been stored meanwhile isn't sent again where it expects what comes before it", async () => {
  const header = headers();
  header.set('Nats-Msg-Id', 'one');
  const stored = { seq: 9, header } as StoredMsg;
  const { log, sent } = answering([], stored);
  expect(await log.append('meta', bytes, { expectLast: 4 })).toBe(9);
  expect(sent).toEqual([]);
});
