/** The record of an exported file, and whether one that is read has the form of it: files come from elsewhere. */
import { isObject, type JsonObject } from '../json/values.js';
import type { IndexMetadata } from '../metadata/openIndex.js';
import type { ShardParts } from './record.js';

/** Bytes of the file, by where they are and their XXH32. */
export interface Part {
  at: number;
  bytes: number;
  sum: number;
}

/** What the file is of. */
export interface ExportRecord {
  index: Pick<IndexMetadata, 'name' | 'created' | 'settings' | 'mapping' | 'aliases' | 'warmers'>;
  shards: ShardParts<Part>[];
}

type Problem = (what: string) => Error;

/**
 * A record as what it is.
 * @param length of all parts; they are there one behind the other, so that none is read twice
 */
export function checkRecord(record: unknown, length: number, problem: Problem): ExportRecord {
  const { index, shards } = object(record, 'the record', problem);
  checkIndex(object(index, 'the index', problem), problem);
  let end = 0;
  const part = (value: unknown) => {
    const { at, bytes, sum } = object(value, 'a part', problem) as Partial<Part>;
    if (!isCount(at) || !isCount(bytes) || !Number.isInteger(sum) || at < end || at + bytes > length)
      throw problem('a part is where none can be');
    end = at + bytes;
  };
  for (const shard of list(shards, 'shards', problem)) {
    const { checkpoint, documents, segments, packs, kills } = object(shard, 'a shard', problem);
    if (!isCount(checkpoint) || !isCount(documents)) throw problem('checkpoint or documents of a shard');
    for (const segment of list(segments, 'segments', problem)) {
      const { image, live, documents } = object(segment, 'a segment', problem);
      if (!isCount(documents)) throw problem('documents of a segment');
      part(image);
      if (live !== undefined) part(live);
    }
    for (const pack of list(packs, 'packs', problem)) part(pack);
    for (const kill of list(kills, 'kills', problem)) {
      const pair = list(kill, 'a kill', problem);
      if (pair.length !== 2 || !pair.every(isCount)) throw problem('a kill');
    }
  }
  return record as ExportRecord;
}

function checkIndex(
  { name, created, settings, mapping, aliases, warmers }: JsonObject,
  problem: Problem,
): void {
  if (typeof name !== 'string') throw problem('name');
  if (!isCount(created)) throw problem('created');
  const { flat } = object(settings, 'settings', problem);
  for (const value of Object.values(object(flat, 'settings', problem)))
    if (typeof value !== 'string') throw problem('a setting');
  if (mapping !== undefined) {
    const { mappings, fields, joining } = object(mapping, 'mapping', problem);
    object(mappings, 'mappings', problem);
    for (const field of list(fields, 'fields', problem)) object(field, 'a field', problem);
    if (joining !== undefined) strings(joining, 'joining', problem);
  }
  for (const alias of Object.values(object(aliases ?? {}, 'aliases', problem))) {
    const { filter, indexRouting, searchRouting } = object(alias, 'an alias', problem);
    if (filter !== undefined) object(filter, 'the filter of an alias', problem);
    for (const routing of [indexRouting, searchRouting])
      if (routing !== undefined && typeof routing !== 'string') throw problem('the routing of an alias');
  }
  for (const warmer of Object.values(object(warmers ?? {}, 'warmers', problem)))
    strings(object(warmer, 'a warmer', problem).types, 'the types of a warmer', problem);
}

function object(value: unknown, what: string, problem: Problem): JsonObject {
  if (!isObject(value)) throw problem(`${what} is no object`);
  return value;
}

function list(value: unknown, what: string, problem: Problem): unknown[] {
  if (!Array.isArray(value)) throw problem(`${what} is no list`);
  return value;
}

function strings(value: unknown, what: string, problem: Problem): void {
  if (!list(value, what, problem).every((each) => typeof each === 'string')) throw problem(what);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
