/** The log of an index: its name and subjects, and what it has made of the index's mapping. */
import type { SavedMapping } from '../mapping/model.js';
import type { ShardPlace } from '../storage/logRows.js';
import { decodeJson, loggedMappingKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { checkFormat, MalformedCommand } from './documentCommand.js';

/** The name of the log of an index. */
export function logName(uuid: string): string {
  return `index-${uuid}`;
}

/** The subjects of an index's log. */
export const MAPPING = 'meta';
export const shardSubject = (shard: number): string => `shard.${shard}`;

/** What an index's log has made of its mapping. */
export interface LoggedMapping {
  uuid: string;
  mapping: SavedMapping;
  /** Of the message that made it. */
  position: number;
  checksum: number;
}

/** How far a shard is in its log, and what that had made of the mapping then. */
export interface CopyMoment {
  place: ShardPlace;
  mapping: LoggedMapping | undefined;
}

/** How far another node is in an index's log, and what that has made of the mapping. */
export type FetchedMapping = Pick<CopyMoment, 'mapping'> & { place: { position: number; checksum: number } };

/** What is there of an index's mapping in the store, if the log has made anything of it. */
export function readLoggedMapping(storage: Storage, name: string, uuid: string): LoggedMapping | undefined {
  const row = storage.get(loggedMappingKey(name));
  const logged = row === undefined ? undefined : decodeJson<LoggedMapping>(row);
  return logged?.uuid === uuid ? logged : undefined;
}

/** The mapping that a message holds. Throws {@link MalformedCommand} where it holds none. */
export function mappingOf(bytes: Uint8Array): SavedMapping {
  let content: { format?: unknown; mapping?: SavedMapping };
  try {
    content = decodeJson(bytes);
  } catch {
    throw new MalformedCommand('a mapping that is no JSON');
  }
  checkFormat(content?.format);
  if (content.mapping === undefined) throw new MalformedCommand('a mapping that is none');
  return content.mapping;
}
