/** Images of segments that nobody else needs go to the worker as they are: a start would have each of them twice. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { CallChannel } from '../../host/server/callChannel.js';
import { type Calls, newCancelled } from '../../host/server/protocol.js';
import { FileBlobs } from '../../host/storage/files.js';
import { MemoryBlobs } from '../../host/storage/memory.js';

it('hands images over that it may hand over, and copies others', async () => {
  const { port1, port2 } = new MessageChannel();
  const client = new CallChannel(port1, newCancelled(), undefined, () => 0).client(1, async () => {});
  const folder = mkdtempSync(join(tmpdir(), 'resilin-blobs-'));
  const files = await FileBlobs.open(folder);
  const memory = new MemoryBlobs();
  const kept: number[] = [];
  for (const blobs of [files, memory]) {
    await blobs.put('1-1.seg', new Uint8Array(100_000).fill(7));
    const image = (await blobs.get('1-1.seg'))!;
    void client.load(image, new Uint8Array(0), (blobs as { handsOver?: boolean }).handsOver);
    const [{ list }] = (await once(port2, 'message')) as [Calls];
    const [, sent] = list[0]!.args as [number, Uint8Array];
    expect([sent.length, sent[99_999]]).toEqual([100_000, 7]);
    kept.push(image.length);
    // What is kept is there still.
    expect((await blobs.get('1-1.seg'))!.length).toBe(100_000);
  }
  expect(kept).toEqual([0, 100_000]);
  port1.close();
  rmSync(folder, { recursive: true });
});
