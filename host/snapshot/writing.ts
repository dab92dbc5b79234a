/** Puts shards into a repository. */
import type { Capture } from '../shard/capture.js';
import type { Shard } from '../shard/shard.js';
import { defaultTurn } from '../turn.js';
import { BlobPacker } from './packedBlobs.js';
import type { DataRef, ShardParts, ShardRecord } from './record.js';
import type { Repository } from './repository.js';
import { isSound } from './segmentImage.js';

const ROWS = 500;
/** Packs of a snapshot that are written at once: each waits for its medium. */
const PACKS_AT_ONCE = 4;

/** Tells of every file that is done. */
export type Progress = (bytes: number) => void;

/** Keeps bytes somewhere. */
type Put<Ref> = (bytes: Uint8Array) => Promise<Ref>;

/** Writes what a shard holds now. */
export async function writeShard(
  repository: Repository,
  shard: Shard,
  started: number,
  progress: Progress,
): Promise<ShardRecord> {
  const began = performance.now();
  const fresh = { files: 0, bytes: 0 };
  const put = async (bytes: Uint8Array): Promise<DataRef> => {
    const { fresh: isFresh, ...ref } = await repository.put(bytes);
    if (isFresh) {
      fresh.files++;
      fresh.bytes += ref.bytes;
    }
    progress(ref.bytes);
    return ref;
  };
  const parts = await writeParts(shard, put, PACKS_AT_ONCE);
  return { ...parts, started, took: Math.round(performance.now() - began), fresh };
}

/**
 * Writes what a shard holds now by a function that gives a reference to what it has kept.
 * @param atOnce packs that are given to it at once; their references have the order of the packs
 */
export async function writeParts<Ref>(shard: Shard, put: Put<Ref>, atOnce = 1): Promise<ShardParts<Ref>> {
  const capture = await shard.capture();
  try {
    return await writeCapture(capture, put, atOnce);
  } finally {
    capture.release();
  }
}

/** The same of what it held then; as often as is asked for, the same parts in the same order. */
export async function writeCapture<Ref>(
  capture: Capture,
  put: Put<Ref>,
  atOnce = 1,
): Promise<ShardParts<Ref>> {
  const segments = await writeSegments(capture, put);
  const { packs, documents } = await writeDocuments(capture, put, atOnce);
  // Without the segments, or where one is damaged, they are made anew from the documents.
  if (segments === undefined) return { checkpoint: 0, segments: [], kills: [], packs, documents };
  return { checkpoint: capture.manifest.seq, segments, kills: capture.kills, packs, documents };
}

async function writeSegments<Ref>(
  capture: Capture,
  put: Put<Ref>,
): Promise<ShardParts<Ref>['segments'] | undefined> {
  const segments: ShardParts<Ref>['segments'] = [];
  const turn = defaultTurn();
  for (const { name, documents } of capture.manifest.segments) {
    const image = await capture.image(name);
    if (image === undefined || !(await isSound(image, turn))) return undefined;
    const live = capture.live.get(name);
    segments.push({
      image: await put(image),
      live: live === undefined ? undefined : await put(live),
      documents,
    });
  }
  return segments;
}

async function writeDocuments<Ref>(
  capture: Capture,
  put: Put<Ref>,
  atOnce: number,
): Promise<{ packs: Ref[]; documents: number }> {
  const packs: Promise<Ref>[] = [];
  let documents = 0;
  /** Begins to write a pack, when of those before it few enough are being written. */
  const write = async (pack: Uint8Array): Promise<void> => {
    const written = put(pack);
    // Whoever waits for it is told, perhaps later.
    written.catch(() => {});
    packs.push(written);
    await packs[packs.length - atOnce];
  };
  try {
    const packer = new BlobPacker(capture.dictionaries);
    for (let at = 0; ; ) {
      const { rows, last } = capture.documents(at, ROWS);
      if (last === at) break;
      at = last;
      documents += rows.length;
      for (const row of rows) {
        const pack = packer.add(row);
        if (pack !== undefined) await write(pack);
      }
    }
    const pack = packer.end();
    if (pack !== undefined) await write(pack);
  } finally {
    // Where one fails, nothing goes on behind whoever is told of it.
    await Promise.allSettled(packs);
  }
  return { packs: await Promise.all(packs), documents };
}
