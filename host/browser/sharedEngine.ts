/**
 * One engine for each store, whichever tabs and workers of the origin name it. Who has the store's lock opens it, and answers the others, who
 * wait for the lock meanwhile: when it ends, one of them opens the store and goes on. They talk on a channel by the store's name.
 */
import { openEngine } from '../library/engine.js';
import type { EngineOptions, EngineResponse, WorkerEngine } from '../library/options.js';
import type { Platform } from '../library/platform.js';
import { answerTo } from './answering.js';
import { engineBehind } from './asking.js';
import type { Asked } from './protocol.js';
import { openStore, storeName } from './stores.js';

/** What is said on the channel; parts of another version of it are on another channel. */
export type Message =
  /** Who has the store? */
  | { kind: 'who' }
  /** The sender has, and answers from now on. */
  | { kind: 'owner'; owner: string }
  | { kind: 'ask'; from: string; id: number; asked: Asked }
  /** It was heard: from now on it may be done. */
  | { kind: 'heard'; to: string; id: number }
  | { kind: 'answer'; to: string; id: number; answer: EngineResponse }
  | { kind: 'error'; to: string; id: number; error: string };

const VERSION = 1;
/** Opening a large store takes time, and until then nobody answers. */
const WAIT_MS = 30_000;

interface Waiting {
  asked: Asked;
  heard: boolean;
  resolve(answer: EngineResponse): void;
  reject(error: Error): void;
}

/** Makes an engine; with {@link EngineOptions.data}, it may be another tab's, whose options count then. */
export async function openShared(
  options: EngineOptions,
  compileCore: Platform['compileCore'],
): Promise<WorkerEngine> {
  const { data } = options;
  const named = typeof data === 'string' || data?.isShared === true ? data : undefined;
  const name = typeof named === 'string' ? named : named?.name;
  const open = (release: () => void) =>
    openEngine(name === undefined ? options : { ...options, data: name }, {
      compileCore,
      openData: async () => {
        const kept = await (typeof named === 'string' ? openStore(named) : named!.open());
        const releaseAll = () => {
          kept.release?.();
          release();
        };
        return { ...kept, release: releaseAll };
      },
      loadsLate: true,
    });
  if (name === undefined || options.storage !== undefined || options.blobs !== undefined)
    return open(() => {});
  if (typeof named === 'string') storeName(named);
  if (!navigator.locks)
    throw new Error(`${name} can't be kept here: only pages by https or of localhost have the lock it needs`);
  const shared = new SharedEngine(name, open);
  await shared.ready;
  return engineBehind(
    (asked) => shared.ask(asked),
    () => shared.close(),
  );
}

/** The engine of a store, here or elsewhere. */
export class SharedEngine {
  readonly #data: string;
  readonly #channel: BroadcastChannel;
  readonly #own = crypto.randomUUID();
  /** Who has the store, as far as is known. */
  #owner: string | undefined;
  /** The engine, where it is here. */
  #engine: WorkerEngine | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  /** Answers to others that are under way. */
  readonly #answering = new Set<Promise<void>>();
  readonly #lock = new AbortController();
  /** Why nothing is answered any more. */
  #ended: Error | undefined;
  /** Resolves when somebody has the store open. */
  readonly ready: Promise<void>;
  #setReady!: () => void;
  #fail!: (error: unknown) => void;

  constructor(data: string, open: (release: () => void) => Promise<WorkerEngine>) {
    this.#data = data;
    const channel = `resilin ${VERSION} ${data}`;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.onmessage = ({ data: message }: MessageEvent<Message>) => this.#hear(message);
    const timer = setTimeout(() => this.#end(notAnswered(data)), WAIT_MS);
    this.ready = new Promise<void>((resolve, reject) => {
      this.#setReady = resolve;
      this.#fail = reject;
    }).finally(() => clearTimeout(timer));
    this.#say({ kind: 'who' });
    navigator.locks
      .request(
        channel,
        { signal: this.#lock.signal },
        () => new Promise<void>((release) => this.#openOwn(open, release)),
      )
      .catch((e) => this.#end(e));
  }

  /** Asks the engine wherever it is. */
  async ask(asked: Asked): Promise<EngineResponse> {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#engine !== undefined) return answerTo(this.#engine, asked);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { asked, heard: false, resolve, reject });
      this.#say({ kind: 'ask', from: this.#own, id, asked });
    });
  }

  /** Lets go of the store, if it is open here, when others have their answers. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    const engine = this.#engine;
    this.#end(new Error(`the engine of ${this.#data} is closed`));
    await Promise.all(this.#answering);
    this.#channel.close();
    await engine?.close();
  }

  /** Opens the store, whose lock this one has now. */
  async #openOwn(open: (release: () => void) => Promise<WorkerEngine>, release: () => void): Promise<void> {
    try {
      const engine = await open(release);
      if (this.#ended !== undefined) {
        await engine.close();
        return;
      }
      this.#engine = engine;
    } catch (e) {
      release();
      this.#end(e as Error);
      return;
    }
    this.#say({ kind: 'owner', owner: this.#own });
    this.#ownedBy(this.#own);
  }

  #say(message: Message): void {
    this.#channel.postMessage(message);
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'who':
        if (this.#engine !== undefined) this.#say({ kind: 'owner', owner: this.#own });
        return;
      case 'owner':
        this.#ownedBy(message.owner);
        return;
      case 'ask':
        if (this.#engine !== undefined && this.#ended === undefined) this.#answer(this.#engine, message);
        return;
      default:
        if (message.to === this.#own) this.#take(message);
    }
  }

  #answer(engine: WorkerEngine, { from: to, id, asked }: Extract<Message, { kind: 'ask' }>): void {
    this.#say({ kind: 'heard', to, id });
    const answering = answerTo(engine, asked)
      .then((answer) => this.#say({ kind: 'answer', to, id, answer }))
      .catch((e) => this.#say({ kind: 'error', to, id, error: e instanceof Error ? e.message : String(e) }))
      .finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  }

  #take(message: Extract<Message, { to: string }>): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'heard') {
      waiting.heard = true;
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.answer);
    else waiting.reject(new Error(message.error));
  }

  /** Another one may have the store now: what the one before has heard may be done or not, the rest is asked again. */
  #ownedBy(owner: string): void {
    const before = this.#owner;
    this.#owner = owner;
    this.#setReady();
    if (before === undefined || before === owner) return;
    for (const [id, { asked, heard, resolve, reject }] of [...this.#waiting]) {
      if (!heard && this.#engine === undefined) {
        this.#say({ kind: 'ask', from: this.#own, id, asked });
        continue;
      }
      this.#waiting.delete(id);
      if (heard)
        reject(new Error(`the tab that had ${this.#data} is gone; what it was asked for may be done or not`));
      else this.ask(asked).then(resolve, reject);
    }
  }

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#lock.abort();
    this.#fail(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    // Who has the store may still owe others answers.
    if (this.#engine === undefined) this.#channel.close();
  }
}

function notAnswered(data: string): Error {
  return new Error(
    `${data} is open in another tab or worker of ${location.origin}, which doesn't answer: close that, or load it again`,
  );
}
