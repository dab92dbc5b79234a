/** The log of an index: its name and subjects, and what it has made of the index's mapping. */
import type { SavedMapping } from '../mapping/model.js';
import type { ShardPlace } from '../storage/logRows.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { decodeJson, encodeJson, loggedMappingKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { isObject } from '../json/values.js';
import { checkFormat, MalformedCommand } from './documentCommand.js';
import { MARKS_FORMAT, PLAIN_FORMAT } from './formats.js';
import { isCount } from './message.js';

/** The name of the log of an index. */
export function logName(uuid: string): string {
  return `index-${uuid}`;
}

/** Whether a log is that of an index, by its name. */
export function isIndexLog(name: string): boolean {
  return name.startsWith(logName(''));
}

/** The subjects of an index's log. */
export const MAPPING = 'meta';
export const shardSubject = (shard: number): string => `shard.${shard}`;

/** A message on the mapping of an index: what that is from there on, and what it says besides. */
export interface MappingCommand {
  mapping: SavedMapping;
  /** The settings of analysis that documents behind it are parsed by; as before where it has none. */
  analysis?: FlatSettings | undefined;
  /**
   * How often the index has been closed and opened: where that is an odd number, operations behind it come to nothing. As before where it
   * isn't a larger number than before.
   */
  turn?: number | undefined;
}

/** What an index's log has made of its mapping. */
export interface LoggedMapping extends MappingCommand {
  uuid: string;
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

/** A message as older versions read it too, where it says nothing that they don't know. */
export function encodeMapping({ mapping, analysis, turn }: MappingCommand): Uint8Array {
  const isPlain = analysis === undefined && turn === undefined;
  return encodeJson({ format: isPlain ? PLAIN_FORMAT : MARKS_FORMAT, mapping, analysis, turn });
}

/** What a message on the mapping says. Throws {@link MalformedCommand} where it says nothing. */
export function decodeMapping(bytes: Uint8Array): MappingCommand {
  let content: { format?: unknown; mapping?: SavedMapping; analysis?: unknown; turn?: unknown };
  try {
    content = decodeJson(bytes);
  } catch {
    throw new MalformedCommand('a mapping that is no JSON');
  }
  checkFormat(content?.format);
  const { mapping, analysis, turn } = content;
  if (mapping === undefined) throw new MalformedCommand('a mapping that is none');
  if (analysis !== undefined && !areSettings(analysis)) throw new MalformedCommand('settings that are none');
  if (turn !== undefined && !isCount(turn)) throw new MalformedCommand('a turn that is none');
  return { mapping, analysis, turn };
}

function areSettings(value: unknown): value is FlatSettings {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
