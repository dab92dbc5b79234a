import { DiscardPolicy, RetentionPolicy, StorageType, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { LogMissing, LogUnavailable } from '../../cluster/errors.js';
import type { Log, Logs } from '../../cluster/log.js';
import { apiCode, isStreamMissing, pause, retried } from './natsErrors.js';
import { NatsLog, type NatsLogContext } from './natsLog.js';

/** Milliseconds for which ids of messages are remembered. */
const IDS_KEPT_MS = 120_000;
/** Milliseconds that servers may take to find each other. */
const PEERS_MS = 30_000;
const PEERS_RETRY_MS = 500;
/** Codes of JetStream's errors. */
const NO_PEERS = 10005;
const NAME_IN_USE = 10058;

/** The streams of a cluster. */
export class NatsLogs implements Logs {
  readonly #context: NatsLogContext;
  readonly #copies: number;
  readonly #opened = new Map<string, { log: NatsLog; created: string }>();

  /** @param copies servers that each log is kept on */
  constructor(context: NatsLogContext, copies: number) {
    this.#context = context;
    this.#copies = copies;
  }

  async open(name: string, { create = false }: { create?: boolean } = {}): Promise<Log> {
    const info = await this.#info(name, create);
    const known = this.#opened.get(name);
    // A log that was deleted and made anew is another one: what was read of the first says nothing of it.
    if (known && known.created === info.created) return known.log;
    const log = new NatsLog(name, this.#context);
    this.#opened.set(name, { log, created: info.created });
    return log;
  }

  async list(): Promise<string[]> {
    const { manager, names } = this.#context;
    const streams = await retried(this.#context.choice, 'read', '*', async () => {
      const all: string[] = [];
      for await (const stream of manager.streams.names()) all.push(stream);
      return all;
    });
    const ours = streams.filter((stream) => stream.startsWith(names.streamPrefix));
    return ours.map((stream) => stream.slice(names.streamPrefix.length)).sort();
  }

  async #info(name: string, create: boolean): Promise<StreamInfo> {
    const { manager, names } = this.#context;
    const stream = names.stream(name);
    return retried(this.#context.choice, 'read', name, async () => {
      try {
        return this.#checked(name, await manager.streams.info(stream));
      } catch (error) {
        if (!isStreamMissing(error)) throw error;
        if (!create) throw new LogMissing(name);
        return this.#create(name);
      }
    });
  }

  /** Makes a stream. Servers of a cluster that has just been started may not know of each other yet: they are waited for. */
  async #create(name: string): Promise<StreamInfo> {
    const started = performance.now();
    for (;;) {
      try {
        return await this.#add(name);
      } catch (error) {
        if (apiCode(error) !== NO_PEERS) throw error;
        if (performance.now() - started > PEERS_MS)
          throw new LogUnavailable(
            name,
            `a log is kept on ${this.#copies} servers of NATS, and not so many run with JetStream and room`,
          );
      }
      await pause(PEERS_RETRY_MS, this.#context.closing);
    }
  }

  async #add(name: string): Promise<StreamInfo> {
    const { manager, names } = this.#context;
    const stream = names.stream(name);
    try {
      return await manager.streams.add({
        name: stream,
        description: 'A log of Resilin; its messages must not be deleted one by one',
        subjects: subjectsOf(names.messages(name), names.parts(name)),
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.New,
        num_replicas: this.#copies,
        duplicate_window: nanos(IDS_KEPT_MS),
        deny_delete: true,
      });
    } catch (error) {
      if (apiCode(error) !== NAME_IN_USE) throw error;
      return this.#checked(name, await manager.streams.info(stream));
    }
  }

  /** Refuses a stream that has this name and isn't a log. */
  #checked(name: string, info: StreamInfo): StreamInfo {
    const { names } = this.#context;
    const expected = subjectsOf(names.messages(name), names.parts(name));
    const subjects = info.config.subjects ?? [];
    if (subjects.length !== expected.length || !expected.every((subject) => subjects.includes(subject)))
      throw new LogUnavailable(
        name,
        `the stream [${info.config.name}] of NATS is not one that Resilin has made`,
      );
    return info;
  }
}

function subjectsOf(messages: string, parts: string): string[] {
  return [`${messages}>`, parts];
}
