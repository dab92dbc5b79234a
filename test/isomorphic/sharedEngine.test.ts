import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../host/browser/sharedEngine.js';
import { SharedEngine } from '../../host/browser/sharedEngine.js';
import type { WorkerEngine } from '../../host/library/options.js';

/** Locks of one name: who asks has it when those before have let it go. */
class Locks {
  #before: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
    const held = this.#before.then(() => {
      if (!signal.aborted) return hold();
    });
    this.#before = held;
    return held;
  }
}

let locks: Locks;
/** The channel as another tab has it. */
let other: BroadcastChannel;
/** What was said, and who waits for more. */
let said: Message[];
let more: () => void;

beforeEach(() => {
  locks = new Locks();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('location', { origin: 'http://localhost', href: 'http://localhost/' });
  said = [];
  more = () => {};
  other = new BroadcastChannel('resilin 1 idb:books');
  other.onmessage = ({ data }) => {
    said.push(data as Message);
    more();
  };
});
afterEach(() => {
  other.close();
  vi.unstubAllGlobals();
});

/** Resolves when something of that kind was said, and so often. */
async function heard<K extends Message['kind']>(
  kind: K,
  count = 1,
): Promise<Extract<Message, { kind: K }>[]> {
  for (;;) {
    const found = said.filter((message): message is Extract<Message, { kind: K }> => message.kind === kind);
    if (found.length >= count) return found;
    await new Promise<void>((resolve) => {
      more = resolve;
    });
  }
}

const say = (message: Message) => other.postMessage(message);
const asking = (uri: string) => ({ request: { method: 'GET', uri, body: new Uint8Array(0) } });
const answerOf = (uri: string) => ({ status: 200, contentType: '', body: new TextEncoder().encode(uri) });

/** An engine that answers with what it was asked for, and lets its lock go when it is closed. */
function engine(release: () => void): WorkerEngine {
  return {
    handle: async (_method: string, uri: string) => answerOf(uri),
    close: async () => release(),
  } as WorkerEngine;
}

/** The other tab has the lock; what is returned lets it go, as when the tab is gone. */
function otherHasLock(): () => void {
  let release!: () => void;
  const gone = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks.request('', { signal: new AbortController().signal }, () => gone);
  return release;
}

it('leaves in doubt what another tab heard before it was gone, and does the rest itself', async () => {
  const release = otherHasLock();
  const shared = new SharedEngine('idb:books', async (letGo) => engine(letGo));
  await heard('who');
  say({ kind: 'owner', owner: 'other' });
  await shared.ready;
  const first = shared.ask(asking('/first'));
  const second = shared.ask(asking('/second'));
  const third = shared.ask(asking('/third'));
  const [{ from: to, id }, , last] = (await heard('ask', 3)) as [
    Extract<Message, { kind: 'ask' }>,
    Message,
    Extract<Message, { kind: 'ask' }>,
  ];
  say({ kind: 'heard', to, id });
  say({ kind: 'heard', to, id: last.id });
  say({ kind: 'answer', to, id: last.id, answer: answerOf('/other') });
  // Said behind the others, so heard behind them.
  expect(await third).toEqual(answerOf('/other'));
  release();
  await expect(first).rejects.toThrow(
    'the tab that had idb:books is gone; what it was asked for may be done or not',
  );
  expect(await second).toEqual(answerOf('/second'));
  expect(await shared.ask(asking('/fourth'))).toEqual(answerOf('/fourth'));
  await shared.close();
});

it('asks a new owner for what the one before has not heard, and only then', async () => {
  otherHasLock();
  const shared = new SharedEngine('idb:books', async (letGo) => engine(letGo));
  await heard('who');
  say({ kind: 'owner', owner: 'a' });
  await shared.ready;
  const first = shared.ask(asking('/first'));
  const second = shared.ask(asking('/second'));
  const [{ from: to, id }, { id: secondId }] = (await heard('ask', 2)) as Extract<
    Message,
    { kind: 'ask' }
  >[] as [Extract<Message, { kind: 'ask' }>, Extract<Message, { kind: 'ask' }>];
  say({ kind: 'heard', to, id: secondId });
  // Somebody else wanted to know who has the store.
  say({ kind: 'owner', owner: 'a' });
  say({ kind: 'owner', owner: 'b' });
  await expect(second).rejects.toThrow('is gone; what it was asked for may be done or not');
  say({ kind: 'error', to, id, error: 'no' });
  await expect(first).rejects.toThrow('no');
  shared.ask(asking('/third')).catch(() => {});
  const asked = await heard('ask', 4);
  expect(asked.map((each) => (each.asked as ReturnType<typeof asking>).request.uri)).toEqual([
    '/first',
    '/second',
    '/first',
    '/third',
  ]);
  await shared.close();
  await expect(shared.ask(asking('/fourth'))).rejects.toThrow('the engine of idb:books is closed');
});

it('answers others before it lets go, and nobody after', async () => {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let closed = false;
  const slow = {
    handle: async (_method: string, uri: string) => finished.then(() => answerOf(uri)),
    close: async () => {
      closed = true;
    },
  } as unknown as WorkerEngine;
  const shared = new SharedEngine('idb:books', async () => slow);
  await shared.ready;
  await heard('owner');
  say({ kind: 'ask', from: 'other', id: 1, asked: asking('/first') });
  await heard('heard');
  const closing = shared.close();
  const third = new BroadcastChannel('resilin 1 idb:books');
  const delivered = new Promise((resolve) => {
    third.onmessage = resolve;
  });
  say({ kind: 'ask', from: 'other', id: 2, asked: asking('/second') });
  await delivered;
  await new Promise(setImmediate);
  third.close();
  finish();
  await closing;
  expect(closed).toBe(true);
  const [answer] = await heard('answer');
  expect(answer).toEqual({ kind: 'answer', to: 'other', id: 1, answer: answerOf('/first') });
  expect(said.filter(({ kind }) => kind === 'heard')).toHaveLength(1);
});

it('tells why the store could not be opened, and lets the next one try', async () => {
  const failing = new SharedEngine('idb:books', async () => {
    throw new Error('damaged');
  });
  await expect(failing.ready).rejects.toThrow('damaged');
  await expect(failing.ask(asking('/'))).rejects.toThrow('damaged');
  const shared = new SharedEngine('idb:books', async (letGo) => engine(letGo));
  await shared.ready;
  await failing.close();
  await shared.close();
});
