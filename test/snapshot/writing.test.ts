import { expect, it } from 'vitest';
import type { Capture } from '../../host/shard/capture.js';
import { writeCapture } from '../../host/snapshot/writing.js';
import { NO_DICTIONARIES } from '../support/noDictionaries.js';

/** A shard without segments whose documents are in so many packs: each is as long as a pack may be. */
function captureOf(packs: number): Capture {
  const bytes = new Uint8Array(8 * 1024 * 1024);
  return {
    manifest: { seq: 0, next: 1, segments: [] },
    live: new Map(),
    kills: [],
    dictionaries: NO_DICTIONARIES,
    documents: (after: number) =>
      after >= packs ? { rows: [], last: after } : { rows: [[after + 1, bytes]], last: after + 1 },
  } as unknown as Capture;
}

/** A medium whose writes end when they are told to. */
class Medium {
  readonly waiting: { pack: number; done(ref: number): void; failed(e: Error): void }[] = [];
  #begun = 0;
  #told = () => {};

  readonly put = (): Promise<number> => {
    const pack = this.#begun++;
    const written = new Promise<number>((done, failed) => {
      this.waiting.push({ pack, done, failed });
    });
    this.#told();
    return written;
  };

  /** Waits until so many have begun. */
  async begun(count: number): Promise<void> {
    while (this.#begun < count)
      await new Promise<void>((told) => {
        this.#told = told;
      });
  }

  get count(): number {
    return this.#begun;
  }
}

it('packs of a shard are written several at once, and stay in their order', async () => {
  const medium = new Medium();
  const written = writeCapture(captureOf(6), medium.put, 3);
  await medium.begun(3);
  // The last of them is done first, which makes no room: the first is waited for.
  medium.waiting[2]!.done(2);
  medium.waiting[1]!.done(1);
  await Promise.resolve();
  expect(medium.count).toBe(3);
  medium.waiting[0]!.done(0);
  await medium.begun(6);
  for (const { pack, done } of medium.waiting.toReversed()) done(pack);
  expect(await written).toMatchObject({ packs: [0, 1, 2, 3, 4, 5], documents: 6 });
});

it('nothing is written any more when it is told that a pack could not be', async () => {
  const medium = new Medium();
  const written = writeCapture(captureOf(9), medium.put, 3);
  let ended = false;
  const failure = written.catch((e: Error) => {
    ended = true;
    return e.message;
  });
  await medium.begun(3);
  medium.waiting[0]!.failed(new Error('full'));
  for (let i = 0; i < 50; i++) await Promise.resolve();
  expect(ended).toBe(false);
  medium.waiting[2]!.failed(new Error('later'));
  medium.waiting[1]!.done(1);
  expect(await failure).toBe('full');
  expect(medium.count).toBe(3);
});

it('one at a time is given to an export', async () => {
  const medium = new Medium();
  const written = writeCapture(captureOf(2), medium.put);
  await medium.begun(1);
  expect(medium.count).toBe(1);
  medium.waiting[0]!.done(0);
  await medium.begun(2);
  medium.waiting[1]!.done(1);
  expect(await written).toMatchObject({ packs: [0, 1] });
});
