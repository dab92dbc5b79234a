import { type JetStreamClient, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from 'vitest';
import type { LogMessage } from '../../host/cluster/log.js';
import { NatsNames } from '../../host/server/cluster/natsOptions.js';
import { readStream } from '../../host/server/cluster/natsReader.js';
import { openNatsServices } from '../../host/server/cluster/natsServices.js';
import { ServerChoice } from '../../host/server/cluster/serverChoice.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';

const bytes = (word: string) => new TextEncoder().encode(word);

describe.skipIf(natsVersion() === undefined)('a reader for which no consumer can be made', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('gets the messages nevertheless, long ones too, as they come', async () => {
    const servers = await NatsServers.start(1);
    closers.push(() => servers.close());
    const services = await openNatsServices({ servers: servers.urls, cluster: 'reader', node: 'a' });
    closers.push(() => services.close());
    const log = await services.logs.open('books', { create: true });
    await log.append('shard.0', bytes('first'));
    const long = 'x'.repeat(1_200_000);
    await log.append('shard.0', bytes(long));

    const connection = await connect({ servers: servers.urls });
    closers.push(() => connection.close());
    const names = new NatsNames('reader');
    const reading = new AbortController();
    const messages = readStream(
      {
        ...{ log: 'books', stream: names.stream('books'), messagePrefix: names.messages('books') },
        ...{ partSubject: names.parts('books'), connection, manager: await jetstreamManager(connection) },
        // As while JetStream elects who leads it.
        client: { consumers: { get: () => new Promise(() => {}) } } as unknown as JetStreamClient,
        ...{ choice: new ServerChoice(connection), confirmMs: 500, closing: new AbortController().signal },
        onRead: () => {},
      },
      0,
      undefined,
      reading.signal,
    );
    const read: string[] = [];
    for await (const { bytes: content } of messages as AsyncIterable<LogMessage>) {
      read.push(new TextDecoder().decode(content));
      if (read.length === 2) await log.append('shard.0', bytes('third'));
      if (read.length === 3) reading.abort();
    }
    expect(read).toEqual(['first', long, 'third']);
  });
});
